//! Which classes occur at one voxel in different layers.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use hdf5::{Dataset, NumberType, Window};

use super::first_in_order;
use crate::ReadError;
use crate::tiles::Tiles;
use crate::validate::Context;
use crate::values;

/// Pairs of classes, the smaller one first.
pub(crate) type Pairs = BTreeSet<(u16, u16)>;

/// The pairs of distinct values that meet at one voxel of `layers` in two layers.
///
/// `layers` has one layer per index of its first axis. 0 and `ignored` never count. Every voxel is read.
///
/// # Errors
/// [`ReadError::File`] when elements cannot be read, [`ReadError::Value`] when they are no numbers.
pub(crate) fn overlapping_pairs(
    context: &Context<'_>,
    layers: &Dataset,
    ignored: i64,
) -> Result<Pairs, ReadError> {
    let Some((&count, voxels)) = layers.shape().split_first() else { return Ok(Pairs::new()) };
    let element_bytes = u64::from(layers.datatype().size).saturating_mul(count.max(1));
    let chunk = layers.chunk_dims().and_then(|dims| dims.split_first());
    let tiles = Tiles::new(voxels, chunk.map(|(_, dims)| dims), element_bytes);
    let ignored = u16::try_from(ignored).unwrap_or(0);
    let all = Mutex::new(Pairs::new());
    let look = |scratch: &mut Scratch, index: usize| -> Result<Option<()>, ReadError> {
        let tile = tiles.window(index);
        let start: Vec<u64> = [0].into_iter().chain(tile.start).collect();
        let shape: Vec<u64> = [count].into_iter().chain(tile.shape).collect();
        scratch.read(layers, &Window::new(&start, &shape))?;
        context.checkpoint(scratch.stack.len() as u64 * u64::from(layers.datatype().size))?;
        let found = scratch.pairs(count, ignored);
        if !found.is_empty() {
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
        Ok(None)
    };
    first_in_order::<_, (), _>(tiles.count(), look)?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Memory of one thread.
#[derive(Debug, Default)]
struct Scratch {
    /// The same voxels of all layers, layer after layer.
    stack: Vec<u16>,
    bytes: Vec<u8>,
    /// How many layers hold something, by voxel; stays at 255.
    filled: Vec<u8>,
}

impl Scratch {
    fn read(&mut self, layers: &Dataset, window: &Window) -> Result<(), ReadError> {
        let elements = window.shape.iter().fold(1_u64, |n, dim| n.saturating_mul(*dim));
        let elements = usize::try_from(elements).unwrap_or(usize::MAX);
        match layers.datatype().number() {
            Some(NumberType::U8) => {
                self.bytes.resize(elements, 0);
                layers.read_into::<u8>(window, &mut self.bytes)?;
                self.stack.clear();
                self.stack.extend(self.bytes.iter().map(|&value| u16::from(value)));
            }
            Some(NumberType::U16) => {
                self.stack.resize(elements, 0);
                layers.read_into::<u16>(window, &mut self.stack)?;
            }
            _ => {
                let array = layers.read_window(window)?;
                let message = || format!("{}: layers that are no numbers", layers.path());
                let found =
                    values::integers(&array.elements).ok_or_else(|| ReadError::value(message()))?;
                self.stack.clear();
                self.stack.extend(found.iter().map(|&value| u16::try_from(value).unwrap_or(0)));
            }
        }
        Ok(())
    }

    /// The pairs among the voxels read last. Voxels with fewer than two filled layers, nearly all, are passed over quickly.
    fn pairs(&mut self, count: u64, ignored: u16) -> Pairs {
        let mut pairs = Pairs::new();
        let voxels = self.stack.len() / usize::try_from(count).unwrap_or(usize::MAX).max(1);
        if voxels == 0 {
            return pairs;
        }
        self.filled.clear();
        self.filled.resize(voxels, 0);
        for layer in self.stack.chunks_exact(voxels) {
            for (filled, &value) in self.filled.iter_mut().zip(layer) {
                *filled = filled.saturating_add(u8::from(value != 0));
            }
        }
        let mut here = Vec::new();
        let mut last = Vec::new();
        for (voxel, _) in self.filled.iter().enumerate().filter(|(_, filled)| **filled > 1) {
            let at_voxel = self.stack.iter().skip(voxel).step_by(voxels).copied();
            here.clear();
            here.extend(at_voxel.filter(|&value| value != 0 && value != ignored));
            here.sort_unstable();
            here.dedup();
            if here == last {
                continue;
            }
            for (place, &low) in here.iter().enumerate() {
                pairs.extend(here.iter().skip(place + 1).map(|&high| (low, high)));
            }
            last.clone_from(&here);
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_meet_at_a_voxel() {
        let stack = vec![1, 1, 0, 9, 2, 0, 3, 4, 2, 5, 3, 4];
        let mut scratch = Scratch { stack, ..Scratch::default() };
        let pairs: Vec<_> = scratch.pairs(3, 9).into_iter().collect();
        assert_eq!(pairs, [(1, 2), (1, 5)]);
    }
}
