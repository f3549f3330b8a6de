//! Which classes occur at one voxel in different layers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use hdf5::{Dataset, NumberType};

use super::stack::Stack;
use super::{Place, first_in_order, read_bytes};
use crate::ReadError;
use crate::validate::{Context, Question, What};
use crate::values::{self, dtype_name, for_each_float};

/// Combinations of classes that one thread remembers, and pairs of classes. Random numbers in many layers have millions of them,
/// labels do not.
const MOST_COMBINATIONS: usize = 1_000_000;

/// Pairs of classes, the smaller one first.
pub(crate) type Pairs = BTreeSet<(u16, u16)>;

/// The pairs of distinct values that meet at one voxel of `layers` in two layers.
///
/// `layers` has one layer per index of its first axis. 0 and `ignored` never count. Every voxel is read.
///
/// # Errors
/// [`ReadError::File`] when elements cannot be read, [`ReadError::Value`] when they are no numbers, [`ReadError::Limit`] when
/// there are more combinations of labels than labels have.
pub(crate) fn overlapping_pairs(
    context: &Context<'_>,
    layers: &Dataset,
    ignored: i64,
) -> Result<Pairs, ReadError> {
    // Without an axis of voxels there is nothing to look at, whatever the type.
    if layers.shape().len() < 2 {
        return Ok(Pairs::new());
    }
    let Some(number) = layers.datatype().number() else {
        let found = dtype_name(layers.datatype());
        return Err(ReadError::value(format!("{}: {found} elements, not numbers", layers.path())));
    };
    let Some(stack) = Stack::of(layers)? else { return Ok(Pairs::new()) };
    let question = Question { address: layers.address(), what: What::Overlaps(ignored) };
    let ignored = u16::try_from(ignored).unwrap_or(0);
    let steps = stack.steps();
    let all = found_so_far(context, layers);
    let look = |scratch: &mut Scratch, place: Place| -> Result<Option<()>, ReadError> {
        if place.part == 0 {
            scratch.seen.clear();
            scratch.seen.resize(stack.voxels(place.tile), LabelSets::EMPTY);
        }
        let bytes = read_bytes(layers, &stack.window(place), &mut scratch.bytes)?;
        context.checkpoint(bytes.len() as u64)?;
        scratch.sets.add_layers(number, bytes, ignored, &mut scratch.seen);
        scratch.sets.check()?;
        if place.part + 1 == steps.parts
            && let Some(found) = scratch.sets.new_pairs()
        {
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
        Ok(None)
    };
    first_in_order::<_, ()>(context, question, steps, look)?;
    let found = all.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(found)
}

/// The pairs that earlier calls found in `layers`; where calls are repeated, later ones find them here.
fn found_so_far(context: &Context<'_>, layers: &Dataset) -> Arc<Mutex<Pairs>> {
    let all = Arc::default();
    let Some(memo) = context.observer.memo() else { return all };
    let question = Question { address: layers.address(), what: What::Pairs };
    memo.get(&question).unwrap_or_else(|| {
        memo.keep(question, Arc::clone(&all));
        all
    })
}

/// Memory of one thread.
#[derive(Debug, Default)]
struct Scratch {
    bytes: Vec<u8>,
    /// Which labels were seen so far, by voxel.
    seen: Vec<u32>,
    sets: LabelSets,
}

/// Sets of labels that occurred together, each numbered once, so that a voxel needs to remember only a number.
#[derive(Debug, Default)]
pub(crate) struct LabelSets {
    /// A set is another set (by its number) and one label more; number 0, the empty set, is not listed.
    sets: Vec<(u32, u16)>,
    with_label: HashMap<(u32, u16), u32>,
    pairs: HashSet<(u16, u16)>,
    /// Those of the pairs that were not handed on yet.
    fresh: Vec<(u16, u16)>,
}

impl LabelSets {
    pub(crate) const EMPTY: u32 = 0;

    /// Adds one label where `mask` is not 0, to what was seen at each voxel.
    #[cfg(feature = "encode")]
    pub(crate) fn add_mask(&mut self, mask: &[u8], label: u16, seen: &mut [u32]) {
        let (mut last, mut result) = (None, Self::EMPTY);
        for (_, seen) in mask.iter().zip(seen).filter(|(mark, _)| **mark != 0) {
            if last != Some(*seen) {
                last = Some(*seen);
                result = self.with(*seen, label);
            }
            *seen = result;
        }
    }

    /// Adds the labels of some layers, one after the other in `bytes`, to what was seen at each voxel.
    fn add_layers(&mut self, number: NumberType, bytes: &[u8], ignored: u16, seen: &mut [u32]) {
        match number {
            NumberType::U8 => self.add::<1>(bytes, |[value]| value.into(), ignored, seen),
            NumberType::U16 => self.add::<2>(bytes, u16::from_le_bytes, ignored, seen),
            // Types that labels should not have, which the rule has said; their values count all the same.
            _ => {
                let mut labels = Vec::new();
                for_each_float(number, bytes, |value| {
                    labels.extend(values::as_label(value).to_le_bytes());
                });
                self.add::<2>(&labels, u16::from_le_bytes, ignored, seen);
            }
        }
    }

    fn add<const SIZE: usize>(
        &mut self,
        bytes: &[u8],
        label: impl Fn([u8; SIZE]) -> u16,
        ignored: u16,
        seen: &mut [u32],
    ) {
        /// Voxels that are passed over together where all are background.
        const RUN: usize = 64;

        let (labels, _) = bytes.as_chunks::<SIZE>();
        for layer in labels.chunks_exact(seen.len().max(1)) {
            // Neighbours are mostly alike: what came of the last one is kept.
            let (mut last, mut result) = ((Self::EMPTY, 0), Self::EMPTY);
            for (labels, seen) in layer.chunks(RUN).zip(seen.chunks_mut(RUN)) {
                if is_zero(labels.as_flattened()) {
                    continue;
                }
                for (bytes, seen) in labels.iter().zip(seen) {
                    let label = label(*bytes);
                    if label == 0 || label == ignored {
                        continue;
                    }
                    if (*seen, label) != last {
                        last = (*seen, label);
                        result = self.with(*seen, label);
                    }
                    *seen = result;
                }
            }
        }
    }

    /// The number of the set `set` and `label`; pairs that are new in it are noted.
    fn with(&mut self, set: u32, label: u16) -> u32 {
        if let Some(known) = self.with_label.get(&(set, label)) {
            return *known;
        }
        if self.is_full() {
            return set;
        }
        let mut others = Vec::new();
        let mut rest = set;
        while let Some((parent, other)) = self.set(rest) {
            others.push(other);
            rest = parent;
        }
        let number = if others.contains(&label) {
            set
        } else {
            for other in others {
                let pair = (label.min(other), label.max(other));
                if self.pairs.insert(pair) {
                    self.fresh.push(pair);
                }
            }
            self.sets.push((set, label));
            u32::try_from(self.sets.len()).unwrap_or(set)
        };
        self.with_label.insert((set, label), number);
        number
    }

    fn is_full(&self) -> bool {
        self.with_label.len().max(self.pairs.len()) > MOST_COMBINATIONS
    }

    /// Refuses what has more combinations than can be remembered; they are then incomplete.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        if !self.is_full() {
            return Ok(());
        }
        Err(ReadError::Limit {
            what: "combinations of classes at one voxel".into(),
            found: MOST_COMBINATIONS as u64 + 1,
            limit: "combinations of classes",
            max: MOST_COMBINATIONS as u64,
        })
    }

    fn set(&self, number: u32) -> Option<(u32, u16)> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.sets.get(index).copied()
    }

    /// The pairs noted since the last call, if any.
    pub(crate) fn new_pairs(&mut self) -> Option<Pairs> {
        (!self.fresh.is_empty()).then(|| self.fresh.drain(..).collect())
    }
}

