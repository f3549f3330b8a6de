//! The kinds of transform and their vocabularies.

/// How a transform states its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransformKind {
    /// The frames differ in name only.
    Identity,
    /// A homogeneous matrix.
    Affine,
    /// A displacement per voxel of a grid.
    Displacement,
    /// A displacement interpolated between the control points of a grid.
    Bspline,
    /// Other transforms, applied in order.
    Composite,
}

impl TransformKind {
    const ALL: [Self; 5] =
        [Self::Identity, Self::Affine, Self::Displacement, Self::Bspline, Self::Composite];

    /// The kind that a file spells `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Affine => "affine",
            Self::Displacement => "displacement",
            Self::Bspline => "bspline",
            Self::Composite => "composite",
        }
    }

    /// How a transform of this kind stores displacements, if it does.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Displacement => {
                Some(Field { dataset: "field", grid_attribute: "field_grid", is_dense: true })
            }
            Self::Bspline => Some(Field {
                dataset: "control_points",
                grid_attribute: "cp_grid",
                is_dense: false,
            }),
            _ => None,
        }
    }
}

/// Where a transform keeps displacements: a dataset of one component per spatial axis, and the grid that places it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name of the dataset.
    pub dataset: &'static str,
    /// Name of the attribute that names the grid.
    pub grid_attribute: &'static str,
    /// Whether there is one displacement per voxel of the grid.
    pub is_dense: bool,
}

/// What displacements are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VectorSpace {
    /// The transform's `units`, along the axes of the world.
    World,
    /// Voxels of the field's grid, along its axes.
    Index,
}

impl VectorSpace {
    /// The space that a file spells `name`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "world" => Some(Self::World),
            "index" => Some(Self::Index),
            _ => None,
        }
    }
}
