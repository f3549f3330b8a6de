//! Annotations that are shapes, in the voxel indices of one grid, whatever space they are stored in. Spec: MEDH5 1.0 §8.

use hdf5::Elements;
use serde::Serialize;

use super::{AnnotationView, Kind, boxes_of};
use crate::ReadError;
use crate::geometry::{Affine, Grid};
use crate::labels::Skeleton;

/// One shape. Vertices are continuous voxel indices along the spatial axes of a grid, slowest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shape {
    /// Its class, if it has one.
    pub class_id: Option<i64>,
    /// Identifier of the object that it shows.
    pub instance_id: Option<i64>,
    /// Its name.
    pub name: Option<String>,
    /// How sure its author was.
    pub score: Option<f64>,
    /// How the vertices belong together.
    pub form: Form,
    /// The vertices.
    pub vertices: Vec<Vec<f64>>,
}

/// How the vertices of a shape belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Form {
    /// Corners of a box, oriented or not: bit `k` of a corner's place says at which end of axis `k` it is.
    Solid,
    /// Separate points, some of them joined; points that are hidden are listed by their place.
    Points {
        /// Pairs of places.
        edges: Vec<(usize, usize)>,
        /// Places of points that are there but cannot be seen.
        hidden: Vec<usize>,
    },
    /// A closed curve around something, or around a hole in it.
    Polygon {
        /// Whether it is a hole.
        is_hole: bool,
    },
    /// An open curve.
    Polyline,
}

/// Spatial axes of a grid on which shapes are drawn: a box has two corners for each, one axis more doubles them.
const MOST_AXES: usize = 4;

impl AnnotationView {
    /// The shapes of this annotation on `grid`; `None` when its kind is not of shapes that can be drawn. Instances give their
    /// boxes. Points that are absent, and vertices that are not finite, are left out.
    ///
    /// # Errors
    /// [`ReadError::Value`] when nothing says where the annotation is on this grid, [`ReadError::File`] when a column cannot
    /// be read.
    pub fn shapes(
        &self,
        grid: &Grid,
        skeleton: Option<&Skeleton>,
    ) -> Result<Option<Vec<Shape>>, ReadError> {
        let Some(kind) = self.kind()? else { return Ok(None) };
        let Some(column) = coordinates(kind) else { return Ok(None) };
        let rank = grid.spacing.len();
        if rank == 0 || rank > MOST_AXES {
            return Err(ReadError::value(format!(
                "{}: a grid of {rank} spatial axes",
                self.path()
            )));
        }
        self.require_rank(column, rank)?;
        let mut shapes = match kind {
            Kind::Boxes | Kind::Instances => self.boxes()?,
            Kind::Obb => self.oriented_boxes(rank)?,
            Kind::Points => self.points_of(rank)?,
            Kind::Keypoints => self.keypoints(rank, skeleton)?,
            Kind::Contours => self.curves(rank, "contour_offsets", "contour_class_ids")?,
            Kind::Polylines => self.curves(rank, "polyline_offsets", "polyline_class_ids")?,
            _ => return Ok(None),
        };
        let place = Placement::of(self, kind, grid)?;
        for shape in &mut shapes {
            place.on_grid(shape);
        }
        shapes.retain(|shape| shape.vertices.iter().flatten().all(|place| place.is_finite()));
        Ok(Some(shapes))
    }

    /// Coordinates in this column have as many axes as the grid.
    fn require_rank(&self, column: &str, rank: usize) -> Result<(), ReadError> {
        let dataset = self.dataset(column)?.ok_or_else(|| self.lacks(column))?;
        let axis = dataset.shape().len().checked_sub(if column == "boxes" { 2 } else { 1 });
        let found = axis.and_then(|axis| dataset.shape().get(axis)).copied();
        if found == Some(rank as u64) {
            return Ok(());
        }
        let shape = dataset.shape();
        let message = format!(
            "{}/{column} has the shape {shape:?}, the grid {rank} spatial axes",
            self.path()
        );
        Err(ReadError::value(message))
    }

