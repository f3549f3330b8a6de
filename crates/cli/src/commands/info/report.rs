//! The description as JSON; the text form is made from it, so that both say the same.

use medh5::annotations::AnnotationView;
use medh5::document::Document;
use medh5::geometry::GridView;
use medh5::images::ImageView;
use medh5::transforms::TransformView;
use medh5::{Collection, ReadError, Sample};
use serde_json::{Value, json};

use crate::describe::{storage, type_name};
use crate::document;

/// A sample.
///
/// # Errors
/// When something that is named in the description cannot be read.
pub(super) fn sample(name: &str, sample: &Sample) -> Result<Value, ReadError> {
    let root = sample.attributes();
    let document = document::of(sample)?;
    let index = match sample.root().get("index")? {
        Some(hdf5::Object::Group(index)) => {
            index.links()?.iter().map(|link| link.name().into_owned()).collect()
        }
        _ => Vec::new(),
    };
    let mut report = json!({
        "path": name,
        "version": root.text("medh5_version")?,
        "kind": root.text("medh5_kind")?,
        "profiles": root.strings("medh5_profiles")?.unwrap_or_default(),
        "content_id": root.text("content_id")?,
    });
    about(document.as_ref(), &mut report);
    report["grids"] = each(&sample.grids()?, grid)?;
    report["images"] = each(&sample.images()?, image)?;
    report["annotations"] = each(&sample.annotations()?, annotation)?;
    report["transforms"] = each(&sample.transforms()?, transform)?;
    report["index"] = index.into();
    if let Some(history) = sample.history()? {
        report["clinical"] = json!({
            "events": history.events().count(),
            "documents": history.documents().count(),
            "links": history.links().count(),
        });
    }
    Ok(report)
}

/// A collection.
///
/// # Errors
/// When its members cannot be listed.
pub(super) fn collection(name: &str, collection: &Collection) -> Result<Value, ReadError> {
    Ok(json!({
        "path": name,
        "version": collection.attributes().text("medh5_version")?,
        "kind": "collection",
        "samples": collection.keys()?,
    }))
}

fn each<T>(
    views: &[T],
    describe: impl Fn(&T) -> Result<Value, ReadError>,
) -> Result<Value, ReadError> {
    views.iter().map(describe).collect()
}

fn about(document: Option<&Document>, report: &mut Value) {
    let Some(document) = document else {
        report["document"] = "absent or unusable".into();
        return;
    };
    report["sample_id"] = document.identity.sample_id.clone().into();
    report["subject_id"] = document.identity.subject_id.clone().into();
    let timepoints = document.timepoints.iter().map(|timepoint| {
        json!({
            "id": timepoint.id,
            "index": timepoint.index,
            "label": timepoint.label,
            "days_from_baseline": timepoint.days_from_baseline,
        })
    });
    report["timepoints"] = timepoints.collect();
    report["label_set"] = document.label_set.as_ref().map_or(Value::Null, |labels| {
        let form = match labels.form {
            medh5::labels::Form::Inline => "inline",
            medh5::labels::Form::Ref => "ref",
        };
        json!({ "id": labels.id, "version": labels.version, "classes": labels.classes.len(), "form": form })
    });
    report["agents"] = document.provenance.agents.len().into();
    report["activities"] = document.provenance.activities.len().into();
    report["quality_records"] = document.quality.len().into();
    report["deidentified"] = document.deidentification.is_some().into();
}

fn grid(view: &GridView) -> Result<Value, ReadError> {
    let attributes = view.attributes();
    let direction = attributes.matrix("direction")?.map(|matrix| {
        matrix.values.chunks(matrix.columns.max(1)).map(<[f64]>::to_vec).collect::<Vec<_>>()
    });
    Ok(json!({
        "id": view.name(),
        "shape": view.shape()?,
        "axis_names": attributes.strings("axis_names")?,
        "axis_kinds": view.axis_kinds()?,
        "spacing": attributes.floats("spacing")?,
        "origin": attributes.floats("origin")?,
        "direction": direction,
        "coord_system": attributes.text("coord_system")?,
        "units": attributes.text("units")?,
        "timepoint": view.timepoint()?,
        "frame_uid": view.frame_uid()?,
    }))
}

fn image(view: &ImageView) -> Result<Value, ReadError> {
    let data = view.data()?;
    let shape = data.as_ref().map(|data| data.shape().to_vec());
    let bytes = data.as_ref().map(|data| {
        let elements: u64 =
            data.shape().iter().fold(1, |product, &extent| product.saturating_mul(extent));
        elements.saturating_mul(u64::from(data.datatype().size))
    });
    let (slope, intercept) = view.rescale()?;
    Ok(json!({
        "id": view.name(),
        "grid": view.grid_reference()?,
        "modality": view.modality()?,
        "value_type": view.value_type()?,
        "value_units": view.value_units()?,
        "shape": shape,
        "dtype": data.as_ref().map(|data| type_name(data.datatype())),
        "chunks": data.as_ref().and_then(|data| data.chunk_dims()),
        "storage": data.as_ref().map(storage),
        "levels": if view.is_pyramid() { view.stored_levels()?.len() } else { 1 },
        "rescale": [slope, intercept],
        "nbytes": bytes,
    }))
}

fn annotation(view: &AnnotationView) -> Result<Value, ReadError> {
    let attributes = view.attributes();
    let (classes, annotated) = (view.class_set()?, view.annotated_class_set()?);
    Ok(json!({
        "id": view.name(),
        "kind": view.kind_name()?,
        "task": attributes.text("task")?,
        "grid": view.grid_reference()?,
        "timepoints": attributes.strings("timepoints")?,
        "classes": classes.len(),
        "annotated_classes": annotated.len(),
        "fully_covered": classes.is_subset(&annotated),
        "closure": attributes.text("closure")?,
        "quality": attributes.text("quality")?,
        "prov": attributes.text("prov")?,
    }))
}

fn transform(view: &TransformView) -> Result<Value, ReadError> {
    let attributes = view.attributes();
    Ok(json!({
        "id": view.name(),
        "kind": attributes.text("kind")?,
        "from_frame": attributes.text("from_frame")?,
        "to_frame": attributes.text("to_frame")?,
        "units": view.units()?,
        "inverse_id": attributes.text("inverse_id")?,
        "metrics": attributes.text("metrics")?,
        "prov": attributes.text("prov")?,
    }))
}
