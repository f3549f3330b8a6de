//! How the columns of an annotation must agree in shape. Spec: MEDH5 1.2 §7, column tables.

use super::Kind;
use Count::{Bytes, Curves, Faces, Keypoints, Rows, Space, Vertices};
use Extent::{Fixed, Of, Offsets};

/// Something that several columns count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Objects, entries.
    Rows,
    /// Spatial axes.
    Space,
    /// Keypoints of an object.
    Keypoints,
    /// Vertices of all curves or meshes.
    Vertices,
    /// Contours, polylines or meshes.
    Curves,
    /// Faces of all meshes.
    Faces,
    /// Bytes of all masks.
    Bytes,
}

/// What the extent of one axis of a column must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// This number.
    Fixed(u64),
    /// As many as are counted.
    Of(Count),
    /// One more: where each of them starts, and where the last one ends.
    Offsets(Count),
}

/// A dataset of an annotation, and the extents it must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name of the dataset.
    pub name: &'static str,
    /// Extent of each axis.
    pub extents: &'static [Extent],
}

const fn column(name: &'static str, extents: &'static [Extent]) -> Column {
    Column { name, extents }
}

const PER_ROW: &[Extent] = &[Of(Rows)];
const PER_CURVE: &[Extent] = &[Of(Curves)];
const CORNERS: &[Extent] = &[Of(Rows), Of(Space), Fixed(2)];

impl Kind {
    #[expect(clippy::too_many_lines, reason = "a table is as long as its table")]
    /// Its columns, in the order in which they are compared: the first that counts something decides how many there are.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Instances => {
                const {
                    &[
                        column("boxes", CORNERS),
                        column("class_ids", PER_ROW),
                        column("instance_ids", PER_ROW),
                        column("scores", PER_ROW),
                        column("mask_offsets", &[Offsets(Rows)]),
                        column("mask_shapes", &[Of(Rows), Of(Space)]),
                        column("mask_data", &[Of(Bytes)]),
                    ]
                }
            }
            Self::Boxes => {
                const {
                    &[
                        column("boxes", CORNERS),
                        column("class_ids", PER_ROW),
                        column("instance_ids", PER_ROW),
                        column("scores", PER_ROW),
                        column("attributes", PER_ROW),
                        column("slice_index", PER_ROW),
                    ]
                }
            }
            Self::Obb => {
                const {
                    &[
                        column("centers", &[Of(Rows), Of(Space)]),
                        column("sizes", &[Of(Rows), Of(Space)]),
                        column("rotations", &[Of(Rows), Of(Space), Of(Space)]),
                        column("class_ids", PER_ROW),
                        column("instance_ids", PER_ROW),
                        column("scores", PER_ROW),
                        column("attributes", PER_ROW),
                    ]
                }
            }
            Self::Keypoints => {
                const {
                    &[
                        column("points", &[Of(Rows), Of(Keypoints), Of(Space)]),
                        column("visibility", &[Of(Rows), Of(Keypoints)]),
                        column("keypoint_class_ids", &[Of(Keypoints)]),
                        column("class_ids", PER_ROW),
                        column("instance_ids", PER_ROW),
                        column("scores", PER_ROW),
                        column("attributes", PER_ROW),
                    ]
                }
            }
            Self::Points => {
                const {
                    &[
                        column("points", &[Of(Rows), Of(Space)]),
                        column("class_ids", PER_ROW),
                        column("instance_ids", PER_ROW),
                        column("names", PER_ROW),
                        column("weights", PER_ROW),
                    ]
                }
            }
            Self::Contours => {
                const {
                    &[
                        column("contour_offsets", &[Offsets(Curves)]),
                        column("vertices", &[Of(Vertices), Of(Space)]),
                        column("contour_class_ids", PER_CURVE),
                        column("contour_plane", &[Of(Curves), Fixed(2)]),
                        column("contour_role", PER_CURVE),
                    ]
                }
            }
            Self::Polylines => {
                const {
                    &[
                        column("polyline_offsets", &[Offsets(Curves)]),
                        column("vertices", &[Of(Vertices), Of(Space)]),
                        column("polyline_class_ids", PER_CURVE),
                        column("polyline_plane", &[Of(Curves), Fixed(2)]),
                        column("instance_ids", PER_CURVE),
                    ]
                }
            }
            Self::Mesh => {
                const {
                    &[
                        column("vertices", &[Of(Vertices), Fixed(3)]),
                        column("faces", &[Of(Faces), Fixed(3)]),
                        column("normals", &[Of(Vertices), Fixed(3)]),
                        column("vertex_class_ids", &[Of(Vertices)]),
                        column("mesh_offsets", &[Offsets(Curves)]),
                        column("mesh_class_ids", PER_CURVE),
                    ]
                }
            }
            Self::Classification => {
                const {
                    &[
                        column("class_ids", PER_ROW),
                        column("values", PER_ROW),
                        column("scope_ids", PER_ROW),
                        column("schemes", PER_ROW),
                        column("scheme_values", PER_ROW),
                    ]
                }
            }
            Self::Labelmap | Self::Layers | Self::Bitmask | Self::Probmap | Self::Mask => &[],
        }
    }
}