    fn boxes(&self) -> Result<Vec<Shape>, ReadError> {
        let boxes = boxes_of(self)?.ok_or_else(|| self.lacks("boxes"))?;
        let corners = |bounds: Vec<[f64; 2]>| {
            let corner = |place: usize| -> Vec<f64> {
                let end = |(axis, [low, high]): (usize, &[f64; 2])| {
                    if place >> axis & 1 == 1 { *high } else { *low }
                };
                bounds.iter().enumerate().map(end).collect()
            };
            (0..1_usize << bounds.len()).map(corner).collect()
        };
        self.rows(boxes.into_iter().map(|bounds| (Form::Solid, corners(bounds))))
    }

    fn oriented_boxes(&self, axes: usize) -> Result<Vec<Shape>, ReadError> {
        let centers = self.floats("centers")?.ok_or_else(|| self.lacks("centers"))?;
        let sizes = self.floats("sizes")?.ok_or_else(|| self.lacks("sizes"))?;
        let rotations = self.floats("rotations")?.ok_or_else(|| self.lacks("rotations"))?;
        let boxes = centers
            .chunks_exact(axes)
            .zip(sizes.chunks_exact(axes))
            .zip(rotations.chunks_exact(axes * axes));
        self.rows(boxes.map(|((center, size), rotation)| {
            let corner = |place: usize| -> Vec<f64> {
                let half = |axis: usize| {
                    let end = if place >> axis & 1 == 1 { 0.5 } else { -0.5 };
                    size.get(axis).map_or(0.0, |size| size * end)
                };
                // Columns of the rotation are the axes of the box.
                let along = |row: &[f64]| -> f64 {
                    row.iter().enumerate().map(|(axis, part)| part * half(axis)).sum()
                };
                let offsets = rotation.chunks_exact(axes).map(along);
                center.iter().zip(offsets).map(|(center, offset)| center + offset).collect()
            };
            (Form::Solid, (0..1_usize << axes).map(corner).collect())
        }))
    }

    fn points_of(&self, axes: usize) -> Result<Vec<Shape>, ReadError> {
        let points = self.floats("points")?.ok_or_else(|| self.lacks("points"))?;
        let points = points.chunks_exact(axes);
        let form = || Form::Points { edges: Vec::new(), hidden: Vec::new() };
        self.rows(points.map(|point| (form(), vec![point.to_vec()])))
    }

    fn keypoints(&self, axes: usize, skeleton: Option<&Skeleton>) -> Result<Vec<Shape>, ReadError> {
        let points = self.floats("points")?.ok_or_else(|| self.lacks("points"))?;
        let classes = self.integers("keypoint_class_ids")?.unwrap_or_default();
        let slots = classes.len().max(1);
        let visibility = self.integers("visibility")?;
        let visible = |object: usize, slot: usize| {
            let seen = visibility.as_ref()?.get(object * slots + slot)?;
            Some(*seen)
        };
        let objects = points.chunks_exact(axes * slots).enumerate();
        self.rows(objects.map(|(object, points)| {
            let (mut vertices, mut hidden, mut kept) = (Vec::new(), Vec::new(), Vec::new());
            for (slot, point) in points.chunks_exact(axes).enumerate() {
                // 0: not labelled; 1: there, but hidden.
                match visible(object, slot) {
                    Some(0) => continue,
                    Some(1) => hidden.push(vertices.len()),
                    _ => {}
                }
                kept.push(classes.get(slot).copied());
                vertices.push(point.to_vec());
            }
            let place = |class: i64| kept.iter().position(|own| *own == Some(class));
            let pairs = skeleton.map(|skeleton| skeleton.edges.as_slice()).unwrap_or_default();
            let edges =
                pairs.iter().filter_map(|(from, to)| place(*from).zip(place(*to))).collect();
            (Form::Points { edges, hidden }, vertices)
        }))
    }