/// Whether all bytes are 0. Words of eight are told from 0 at once, also where nothing is compiled to vectors.
fn is_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().fold(0, |any, word| any | u64::from_ne_bytes(*word)) == 0
        && rest.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_meet_at_a_voxel() {
        let mut sets = LabelSets::default();
        let mut seen = vec![LabelSets::EMPTY; 4];
        sets.add_layers(NumberType::U8, &[1, 1, 0, 9, 2, 0, 3, 4], 9, &mut seen);
        assert_eq!(sets.new_pairs().unwrap().into_iter().collect::<Vec<_>>(), [(1, 2)]);
        sets.add_layers(NumberType::U8, &[2, 5, 3, 4], 9, &mut seen);
        assert_eq!(sets.new_pairs().unwrap().into_iter().collect::<Vec<_>>(), [(1, 5)]);
    }

    #[test]
    fn what_has_too_many_combinations_is_refused() {
        let mut sets = LabelSets::default();
        let mut seen = vec![LabelSets::EMPTY; 40_000];
        for step in 0..40_u16 {
            let labels: Vec<u8> = (0..40_000_u16)
                .flat_map(|voxel| (voxel.wrapping_mul(step + 3) % 60_000 + 1).to_le_bytes())
                .collect();
            sets.add_layers(NumberType::U16, &labels, 0, &mut seen);
        }
        assert!(matches!(sets.check(), Err(ReadError::Limit { .. })));
        assert!(sets.sets.len() <= MOST_COMBINATIONS + 1);
    }

    #[test]
    fn all_labels_of_a_voxel_pair_up() {
        let mut sets = LabelSets::default();
        let mut seen = vec![LabelSets::EMPTY; 1];
        let labels: Vec<u8> = [300_u16, 2, 7].into_iter().flat_map(u16::to_le_bytes).collect();
        sets.add_layers(NumberType::U16, &labels, 65_535, &mut seen);
        let pairs: Vec<_> = sets.new_pairs().unwrap().into_iter().collect();
        assert_eq!(pairs, [(2, 7), (2, 300), (7, 300)]);
    }
}