/// What is known of each count.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    known: Vec<(Count, u64)>,
}

impl Counts {
    /// Decides `count`, unless it is decided.
    pub fn fix(&mut self, count: Count, value: u64) {
        if self.get(count).is_none() {
            self.known.push((count, value));
        }
    }

    /// How many there are, if decided.
    pub fn get(&self, count: Count) -> Option<u64> {
        self.known.iter().find(|(known, _)| *known == count).map(|(_, value)| *value)
    }

    /// Compares `shape` with the column. A shape that agrees decides what was open; one that does not decides nothing.
    ///
    /// # Errors
    /// The shape that is due, for a message.
    pub fn agree(&mut self, column: &Column, shape: &[u64]) -> Result<(), String> {
        let mut own = self.clone();
        let mut agrees = shape.len() == column.extents.len();
        for (extent, &found) in column.extents.iter().zip(shape) {
            agrees &= match *extent {
                Fixed(due) => found == due,
                Of(count) => own.settle(count, Some(found)),
                Offsets(count) => own.settle(count, found.checked_sub(1)),
            };
        }
        if agrees {
            *self = own;
            return Ok(());
        }
        Err(self.describe(column))
    }

    fn settle(&mut self, count: Count, found: Option<u64>) -> bool {
        let Some(found) = found else { return false };
        self.fix(count, found);
        self.get(count) == Some(found)
    }

    fn describe(&self, column: &Column) -> String {
        let known = |count, more: u64| match self.get(count) {
            Some(value) => value.saturating_add(more).to_string(),
            None => "any".into(),
        };
        let text = |extent: &Extent| match *extent {
            Fixed(due) => due.to_string(),
            Of(count) => known(count, 0),
            Offsets(count) if self.get(count).is_none() => "at least 1".into(),
            Offsets(count) => known(count, 1),
        };
        format!("[{}]", column.extents.iter().map(text).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disagreements(kind: Kind, counts: &mut Counts, shapes: &[(&str, &[u64])]) -> Vec<String> {
        let shape = |name| shapes.iter().find(|(known, _)| *known == name).map(|(_, shape)| *shape);
        let columns = kind.columns().iter();
        columns
            .filter_map(|column| {
                let due = counts.agree(column, shape(column.name)?).err()?;
                Some(format!("{} {due}", column.name))
            })
            .collect()
    }

    #[test]
    fn the_first_that_counts_decides() {
        let shapes: [(&str, &[u64]); 3] =
            [("boxes", &[4, 3, 2]), ("class_ids", &[5]), ("scores", &[4])];
        assert_eq!(disagreements(Kind::Boxes, &mut Counts::default(), &shapes), ["class_ids [4]"]);
    }

    #[test]
    fn one_that_disagrees_decides_nothing() {
        let shapes: [(&str, &[u64]); 2] = [("boxes", &[4, 3]), ("class_ids", &[5])];
        let mut counts = Counts::default();
        assert_eq!(disagreements(Kind::Boxes, &mut counts, &shapes), ["boxes [any, any, 2]"]);
        assert_eq!(counts.get(Rows), Some(5));
    }

    #[test]
    fn offsets_have_one_more() {
        let mut counts = Counts::default();
        let shapes: [(&str, &[u64]); 2] = [("contour_offsets", &[3]), ("contour_class_ids", &[2])];
        assert!(disagreements(Kind::Contours, &mut counts, &shapes).is_empty());
        let empty: [(&str, &[u64]); 1] = [("contour_offsets", &[0])];
        let found = disagreements(Kind::Contours, &mut Counts::default(), &empty);
        assert_eq!(found, ["contour_offsets [at least 1]"]);
    }
}