    fn curves(&self, axes: usize, offsets: &str, classes: &str) -> Result<Vec<Shape>, ReadError> {
        let starts = self.integers(offsets)?.ok_or_else(|| self.lacks(offsets))?;
        let vertices = self.floats("vertices")?.ok_or_else(|| self.lacks("vertices"))?;
        let rows: Vec<&[f64]> = vertices.chunks_exact(axes).collect();
        let roles = self.integers("contour_role")?;
        let is_closed = offsets == "contour_offsets";
        let curve = |(index, pair): (usize, (&i64, &i64))| {
            let range = usize::try_from(*pair.0).ok()?..usize::try_from(*pair.1).ok()?;
            let vertices = rows.get(range)?.iter().map(|row| row.to_vec()).collect();
            let role = roles.as_ref().and_then(|roles| roles.get(index));
            let form = if is_closed {
                Form::Polygon { is_hole: role == Some(&1) }
            } else {
                Form::Polyline
            };
            Some((form, vertices))
        };
        let pairs = starts.iter().zip(starts.iter().skip(1)).enumerate();
        let curves: Vec<_> = pairs.filter_map(curve).collect();
        let mut shapes = self.rows(curves.into_iter())?;
        if let Some(classes) = self.integers(classes)? {
            for (shape, class) in shapes.iter_mut().zip(classes) {
                shape.class_id = Some(class);
            }
        }
        Ok(shapes)
    }

    /// Adds what the columns for rows say.
    fn rows(
        &self,
        shapes: impl Iterator<Item = (Form, Vec<Vec<f64>>)>,
    ) -> Result<Vec<Shape>, ReadError> {
        let classes = self.integers("class_ids")?.unwrap_or_default();
        let instances = self.integers("instance_ids")?.unwrap_or_default();
        let scores = self.floats("scores")?.unwrap_or_default();
        let names = self.texts("names")?;
        Ok(shapes
            .enumerate()
            .map(|(row, (form, vertices))| Shape {
                class_id: classes.get(row).copied(),
                instance_id: instances.get(row).copied(),
                name: names.get(row).cloned().filter(|name| !name.is_empty()),
                score: scores.get(row).copied().filter(|score| score.is_finite()),
                form,
                vertices,
            })
            .collect())
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let texts = match self.column(name)?.map(|column| column.elements) {
            Some(Elements::Strings(texts)) => texts,
            _ => Vec::new(),
        };
        Ok(texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect())
    }
}

/// The column that holds the coordinates of shapes of this kind.
fn coordinates(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Boxes | Kind::Instances => Some("boxes"),
        Kind::Obb => Some("centers"),
        Kind::Points | Kind::Keypoints => Some("points"),
        Kind::Contours | Kind::Polylines => Some("vertices"),
        _ => None,
    }
}

/// From the coordinates of an annotation to the indices of a grid.
enum Placement<'a> {
    Same,
    /// Through the world, from the indices of another grid if there is one.
    World {
        from: Option<Affine>,
        to: &'a Grid,
    },
}

impl<'a> Placement<'a> {
    fn of(view: &AnnotationView, kind: Kind, grid: &'a Grid) -> Result<Self, ReadError> {
        let space = view.attributes().text("space")?;
        let no_way = |why: String| ReadError::value(format!("{}: {why}", view.path()));
        if space.as_deref() == Some("world") {
            let frame = view.attributes().text("frame_uid")?;
            return match &grid.frame_uid {
                Some(own) if Some(own) == frame.as_ref() => {
                    Ok(Self::World { from: None, to: grid })
                }
                _ => Err(no_way(
                    "it is in another frame than the image, and nothing relates them".into(),
                )),
            };
        }
        if kind != Kind::Instances && space.as_deref() != Some("index") {
            return Err(no_way("its space is neither index nor world".into()));
        }
        let own = view.grid()?.ok_or_else(|| no_way("its grid is not there".into()))?.grid()?;
        if own == *grid {
            return Ok(Self::Same);
        }
        match (&own.frame_uid, &grid.frame_uid) {
            (Some(a), Some(b)) if a == b => {
                Ok(Self::World { from: Some(own.world_from_index()), to: grid })
            }
            _ => Err(no_way(
                "its grid is in another frame than the image, and nothing relates them".into(),
            )),
        }
    }

    fn on_grid(&self, shape: &mut Shape) {
        if let Self::World { from, to } = self {
            for vertex in &mut shape.vertices {
                let world = from.as_ref().map(|from| from.apply(vertex));
                *vertex = to.index_from_world(world.as_ref().unwrap_or(vertex));
            }
        }
    }
}
