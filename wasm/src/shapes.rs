//! Annotations that are drawn over a plane, in the voxel indices of an image.

use medh5::annotations::{Form, Section, Shape, sections};
use medh5::{ReadError, Sample};
use serde::Serialize;

use crate::error::{Thrown, thrown};
use crate::texts::json;

/// The shapes of one annotation on the grid of one image.
pub(crate) struct Shapes {
    pub(crate) key: Option<String>,
    pub(crate) annotation: String,
    pub(crate) image: String,
    pub(crate) list: Vec<Shape>,
}

/// What a list of shapes says of one.
#[derive(Serialize)]
struct Listed<'a> {
    class_id: Option<i64>,
    instance_id: Option<i64>,
    name: Option<&'a str>,
    score: Option<f64>,
    #[serde(flatten)]
    form: &'a Form,
    /// Where to look for it, in continuous voxel indices: the middle of what encloses something, of others the vertex that is
    /// nearest to the middle; `null` for a shape without vertices.
    center: Option<Vec<f64>>,
}

impl Shapes {
    /// Reads them; none for an annotation that is no shape.
    pub(crate) fn read(
        sample: &Sample,
        key: Option<String>,
        annotation: &str,
        image: &str,
    ) -> Result<Self, Thrown> {
        let read = || -> Result<Vec<Shape>, ReadError> {
            let lacks = |what: &str| ReadError::value(format!("there is no {what}"));
            let view = sample.annotation(annotation)?.ok_or_else(|| lacks("such annotation"))?;
            let image = sample.image(image)?.ok_or_else(|| lacks("such image"))?;
            let grid = image.grid()?.ok_or_else(|| lacks("grid of the image"))?.grid()?;
            let named = view.attributes().text("skeleton")?;
            let labels = sample.document()?.and_then(|document| document.label_set);
            let skeleton = named.as_deref().zip(labels.as_ref());
            let skeleton = skeleton.and_then(|(name, labels)| labels.skeleton(name));
            Ok(view.shapes(&grid, skeleton)?.unwrap_or_default())
        };
        let list = read().map_err(|error| thrown(&error))?;
        Ok(Self { key, annotation: annotation.to_owned(), image: image.to_owned(), list })
    }

    /// The list, as JSON.
    pub(crate) fn listed(&self) -> String {
        let listed = self.list.iter().map(|shape| Listed {
            class_id: shape.class_id,
            instance_id: shape.instance_id,
            name: shape.name.as_deref(),
            score: shape.score,
            form: &shape.form,
            center: center(shape),
        });
        json(&listed.collect::<Vec<_>>())
    }

    /// What a plane shows of them, as JSON.
    pub(crate) fn in_plane(&self, axis: usize, at: f64) -> String {
        let found: Vec<Section> = sections(&self.list, axis, at);
        json(&found)
    }
}

fn center(shape: &Shape) -> Option<Vec<f64>> {
    let axes = shape.vertices.first()?.len();
    let along =
        |axis: usize| shape.vertices.iter().filter_map(move |vertex| vertex.get(axis).copied());
    let middle: Vec<f64> = (0..axes)
        .map(|axis| {
            let low = along(axis).fold(f64::INFINITY, f64::min);
            low.midpoint(along(axis).fold(f64::NEG_INFINITY, f64::max))
        })
        .collect();
    if matches!(shape.form, Form::Solid | Form::Polygon { .. }) {
        return Some(middle);
    }
    let distance = |vertex: &[f64]| -> f64 {
        vertex.iter().zip(&middle).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let nearest = shape.vertices.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.cloned()
}
