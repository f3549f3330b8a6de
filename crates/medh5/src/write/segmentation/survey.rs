//! What masks hold: how many voxels of each class, where, and which classes meet.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Masks, NewArray, marks, marks_of};
use crate::ReadError;
use crate::parallel;
use crate::validate::LabelSets;
use crate::values::for_each_float;
use crate::write::WriteError;

/// Voxels of a slab that are looked at together.
const SLAB_VOXELS: u64 = 4 << 20;

/// What was found.
#[derive(Debug)]
pub(super) struct Survey {
    /// Voxels of each class, in the order of the masks.
    pub(super) counts: Vec<u64>,
    /// First and last voxel of each class along each axis.
    pub(super) bounds: Vec<Option<Vec<[u64; 2]>>>,
    /// Classes that share a voxel.
    pub(super) pairs: BTreeSet<(u16, u16)>,
    /// Ignored voxels.
    pub(super) ignored: u64,
    /// Whether one of these is in a class.
    pub(super) ignored_meets_class: bool,
}

/// What one thread has seen.
#[derive(Debug, Default)]
struct Seen {
    counts: Vec<u64>,
    bounds: Vec<Option<Vec<[u64; 2]>>>,
    /// The value that is not 0, of each mask.
    values: Vec<Option<f64>>,
    pairs: BTreeSet<(u16, u16)>,
    sets: LabelSets,
    ignored: u64,
    ignored_meets_class: bool,
    /// A mask with two values that are not 0.
    mixed: Option<(usize, f64, f64)>,
}

impl Survey {
    pub(super) fn of(masks: &Masks, ignore: Option<&NewArray>) -> Result<Self, WriteError> {
        if let Some(ignore) = ignore.filter(|ignore| ignore.shape() != masks.shape()) {
            let (found, wanted) = (ignore.shape(), masks.shape());
            let reason =
                format!("the ignored voxels have the shape {found:?}, the masks {wanted:?}");
            return Err(WriteError::refused(reason));
        }
        let slabs = slabs(masks.shape());
        let count = masks.classes.len();
        let new = || Seen {
            counts: vec![0; count],
            bounds: vec![None; count],
            values: vec![None; count],
            ..Seen::default()
        };
        let look = |seen: &mut Seen, at: usize| match slabs.get(at) {
            Some(slab) => seen.slab(masks, ignore, slab).map_err(ReadError::from),
            None => Ok(()),
        };
        let all = parallel::gather(slabs.len(), new, look)?;
        let all = all.into_iter().reduce(Seen::merge).unwrap_or_default();
        if let Some((at, one, other)) = all.mixed {
            let class = masks.classes.get(at).copied().unwrap_or(0);
            return Err(WriteError::refused(format!(
                "the mask of class {class} holds {one} and {other}: a mask has one value beside 0; a volume of labels is several masks"
            )));
        }
        Ok(Self {
            counts: all.counts,
            bounds: all.bounds,
            pairs: all.pairs,
            ignored: all.ignored,
            ignored_meets_class: all.ignored_meets_class,
        })
    }
}

impl Seen {
    fn slab(
        &mut self,
        masks: &Masks,
        ignore: Option<&NewArray>,
        slab: &Range<u64>,
    ) -> Result<(), hdf5::Error> {
        let mut start = vec![0; masks.shape().len()];
        let mut shape = masks.shape().to_vec();
        if let (Some(first), Some(extent)) = (start.first_mut(), shape.first_mut()) {
            (*first, *extent) = (slab.start, slab.end - slab.start);
        }
        let mut sets = Vec::new();
        for (at, class) in masks.classes.iter().enumerate() {
            let Some(array) = masks.masks.get(at) else { continue };
            let bytes = array.read(&start, &shape)?;
            self.check_values(array, at, &bytes);
            let mask = marks_of(array.datatype(), bytes);
            sets.resize(mask.len(), LabelSets::EMPTY);
            self.sets.add_mask(&mask, *class, &mut sets);
            self.count(at, &mask, &start, &shape);
        }
        let refused = |error: ReadError| hdf5::Error::Request { reason: error.to_string() };
        self.sets.check().map_err(refused)?;
        self.pairs.extend(self.sets.new_pairs().into_iter().flatten());
        if let Some(ignore) = ignore {
            let ignored = marks(ignore, &start, &shape)?;
            self.ignored += ignored.iter().map(|mark| u64::from(*mark)).sum::<u64>();
            let mut both = ignored.iter().zip(&sets);
            self.ignored_meets_class |=
                both.any(|(mark, set)| *mark != 0 && *set != LabelSets::EMPTY);
        }
        Ok(())
    }

