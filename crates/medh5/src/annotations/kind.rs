//! The kinds of annotation, and what each holds. Spec: MEDH5 1.2 §7.

/// How an annotation is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the format")]
pub enum Kind {
    Labelmap,
    Layers,
    Bitmask,
    Instances,
    Probmap,
    Mask,
    Boxes,
    Obb,
    Keypoints,
    Points,
    Contours,
    Mesh,
    Polylines,
    Classification,
}

/// What an annotation's kind says about it as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Of voxels; needs a grid.
    Voxel,
    /// Of shapes in index or world space.
    Geometric,
    /// Of a whole scope.
    Classification,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
        Self::Labelmap,
        Self::Layers,
        Self::Bitmask,
        Self::Instances,
        Self::Probmap,
        Self::Mask,
        Self::Boxes,
        Self::Obb,
        Self::Keypoints,
        Self::Points,
        Self::Contours,
        Self::Mesh,
        Self::Polylines,
        Self::Classification,
    ];

    /// The kind that a file spells `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Labelmap => "labelmap",
            Self::Layers => "layers",
            Self::Bitmask => "bitmask",
            Self::Instances => "instances",
            Self::Probmap => "probmap",
            Self::Mask => "mask",
            Self::Boxes => "boxes",
            Self::Obb => "obb",
            Self::Keypoints => "keypoints",
            Self::Points => "points",
            Self::Contours => "contours",
            Self::Mesh => "mesh",
            Self::Polylines => "polylines",
            Self::Classification => "classification",
        }
    }

    /// The minor version of format 1 that introduced it.
    pub fn since_minor(self) -> u32 {
        if self == Self::Polylines { 2 } else { 0 }
    }

    /// What it says about the annotation as a whole.
    pub fn family(self) -> Family {
        match self {
            Self::Labelmap
            | Self::Layers
            | Self::Bitmask
            | Self::Instances
            | Self::Probmap
            | Self::Mask => Family::Voxel,
            Self::Classification => Family::Classification,
            _ => Family::Geometric,
        }
    }

    /// Whether `data` stacks several volumes along a first axis of its own.
    pub fn is_stacked(self) -> bool {
        matches!(self, Self::Layers | Self::Bitmask | Self::Probmap)
    }

    /// The datasets that it cannot lack.
    pub fn required_datasets(self) -> &'static [&'static str] {
        match self {
            Self::Labelmap | Self::Probmap | Self::Mask => &["data"],
            Self::Layers => &["data", "layer_class_ids"],
            Self::Bitmask => &["data", "bit_class_ids"],
            Self::Instances => &["boxes", "class_ids", "instance_ids"],
            Self::Boxes => &["boxes", "class_ids"],
            Self::Obb => &["centers", "sizes", "rotations", "class_ids"],
            Self::Keypoints => &["points", "keypoint_class_ids", "class_ids"],
            Self::Points => &["points"],
            Self::Contours => &["vertices", "contour_offsets", "contour_class_ids"],
            Self::Mesh => &["vertices", "faces"],
            Self::Polylines => &["vertices", "polyline_offsets", "polyline_class_ids"],
            Self::Classification => &["class_ids", "values"],
        }
    }

    /// The datasets whose values are classes that the annotation must declare.
    pub fn class_columns(self) -> &'static [&'static str] {
        match self {
            Self::Instances | Self::Boxes | Self::Obb | Self::Points | Self::Classification => {
                &["class_ids"]
            }
            Self::Keypoints => &["class_ids", "keypoint_class_ids"],
            Self::Contours => &["contour_class_ids"],
            Self::Polylines => &["polyline_class_ids"],
            Self::Mesh => &["vertex_class_ids", "mesh_class_ids"],
            Self::Layers => &["layer_class_ids"],
            Self::Bitmask => &["bit_class_ids"],
            Self::Labelmap | Self::Probmap | Self::Mask => &[],
        }
    }

    /// The types that its datasets may have, by `NumPy`'s names; datasets that are not listed are free.
    pub fn dtypes(self) -> &'static [(&'static str, &'static [&'static str])] {
        const LABELS: &[&str] = &["uint8", "uint16"];
        const REAL: &[&str] = &["float32", "float64"];
        const CLASS: &[&str] = &["uint16"];
        match self {
            Self::Labelmap | Self::Layers => &[("data", LABELS)],
            Self::Bitmask => &[("data", &["uint64"])],
            Self::Probmap => &[("data", &["float16", "float32"])],
            Self::Mask => &[("data", &["bool", "uint8"])],
            Self::Boxes => &[("boxes", REAL), ("class_ids", CLASS)],
            Self::Obb => &[("centers", REAL), ("sizes", REAL), ("rotations", REAL)],
            Self::Keypoints => &[("points", REAL), ("visibility", &["uint8"])],
            Self::Points => &[("points", REAL)],
            Self::Contours => &[("vertices", REAL), ("contour_offsets", &["int64"])],
            Self::Polylines => &[
                ("vertices", REAL),
                ("polyline_offsets", &["int64"]),
                ("polyline_class_ids", CLASS),
                ("polyline_plane", &["int32"]),
            ],
            Self::Mesh => &[("vertices", REAL), ("faces", &["int32", "int64"])],
            Self::Classification => &[("class_ids", CLASS), ("values", REAL)],
            Self::Instances => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        assert!(Kind::ALL.iter().all(|kind| Kind::parse(kind.name()) == Some(*kind)));
        assert_eq!(Kind::parse("rle"), None);
    }

    #[test]
    fn voxel_kinds_have_data_except_instances() {
        let voxel = Kind::ALL.into_iter().filter(|kind| kind.family() == Family::Voxel);
        for kind in voxel {
            assert_eq!(kind.required_datasets().contains(&"data"), kind != Kind::Instances);
        }
    }
}
