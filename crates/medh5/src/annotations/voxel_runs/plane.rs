//! One stored volume, and what its values say.

use hdf5::{Dataset, NumberType, Window};

use super::rows::{for_each_row, give, give_bits, row_runs, voxels_of};
use super::{Region, Run, RunScratch};
use crate::ReadError;
use crate::values::{self, for_each_float};

/// Marks a label that stands for no class of ours.
pub(super) const NO_CLASS: u16 = u16::MAX;

/// One volume of stored values.
#[derive(Debug)]
pub(super) struct Plane {
    pub(super) data: Dataset,
    /// Its place along the first axis of `data`, if that axis is not one of voxels.
    pub(super) at: Option<u64>,
    pub(super) number: NumberType,
    pub(super) meaning: Meaning,
}

/// What the values of a plane say.
#[derive(Debug)]
pub(super) enum Meaning {
    /// Each is a label: the place of its class, by label.
    Labels(Vec<u16>),
    /// Each bit is a class: the place of its class, by bit.
    Bits(Vec<Option<usize>>),
    /// From this value on, a voxel belongs to the class at this place.
    AtLeast(f64, usize),
}

impl Meaning {
    pub(super) fn says_something(&self) -> bool {
        match self {
            Self::Labels(places) => places.iter().any(|place| *place != NO_CLASS),
            Self::Bits(places) => places.iter().any(Option::is_some),
            Self::AtLeast(..) => true,
        }
    }
}

impl Plane {
    /// Visits the runs of every class inside `region`.
    pub(super) fn visit(
        &self,
        region: &Region,
        scratch: &mut RunScratch,
        visit: &mut dyn FnMut(Run<'_>),
    ) -> Result<(), ReadError> {
        self.read(region, &mut scratch.bytes)?;
        let bytes = &scratch.bytes;
        match (&self.meaning, self.number) {
            (Meaning::Labels(places), NumberType::U8) => {
                let visit = &mut *visit;
                for_each_row(region, 1, bytes, |row, labels| {
                    row_runs::<1>(labels, |at, length, [label]| {
                        give_label(places, row, at, length, label.into(), visit);
                    });
                });
            }
            (Meaning::Labels(places), NumberType::U16) => {
                for_each_row(region, 2, bytes, |row, labels| {
                    row_runs::<2>(labels, |at, length, label| {
                        give_label(places, row, at, length, u16::from_le_bytes(label), visit);
                    });
                });
            }
            (Meaning::Bits(places), NumberType::U64) => {
                for_each_row(region, 8, bytes, |row, words| {
                    row_runs::<8>(words, |at, length, word| {
                        give_bits(places, row, at, length, u64::from_le_bytes(word), visit);
                    });
                });
            }
            (meaning, number) => {
                meaning.visit_numbers(number, region, bytes, &mut scratch.marks, visit);
            }
        }
        Ok(())
    }

    fn read(&self, region: &Region, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        let starts = self.at.into_iter().chain(region.iter().map(|range| range.start));
        let extents = region.iter().map(|range| range.end.saturating_sub(range.start));
        let start: Vec<u64> = starts.collect();
        let shape: Vec<u64> = self.at.map(|_| 1).into_iter().chain(extents).collect();
        let element_bytes = self.data.datatype().size as usize;
        bytes.resize(voxels_of(region)?.saturating_mul(element_bytes), 0);
        Ok(self.data.read_bytes(&Window::new(&start, &shape), bytes)?)
    }
}

impl Meaning {
    /// The same for types that labels and bits should not have, and for probabilities: by way of labels and marks.
    fn visit_numbers(
        &self,
        number: NumberType,
        region: &Region,
        bytes: &[u8],
        marks: &mut Vec<u8>,
        visit: &mut dyn FnMut(Run<'_>),
    ) {
        marks.clear();
        match self {
            Self::AtLeast(threshold, class) => {
                for_each_float(number, bytes, |value| marks.push(u8::from(value >= *threshold)));
                for_each_row(region, 1, marks, |row, marks| {
                    row_runs::<1>(marks, |at, length, [mark]| {
                        if mark != 0 {
                            give(row, at, length, *class, visit);
                        }
                    });
                });
            }
            Self::Labels(places) => {
                for_each_float(number, bytes, |value| {
                    marks.extend(values::as_label(value).to_le_bytes());
                });
                for_each_row(region, 2, marks, |row, labels| {
                    row_runs::<2>(labels, |at, length, label| {
                        give_label(places, row, at, length, u16::from_le_bytes(label), visit);
                    });
                });
            }
            // The format allows one type for words of bits; another holds none.
            Self::Bits(_) => {}
        }
    }
}

fn give_label(
    places: &[u16],
    row: &[u64],
    at: u64,
    length: u64,
    label: u16,
    visit: &mut dyn FnMut(Run<'_>),
) {
    match places.get(usize::from(label)) {
        None | Some(&NO_CLASS) => {}
        Some(&class) => give(row, at, length, class.into(), visit),
    }
}