    /// Notes the value of a mask beside 0; more than one is refused later.
    fn check_values(&mut self, mask: &NewArray, at: usize, bytes: &[u8]) {
        let (Some(number), Some(known)) = (mask.datatype().number(), self.values.get_mut(at))
        else {
            return;
        };
        let mut mixed = None;
        for_each_float(number, bytes, |value| match *known {
            _ if value == 0.0 => {}
            None => *known = Some(value),
            Some(one) if !is_same(one, value) => mixed = Some((at, one, value)),
            Some(_) => {}
        });
        self.mixed = self.mixed.or(mixed);
    }

    fn count(&mut self, at: usize, mask: &[u8], start: &[u64], shape: &[u64]) {
        let (Some(count), Some(bounds)) = (self.counts.get_mut(at), self.bounds.get_mut(at)) else {
            return;
        };
        let Some(&row) = shape.last() else { return };
        let mut place = start.to_vec();
        for marks in mask.chunks_exact(usize::try_from(row).unwrap_or(1).max(1)) {
            let found: u64 = marks.iter().map(|mark| u64::from(*mark)).sum();
            if found > 0 {
                *count += found;
                let first = marks.iter().position(|mark| *mark != 0).unwrap_or(0) as u64;
                let last = marks.iter().rposition(|mark| *mark != 0).unwrap_or(0) as u64;
                if let Some(along) = place.last_mut() {
                    *along = first;
                }
                grow(bounds, &place);
                if let Some(along) = place.last_mut() {
                    *along = last;
                }
                grow(bounds, &place);
            }
            next_row(&mut place, start, shape);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        for (bounds, more) in
            self.bounds.iter_mut().zip(other.bounds).filter_map(|(all, more)| Some((all, more?)))
        {
            grow(bounds, &more.iter().map(|[low, _]| *low).collect::<Vec<_>>());
            grow(bounds, &more.iter().map(|[_, high]| *high).collect::<Vec<_>>());
        }
        for (at, (known, more)) in self.values.iter_mut().zip(other.values).enumerate() {
            match (*known, more) {
                (None, more) => *known = more,
                (Some(one), Some(other)) if !is_same(one, other) => {
                    self.mixed = Some((at, one, other));
                }
                _ => {}
            }
        }
        self.pairs.extend(other.pairs);
        self.ignored += other.ignored;
        self.ignored_meets_class |= other.ignored_meets_class;
        self.mixed = self.mixed.or(other.mixed);
        self
    }
}

/// Whether two masks' values are one and the same; NaN is like no other.
fn is_same(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq()
}

/// Makes `bounds` hold the voxel at `place`.
fn grow(bounds: &mut Option<Vec<[u64; 2]>>, place: &[u64]) {
    let bounds = bounds.get_or_insert_with(|| place.iter().map(|at| [*at, *at]).collect());
    for ([low, high], at) in bounds.iter_mut().zip(place) {
        *low = (*low).min(*at);
        *high = (*high).max(*at);
    }
}

/// Moves `place` to the next row of the box from `start` of `shape`.
fn next_row(place: &mut [u64], start: &[u64], shape: &[u64]) {
    let Some((along, outer)) = place.split_last_mut() else { return };
    *along = start.last().copied().unwrap_or(0);
    for ((at, start), extent) in outer.iter_mut().zip(start).zip(shape).rev() {
        *at += 1;
        if *at < start + extent {
            return;
        }
        *at = *start;
    }
}

/// Cuts the slowest axis into pieces of bounded size.
fn slabs(shape: &[u64]) -> Vec<Range<u64>> {
    let Some((&extent, rest)) = shape.split_first() else { return Vec::new() };
    let plane = rest.iter().fold(1_u64, |n, extent| n.saturating_mul(*extent)).max(1);
    let depth = (SLAB_VOXELS / plane).max(1);
    let starts = (0..extent).step_by(usize::try_from(depth).unwrap_or(usize::MAX));
    starts.map(|start| start..(start + depth).min(extent)).collect()
}
