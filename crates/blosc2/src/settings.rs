//! How elements are to be compressed, and what the C library makes of that: block sizes, splits, levels of the codecs.
//!
//! Nothing here is needed to read. The same choices give files of the same size as the C library's, and blocks that its
//! readers expect.

use alloc::vec::Vec;

/// The compressor that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compressor {
    /// LZ4; the higher the level, the more places it looks at.
    Lz4,
    /// LZ4 HC: the same format. We write what LZ4 does at its most careful.
    Lz4Hc,
    /// Deflate in a zlib wrapper.
    Zlib,
    /// Zstandard.
    Zstd,
}

impl Compressor {
    /// The *compcode* of frame headers and filter values.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Lz4 => 1,
            Self::Lz4Hc => 2,
            Self::Zlib => 4,
            Self::Zstd => 5,
        }
    }

    /// The format number in the flags of a chunk.
    pub(crate) fn format(self) -> u8 {
        match self {
            Self::Lz4 | Self::Lz4Hc => 1,
            Self::Zlib => 3,
            Self::Zstd => 4,
        }
    }

    /// Whether it is given large blocks, to compress more.
    fn takes_large_blocks(self) -> bool {
        self != Self::Lz4
    }
}

/// The filter that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transform {
    /// None.
    None,
    /// Bytes regrouped by their place in the element.
    Shuffle,
    /// Bits regrouped by their place in the element.
    BitShuffle,
}

impl Transform {
    /// Identifier of the filter.
    pub(crate) fn id(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Shuffle => 1,
            Self::BitShuffle => 2,
        }
    }
}

/// How elements are to be compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What compresses the streams.
    pub compressor: Compressor,
    /// 0 (stored) to 9 (smallest).
    pub level: u8,
    /// What comes before that.
    pub transform: Transform,
    /// Bytes of one element, 1 to 255.
    pub element_size: usize,
    /// Bytes of a block; `None` leaves it to the rules of the C library.
    pub block_size: Option<usize>,
}

/// Blocks smaller than this many elements are not split.
const MIN_SPLIT_ELEMENTS: usize = 32;

/// Larger elements are not split, in bytes.
const MAX_SPLIT_SIZE: usize = 16;

const SMALL: usize = 32 << 10;
const LARGEST: usize = 4 << 20;

impl Settings {
    /// Whether each byte plane of a block of `block_size` bytes becomes a stream of its own.
    pub(crate) fn splits(&self, block_size: usize) -> bool {
        let is_fast = match self.compressor {
            Compressor::Lz4 => true,
            Compressor::Zstd => self.level <= 5,
            Compressor::Lz4Hc | Compressor::Zlib => false,
        };
        is_fast
            && self.transform == Transform::Shuffle
            && self.element_size <= MAX_SPLIT_SIZE
            && block_size / self.element_size >= MIN_SPLIT_ELEMENTS
    }

    /// Bytes of a block in a chunk of `chunk_len` bytes.
    pub(crate) fn block_size(&self, chunk_len: usize) -> usize {
        let size = self.block_size.unwrap_or_else(|| self.preferred_block_size(chunk_len));
        let size = size.min(chunk_len);
        if size > self.element_size { size / self.element_size * self.element_size } else { size }
    }

    fn preferred_block_size(&self, chunk_len: usize) -> usize {
        if self.level > 0 && self.splits(chunk_len) {
            let plane = match self.level {
                0..=3 => SMALL,
                4..=6 => 2 * SMALL,
                7 => 4 * SMALL,
                8 => 8 * SMALL,
                _ => 16 * SMALL,
            };
            return plane.saturating_mul(self.element_size).clamp(SMALL, LARGEST);
        }
        if chunk_len < SMALL {
            return chunk_len;
        }
        let large = self.compressor.takes_large_blocks();
        let unit = if large { 2 * SMALL } else { SMALL };
        match self.level {
            0 => unit / 4,
            1 => unit / 2,
            2 => unit,
            3 => unit * 2,
            4 | 5 => unit * 4,
            6..=8 => unit * 8,
            _ if large => unit * 16,
            _ => unit * 8,
        }
    }

    /// Shape of the blocks of a chunk of `chunk_shape` elements.
    ///
    /// Quirk: the C filter finds their size before it knows its transform, so that it is that for shuffled elements.
    pub(crate) fn block_shape(&self, chunk_shape: &[usize]) -> Vec<usize> {
        let elements: usize = chunk_shape.iter().product();
        let shuffled = Self { transform: Transform::Shuffle, ..*self };
        let budget = shuffled.block_size(elements * self.element_size) / self.element_size;
        let mut shape: Vec<usize> = chunk_shape.iter().map(|n| (*n).min(2)).collect();
        let mut count: usize = shape.iter().product();
        let mut before = 0;
        while count != before && count < budget {
            before = count;
            for (extent, n) in shape.iter_mut().zip(chunk_shape).rev() {
                let wider = if *extent * 2 <= *n { *extent * 2 } else { *n };
                let widened = count / *extent * wider;
                if widened <= budget {
                    (*extent, count) = (wider, widened);
                }
            }
        }
        shape
    }

    /// The level of libzstd that stands for the level of these settings.
    pub(crate) fn zstd_level(&self) -> i32 {
        match self.level {
            9.. => 22,
            8 => 20,
            level => (2 * i32::from(level) - 1).max(1),
        }
    }

    /// The acceleration of LZ4 that stands for the level of these settings.
    pub(crate) fn lz4_acceleration(&self) -> usize {
        match self.compressor {
            Compressor::Lz4 => 10 - usize::from(self.level.min(9)),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(compressor: Compressor, level: u8, element_size: usize) -> Settings {
        Settings {
            compressor,
            level,
            transform: Transform::Shuffle,
            element_size,
            block_size: None,
        }
    }

    #[test]
    fn blocks_of_the_profiles() {
        let chunk = [64, 128, 64];
        for (size, archive) in
            [(1, [64, 128, 64]), (2, chunk), (4, [64, 64, 64]), (8, [32, 64, 64])]
        {
            assert_eq!(settings(Compressor::Lz4, 1, size).block_shape(&chunk), [32, 32, 32]);
            assert_eq!(settings(Compressor::Zstd, 3, size).block_shape(&chunk), [32, 32, 32]);
            assert_eq!(settings(Compressor::Zstd, 9, size).block_shape(&chunk), archive);
        }
    }

    #[test]
    fn small_chunks_and_thin_ones() {
        let settings = settings(Compressor::Zstd, 9, 2);
        assert_eq!(settings.block_size(7706), 7706);
        assert_eq!(settings.block_shape(&[1, 3, 5]), [1, 3, 5]);
        assert_eq!(settings.block_size(3 << 20), 1 << 20);
    }

    #[test]
    fn whole_elements_fill_a_block() {
        let settings = settings(Compressor::Zlib, 1, 12);
        assert_eq!(settings.block_size(1 << 20), 32_760);
        assert_eq!(settings.block_size(7), 7);
    }
}
