//! Annotations of places and of wholes: their columns in the types of the format. Spec: MEDH5 1.0 §8 and §9, 1.2 §3.

use hdf5::{NewAttribute, NumberType};

use super::{Header, NewAnnotation, NewArray, WriteError};
use crate::annotations::{Bound, Kind};

/// Columns that shapes of several kinds may have, one value per object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PerObject {
    /// Which physical object it is.
    pub instance_ids: Option<Vec<u64>>,
    /// How sure it is.
    pub scores: Option<Vec<f64>>,
    /// JSON of the writer's own.
    pub attributes: Option<Vec<String>>,
    /// Of flat boxes: the slice it was drawn on.
    pub slice_index: Option<Vec<i32>>,
}

/// Boxes along axes of their own. Spec: MEDH5 1.0 §8.3.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrientedBoxes {
    /// Their centres.
    pub centers: Vec<Vec<f64>>,
    /// Their full edge lengths, along their own axes.
    pub sizes: Vec<Vec<f64>>,
    /// Their axes as the columns of a rotation each, row by row.
    pub rotations: Vec<Vec<f64>>,
}

/// A polygon in a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// Its class.
    pub class_id: u16,
    /// Its corners.
    pub vertices: Vec<Vec<f64>>,
    /// Axis and index of its plane; axis −1 where it lies in none.
    pub plane: [i32; 2],
    /// Whether it is a hole.
    pub is_hole: bool,
}

/// An open curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline {
    /// Its class.
    pub class_id: u16,
    /// Its points.
    pub vertices: Vec<Vec<f64>>,
    /// Axis and index of its plane; axis −1 where it lies in none.
    pub plane: [i32; 2],
}

/// One statement about a scope.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assertion {
    /// The class.
    pub class_id: u16,
    /// 1 for yes, 0 for no, in between for soft labels.
    pub value: f64,
    /// Which unit of the scope.
    pub scope_id: Option<i64>,
    /// The scheme of an ordinal value.
    pub scheme: Option<String>,
    /// The ordinal value.
    pub scheme_value: Option<String>,
}

impl NewAnnotation {
    /// Boxes along the axes, each as low and high bound per axis, at voxel edges.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when columns differ in length.
    pub fn boxes(
        header: Header,
        boxes: &[Vec<Bound>],
        class_ids: &[u16],
        more: &PerObject,
    ) -> Result<Self, WriteError> {
        let axes = header.axes_or(boxes.first().map(Vec::len));
        let values = boxes.iter().flatten().flatten().copied();
        let one = Self::of(Kind::Boxes, header)
            .column("boxes", f32s(&[boxes.len() as u64, axes, 2], values)?)
            .column("class_ids", u16s(class_ids)?);
        Ok(one.per_object(more)?.declare(class_ids.iter().copied()))
    }

