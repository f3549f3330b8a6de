//! The filters between the elements of a block and its streams.

mod delta;

pub(crate) use delta::undo as undo_delta;

use crate::error::Problem;

/// Slots of the filter pipeline.
pub(crate) const SLOTS: usize = 6;

/// A transform that decoding has to undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Bytes regrouped by their place in elements of this size.
    Shuffle {
        /// Bytes of one element, or of what is shuffled as one.
        element_size: usize,
    },
    /// Bits regrouped by their place in elements of the chunk's size.
    BitShuffle,
    /// Differences from the first block of the chunk.
    Delta,
}

impl Filter {
    /// The filter with this identifier and meta byte; `None` where nothing has to be undone.
    pub(crate) fn from_id(id: u8, meta: u8, element_size: usize) -> Result<Option<Self>, Problem> {
        match id {
            // Truncated precision (4) has only thrown bits away.
            0 | 4 => Ok(None),
            1 => {
                let size = if meta == 0 { element_size } else { usize::from(meta) };
                Ok((size > 1).then_some(Self::Shuffle { element_size: size }))
            }
            2 => Ok(Some(Self::BitShuffle)),
            3 => Ok(Some(Self::Delta)),
            _ => Err(Problem::unsupported(alloc::format!("filter {id}"))),
        }
    }
}
