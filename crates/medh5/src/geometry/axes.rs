//! The axes of a grid.

/// What an axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AxisKind {
    /// A direction in space.
    Spatial,
    /// Components of one voxel, such as colours.
    Channel,
    /// Time frames.
    Time,
    /// Anything else.
    Other,
}

impl AxisKind {
    const ALL: [Self; 4] = [Self::Spatial, Self::Channel, Self::Time, Self::Other];

    /// The kind that a file spells `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spatial => "spatial",
            Self::Channel => "channel",
            Self::Time => "time",
            Self::Other => "other",
        }
    }

    /// Parses a whole list; `None` when it holds an unknown kind.
    pub(crate) fn parse_all(names: &[String]) -> Option<Vec<Self>> {
        names.iter().map(|name| Self::parse(name)).collect()
    }

    /// Whether the spatial axes are the last ones, which is what lets one plane of a stack be a plain array.
    pub(crate) fn spatial_are_last(kinds: &[Self]) -> bool {
        kinds.is_sorted_by_key(|&kind| kind == Self::Spatial)
    }

    /// How many of `kinds` are this one.
    pub(crate) fn count_in(self, kinds: &[Self]) -> usize {
        kinds.iter().filter(|&&kind| kind == self).count()
    }
}

/// One axis of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub kind: AxisKind,
    /// Number of voxels along it.
    pub extent: u64,
}

#[cfg(test)]
mod tests {
    use super::AxisKind::{Channel, Spatial, Time};
    use super::*;

    #[test]
    fn spatial_axes_come_last() {
        assert!(AxisKind::spatial_are_last(&[Time, Channel, Spatial, Spatial]));
        assert!(!AxisKind::spatial_are_last(&[Spatial, Spatial, Channel]));
        assert!(AxisKind::spatial_are_last(&[]));
    }

    #[test]
    fn unknown_kinds_spoil_the_list() {
        let names = ["time".to_owned(), "Spatial".to_owned()];
        assert_eq!(AxisKind::parse_all(&names), None);
    }
}