    /// Boxes along axes of their own.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn oriented_boxes(
        header: Header,
        boxes: &OrientedBoxes,
        class_ids: &[u16],
        more: &PerObject,
    ) -> Result<Self, WriteError> {
        let OrientedBoxes { centers, sizes, rotations } = boxes;
        let (count, axes) = (centers.len() as u64, header.axes_or(centers.first().map(Vec::len)));
        let one = Self::of(Kind::Obb, header)
            .column("centers", f32s(&[count, axes], flat(centers))?)
            .column("sizes", f32s(&[count, axes], flat(sizes))?)
            .column("rotations", f32s(&[count, axes, axes], flat(rotations))?)
            .column("class_ids", u16s(class_ids)?);
        Ok(one.per_object(more)?.declare(class_ids.iter().copied()))
    }

    /// Keypoints: for each object, one point per slot.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn keypoints(
        header: Header,
        points: &[Vec<Vec<f64>>],
        visibility: Option<&[Vec<u8>]>,
        (slots, class_ids): (&[u16], &[u16]),
        skeleton: Option<&str>,
        more: &PerObject,
    ) -> Result<Self, WriteError> {
        let axes = header.axes_or(points.first().and_then(|object| object.first()).map(Vec::len));
        let dims = [points.len() as u64, slots.len() as u64, axes];
        let mut one = Self::of(Kind::Keypoints, header)
            .column("points", f32s(&dims, points.iter().flatten().flatten().copied())?)
            .column("keypoint_class_ids", u16s(slots)?)
            .column("class_ids", u16s(class_ids)?);
        if let Some(visibility) = visibility {
            let bytes = visibility.iter().flatten().copied().collect();
            one = one.column("visibility", NewArray::numbers(NumberType::U8, &dims[..2], bytes)?);
        }
        if let Some(skeleton) = skeleton {
            one = one.with("skeleton", NewAttribute::text(skeleton));
        }
        Ok(one.per_object(more)?.declare(slots.iter().chain(class_ids).copied()))
    }

    /// A set of points, such as landmarks.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn points(
        header: Header,
        points: &[Vec<f64>],
        class_ids: Option<&[u16]>,
        (names, weights): (Option<&[String]>, Option<&[f64]>),
        correspondence: Option<&str>,
        instance_ids: Option<&[u64]>,
    ) -> Result<Self, WriteError> {
        let (count, axes) = (points.len() as u64, header.axes_or(points.first().map(Vec::len)));
        let mut one =
            Self::of(Kind::Points, header).column("points", f32s(&[count, axes], flat(points))?);
        if let Some(ids) = class_ids {
            one = one.column("class_ids", u16s(ids)?);
        }
        if let Some(names) = names {
            one = one.texts("names", names);
        }
        if let Some(weights) = weights {
            one = one.column("weights", f32s(&[weights.len() as u64], weights.iter().copied())?);
        }
        if let Some(other) = correspondence {
            one = one.with("correspondence", NewAttribute::text(other));
        }
        let more =
            PerObject { instance_ids: instance_ids.map(<[u64]>::to_vec), ..PerObject::default() };
        Ok(one.per_object(&more)?.declare(class_ids.unwrap_or_default().iter().copied()))
    }

    /// Planar polygons.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn contours(header: Header, polygons: &[Polygon]) -> Result<Self, WriteError> {
        let classes: Vec<u16> = polygons.iter().map(|polygon| polygon.class_id).collect();
        let planes: Vec<[i32; 2]> = polygons.iter().map(|polygon| polygon.plane).collect();
        let roles = polygons.iter().map(|polygon| u8::from(polygon.is_hole)).collect();
        let count = polygons.len() as u64;
        let curves: Vec<&[Vec<f64>]> =
            polygons.iter().map(|polygon| polygon.vertices.as_slice()).collect();
        let axes = header.axes_or(axes_of(&curves));
        let one = Self::of(Kind::Contours, header)
            .column("vertices", vertices(axes, &curves)?)
            .column("contour_offsets", offsets(&curves)?)
            .column("contour_class_ids", u16s(&classes)?)
            .column("contour_plane", i32s(&[count, 2], planes.iter().flatten().copied())?)
            .column("contour_role", NewArray::numbers(NumberType::U8, &[count], roles)?);
        Ok(one.declare(classes))
    }

    /// Open curves, such as centrelines. Format 1.2.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn polylines(
        header: Header,
        polylines: &[Polyline],
        instance_ids: Option<&[u64]>,
    ) -> Result<Self, WriteError> {
        let classes: Vec<u16> = polylines.iter().map(|curve| curve.class_id).collect();
        let curves: Vec<&[Vec<f64>]> =
            polylines.iter().map(|curve| curve.vertices.as_slice()).collect();
        let axes = header.axes_or(axes_of(&curves));
        let mut one = Self::of(Kind::Polylines, header)
            .column("vertices", vertices(axes, &curves)?)
            .column("polyline_offsets", offsets(&curves)?)
            .column("polyline_class_ids", u16s(&classes)?);
        if polylines.iter().any(|curve| curve.plane[0] >= 0) {
            let planes = polylines.iter().flat_map(|curve| curve.plane);
            one = one.column("polyline_plane", i32s(&[polylines.len() as u64, 2], planes)?);
        }
        let more =
            PerObject { instance_ids: instance_ids.map(<[u64]>::to_vec), ..PerObject::default() };
        Ok(one.per_object(&more)?.declare(classes))
    }

    /// A surface of triangles, or several: mesh `m` has the faces from `meshes[m].0` up to the next one's.
    ///
    /// # Errors
    /// As [`NewAnnotation::boxes`].
    pub fn mesh(
        header: Header,
        points: &[Vec<f64>],
        faces: &[[i32; 3]],
        normals: Option<&[Vec<f64>]>,
        vertex_class_ids: Option<&[u16]>,
        (mesh_offsets, mesh_class_ids): (Option<&[i64]>, Option<&[u16]>),
    ) -> Result<Self, WriteError> {
        let count = points.len() as u64;
        let mut one = Self::of(Kind::Mesh, header)
            .column("vertices", f32s(&[count, 3], flat(points))?)
            .column("faces", i32s(&[faces.len() as u64, 3], faces.iter().flatten().copied())?);
        if let Some(normals) = normals {
            one = one.column("normals", f32s(&[count, 3], flat(normals))?);
        }
        if let Some(ids) = vertex_class_ids {
            one = one.column("vertex_class_ids", u16s(ids)?);
        }
        if let Some(offsets) = mesh_offsets {
            one = one.column("mesh_offsets", i64s(offsets)?);
        }
        if let Some(ids) = mesh_class_ids {
            one = one.column("mesh_class_ids", u16s(ids)?);
        }
        let classes = vertex_class_ids.into_iter().chain(mesh_class_ids).flatten().copied();
        Ok(one.declare(classes.collect::<Vec<_>>()))
    }

    /// Statements about a scope: `sample`, `timepoint`, `grid`, `roi`, `slice` or `instance`.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when some statements have a scope id or a scheme and others have none.
    pub fn classification(
        header: Header,
        scope: &str,
        multilabel: bool,
        assertions: &[Assertion],
    ) -> Result<Self, WriteError> {
        let classes: Vec<u16> = assertions.iter().map(|one| one.class_id).collect();
        let count = [assertions.len() as u64];
        let mut one = Self::of(Kind::Classification, header)
            .with("scope", NewAttribute::text(scope))
            .with("multilabel", NewAttribute::boolean(multilabel))
            .column("class_ids", u16s(&classes)?)
            .column("values", f32s(&count, assertions.iter().map(|one| one.value))?);
        if let Some(ids) = all_or_none(assertions, |one| one.scope_id)? {
            one = one.column("scope_ids", i64s(&ids)?);
        }
        if let Some(schemes) = all_or_none(assertions, |one| one.scheme.clone())? {
            one = one.texts("schemes", &schemes);
        }
        if let Some(values) = all_or_none(assertions, |one| one.scheme_value.clone())? {
            one = one.texts("scheme_values", &values);
        }
        Ok(one.declare(classes))
    }

    fn per_object(mut self, more: &PerObject) -> Result<Self, WriteError> {
        if let Some(ids) = &more.instance_ids {
            self = self.column("instance_ids", instance_ids(ids)?);
        }
        if let Some(scores) = &more.scores {
            self = self.column("scores", f32s(&[scores.len() as u64], scores.iter().copied())?);
        }
        if let Some(attributes) = &more.attributes {
            self = self.texts("attributes", attributes);
        }
        if let Some(slices) = &more.slice_index {
            self =
                self.column("slice_index", i32s(&[slices.len() as u64], slices.iter().copied())?);
        }
        Ok(self)
    }
}

