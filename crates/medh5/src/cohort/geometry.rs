//! Spacing, shape and orientation of images, in groups of what is equal but for rounding.

use std::cmp::Reverse;

use serde::Serialize;

use super::entry::GridEntry;
use super::members::Members;

/// Numbers that differ by less than this part of the larger one are equal.
const TOLERANCE: f64 = 1e-4;

/// What of an image is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Property {
    /// Distance between voxels.
    Spacing,
    /// Number of voxels.
    Shape,
    /// Where the axes point in the body.
    Orientation,
}

impl Property {
    pub(super) const ALL: [Self; 3] = [Self::Spacing, Self::Shape, Self::Orientation];

    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Spacing => "spacing",
            Self::Shape => "shape",
            Self::Orientation => "orientation",
        }
    }
}

/// Images of one modality that agree in one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GeometryGroup {
    /// What they agree in.
    pub property: Property,
    /// How they were made, such as `CT`; empty where images do not say.
    pub modality: String,
    /// The value that they share, with its unit; lists are slowest first.
    pub value: String,
    /// Number of images.
    pub images: usize,
    /// Places of their samples in the list of samples, ascending.
    pub samples: Vec<usize>,
}

/// The groups: by property, then by modality, the largest first.
pub(super) fn groups(members: &Members<'_>) -> Vec<GeometryGroup> {
    let mut all = Vec::new();
    for property in Property::ALL {
        let mut groups: Vec<Building> = Vec::new();
        for (place, entry) in members.open() {
            for image in &entry.images {
                let Some(grid) = &image.grid else { continue };
                let modality = image.modality.as_deref().unwrap_or_default();
                let value = Value::of(property, grid);
                let is_same = |group: &&mut Building| {
                    group.modality == modality && group.value.is_close(&value)
                };
                match groups.iter_mut().find(is_same) {
                    Some(group) => group.add(place),
                    None => groups.push(Building::new(modality, value, place)),
                }
            }
        }
        groups.sort_by(|a, b| {
            let key = |group: &Building| (group.modality.to_owned(), Reverse(group.images));
            key(a).cmp(&key(b)).then_with(|| a.value.text().cmp(&b.value.text()))
        });
        all.extend(groups.into_iter().map(|group| group.finish(property)));
    }
    all
}

struct Building<'a> {
    modality: &'a str,
    value: Value<'a>,
    images: usize,
    samples: Vec<usize>,
}

impl<'a> Building<'a> {
    fn new(modality: &'a str, value: Value<'a>, place: usize) -> Self {
        Self { modality, value, images: 1, samples: vec![place] }
    }

    fn add(&mut self, place: usize) {
        self.images += 1;
        if self.samples.last() != Some(&place) {
            self.samples.push(place);
        }
    }

    fn finish(self, property: Property) -> GeometryGroup {
        let Self { modality, value, images, samples } = self;
        GeometryGroup { property, modality: modality.into(), value: value.text(), images, samples }
    }
}

/// One property of one grid.
enum Value<'a> {
    Spacing(&'a [f64], &'a str),
    Shape(&'a [i64]),
    /// Letters, and whether the grid is oblique by more than the tolerance.
    Orientation(Option<&'a str>, bool),
}

impl<'a> Value<'a> {
    fn of(property: Property, grid: &'a GridEntry) -> Self {
        match property {
            Property::Spacing => Self::Spacing(&grid.spacing, &grid.units),
            Property::Shape => Self::Shape(&grid.shape),
            Property::Orientation => {
                let is_oblique = grid.tilt_degrees.to_radians().sin() > TOLERANCE;
                Self::Orientation(grid.orientation.as_deref(), is_oblique)
            }
        }
    }

    fn is_close(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Spacing(a, units), Self::Spacing(b, others)) => {
                units == others
                    && a.len() == b.len()
                    && a.iter().zip(*b).all(|(a, b)| close(*a, *b))
            }
            (Self::Shape(a), Self::Shape(b)) => a == b,
            (Self::Orientation(a, oblique), Self::Orientation(b, other)) => {
                a == b && oblique == other
            }
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Spacing(values, units) => format!("{} {units}", joined(values)),
            Self::Shape(extents) => joined(extents),
            Self::Orientation(None, _) => "no place in a body".into(),
            Self::Orientation(Some(letters), false) => (*letters).to_owned(),
            Self::Orientation(Some(letters), true) => format!("{letters}, oblique"),
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    // Equal values that are not finite are equal, too.
    a.to_bits() == b.to_bits() || (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}

fn joined<T: std::fmt::Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(" × ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cohort::entry::{CohortEntry, ImageEntry};

    fn entry(path: &str, spacing: [f64; 3]) -> CohortEntry {
        let grid = GridEntry {
            shape: vec![4, 5, 6],
            spacing: spacing.to_vec(),
            units: "mm".into(),
            orientation: Some("SPL".into()),
            tilt_degrees: 0.0,
        };
        let image = ImageEntry {
            id: "CT".into(),
            modality: Some("CT".into()),
            digest: None,
            grid: Some(grid),
        };
        CohortEntry {
            path: path.into(),
            is_open: true,
            images: vec![image],
            ..CohortEntry::default()
        }
    }

    #[test]
    fn rounding_makes_no_group() {
        let entries = [
            entry("a", [3.0, 0.8, 0.8]),
            entry("b", [3.0, 0.80005, 0.8]),
            entry("c", [3.0, 0.801, 0.8]),
        ];
        let found = groups(&Members::new(&entries));
        let spacing: Vec<_> =
            found.iter().filter(|group| group.property == Property::Spacing).collect();
        assert_eq!(spacing.len(), 2);
        assert_eq!((spacing[0].value.as_str(), spacing[0].images), ("3 × 0.8 × 0.8 mm", 2));
        assert_eq!(spacing[1].samples, [2]);
    }
}
