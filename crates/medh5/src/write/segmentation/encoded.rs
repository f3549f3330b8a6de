//! Encodings as sources of elements: composed from the masks when a box of them is written.

use std::sync::Arc;

use hdf5::{ElementSource, Error, F16};

use super::{IGNORE, Masks, marks};
use crate::write::NewArray;

/// Volumes of labels.
pub(super) struct LabelPlanes {
    pub(super) masks: Arc<Masks>,
    /// The classes of each volume.
    pub(super) layers: Vec<Vec<u16>>,
    /// Voxels that are marked as ignored in every volume.
    pub(super) ignore: Option<NewArray>,
    /// Whether a label is one byte, or two.
    pub(super) is_narrow: bool,
    /// Whether the first axis counts volumes.
    pub(super) stacked: bool,
}

impl ElementSource for LabelPlanes {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        let size = if self.is_narrow { 1 } else { 2 };
        each_plane(self.stacked, (start, shape), out, |plane, start, shape, out| {
            let mut labels = vec![0_u16; out.len() / size];
            for class in self.layers.get(plane).into_iter().flatten() {
                let mask = self.masks.read(self.masks.place(*class), start, shape)?;
                for (label, mark) in labels.iter_mut().zip(mask) {
                    *label |= class * u16::from(mark);
                }
            }
            if let Some(ignore) = &self.ignore {
                for (label, mark) in labels.iter_mut().zip(marks(ignore, start, shape)?) {
                    *label |= IGNORE * u16::from(mark);
                }
            }
            for (bytes, label) in out.chunks_exact_mut(size).zip(labels) {
                let [low, high] = label.to_le_bytes();
                bytes.iter_mut().zip([low, high]).for_each(|(to, byte)| *to = byte);
            }
            Ok(())
        })
    }
}

/// Planes of one bit per class.
pub(super) struct BitPlanes {
    pub(super) masks: Arc<Masks>,
}

impl ElementSource for BitPlanes {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        const WORD_BITS: usize = 64;

        each_plane(true, (start, shape), out, |plane, start, shape, out| {
            let mut words = vec![0_u64; out.len() / size_of::<u64>()];
            let first = plane * WORD_BITS;
            for at in first..(first + WORD_BITS).min(self.masks.classes.len()) {
                let mask = self.masks.read(at, start, shape)?;
                for (word, mark) in words.iter_mut().zip(mask) {
                    *word |= u64::from(mark) << (at - first);
                }
            }
            for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            Ok(())
        })
    }
}

/// Certainties: 1 inside, 0 outside, in half precision.
pub(super) struct Probabilities {
    pub(super) masks: Arc<Masks>,
}

impl ElementSource for Probabilities {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        let certain = F16::from_f64(1.0).0.to_le_bytes();
        each_plane(true, (start, shape), out, |plane, start, shape, out| {
            let mask = self.masks.read(plane, start, shape)?;
            for (bytes, mark) in out.as_chunks_mut().0.iter_mut().zip(mask) {
                *bytes = if mark == 0 { [0; 2] } else { certain };
            }
            Ok(())
        })
    }
}

/// Whether an element is not 0.
pub(super) struct Marks {
    pub(super) mask: NewArray,
}

impl ElementSource for Marks {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        out.iter_mut().zip(marks(&self.mask, start, shape)?).for_each(|(to, mark)| *to = mark);
        Ok(())
    }
}

impl Masks {
    /// The place of a class among the masks.
    fn place(&self, class: u16) -> usize {
        self.classes.binary_search(&class).unwrap_or(usize::MAX)
    }
}

/// Fills each plane of a box: the first axis counts planes if `stacked`, else there is one.
fn each_plane(
    stacked: bool,
    (start, shape): (&[u64], &[u64]),
    out: &mut [u8],
    fill: impl Fn(usize, &[u64], &[u64], &mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let (Some((&first, voxels)), Some((&planes, extents))) =
        (start.split_first(), shape.split_first())
    else {
        return fill(0, start, shape, out);
    };
    if !stacked {
        return fill(0, start, shape, out);
    }
    let plane_bytes = out.len() / usize::try_from(planes).unwrap_or(usize::MAX).max(1);
    for (plane, out) in (first..).zip(out.chunks_exact_mut(plane_bytes.max(1))) {
        fill(usize::try_from(plane).unwrap_or(usize::MAX), voxels, extents, out)?;
    }
    Ok(())
}