/// The values of a column that every row has, or none.
fn all_or_none<T>(
    rows: &[Assertion],
    value: impl Fn(&Assertion) -> Option<T>,
) -> Result<Option<Vec<T>>, WriteError> {
    let values: Vec<T> = rows.iter().filter_map(value).collect();
    match values.len() {
        0 => Ok(None),
        all if all == rows.len() => Ok(Some(values)),
        _ => Err(WriteError::refused("some statements have a scope id or scheme, others none")),
    }
}

impl Header {
    /// How many axes coordinates have, given how many the first ones have.
    fn axes_or(&self, found: Option<usize>) -> u64 {
        found.or(self.axes).unwrap_or(3) as u64
    }
}

fn axes_of(curves: &[&[Vec<f64>]]) -> Option<usize> {
    curves.iter().find_map(|curve| curve.first()).map(Vec::len)
}

fn flat(rows: &[Vec<f64>]) -> impl Iterator<Item = f64> {
    rows.iter().flatten().copied()
}

fn vertices(axes: u64, curves: &[&[Vec<f64>]]) -> Result<NewArray, WriteError> {
    let count: usize = curves.iter().map(|curve| curve.len()).sum();
    f32s(&[count as u64, axes], curves.iter().flat_map(|curve| flat(curve)))
}

fn offsets(curves: &[&[Vec<f64>]]) -> Result<NewArray, WriteError> {
    let mut at = 0;
    let ends = curves.iter().map(|curve| {
        at += i64::try_from(curve.len()).unwrap_or(i64::MAX);
        at
    });
    let all: Vec<i64> = std::iter::once(0).chain(ends).collect();
    i64s(&all)
}

pub(super) fn f32s(
    dims: &[u64],
    values: impl Iterator<Item = f64>,
) -> Result<NewArray, WriteError> {
    #[expect(clippy::cast_possible_truncation, reason = "the format stores single precision")]
    let bytes = values.flat_map(|value| (value as f32).to_le_bytes()).collect();
    NewArray::numbers(NumberType::F32, dims, bytes)
}

pub(super) fn u16s(values: &[u16]) -> Result<NewArray, WriteError> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    NewArray::numbers(NumberType::U16, &[values.len() as u64], bytes)
}

pub(super) fn i32s(
    dims: &[u64],
    values: impl Iterator<Item = i32>,
) -> Result<NewArray, WriteError> {
    let bytes = values.flat_map(i32::to_le_bytes).collect();
    NewArray::numbers(NumberType::I32, dims, bytes)
}

fn i64s(values: &[i64]) -> Result<NewArray, WriteError> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    NewArray::numbers(NumberType::I64, &[values.len() as u64], bytes)
}

/// In 32 bits where all fit.
pub(super) fn instance_ids(ids: &[u64]) -> Result<NewArray, WriteError> {
    let dims = [ids.len() as u64];
    let narrow: Option<Vec<u32>> = ids.iter().map(|id| u32::try_from(*id).ok()).collect();
    if let Some(narrow) = narrow {
        let bytes = narrow.iter().flat_map(|id| id.to_le_bytes()).collect();
        return NewArray::numbers(NumberType::U32, &dims, bytes);
    }
    let bytes = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    NewArray::numbers(NumberType::U64, &dims, bytes)
}
