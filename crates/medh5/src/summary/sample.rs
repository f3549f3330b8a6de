//! What a sample is about: who, when, which images and annotations, on which grids.

use serde::Serialize;

use super::{storage_text, type_text};
use crate::annotations::AnnotationView;
use crate::document::{Document, Timepoint};
use crate::geometry::GridView;
use crate::images::ImageView;
use crate::labels::{Form, LabelSet};
use crate::transforms::TransformView;
use crate::{Collection, ReadError, Sample};

/// A sample, interpreted.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after what the format calls them")]
pub struct SampleSummary {
    pub version: Option<String>,
    pub kind: Option<String>,
    pub profiles: Vec<String>,
    pub content_id: Option<String>,
    /// Whether `/meta` could be used; the fields from the document are empty otherwise.
    pub document_usable: bool,
    pub sample_id: Option<String>,
    pub subject_id: Option<String>,
    pub timepoints: Vec<TimepointSummary>,
    pub label_set: Option<LabelSetSummary>,
    pub agents: usize,
    pub activities: usize,
    pub quality_records: usize,
    pub deidentified: bool,
    pub grids: Vec<GridSummary>,
    pub images: Vec<ImageSummary>,
    pub annotations: Vec<AnnotationSummary>,
    pub transforms: Vec<TransformSummary>,
    /// Annotations that the sampling index has an entry for.
    pub index: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clinical: Option<ClinicalSummary>,
}

/// A collection, without a look into its samples.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after what the format calls them")]
pub struct CollectionSummary {
    pub version: Option<String>,
    pub kind: &'static str,
    /// Keys of the samples, sorted by their bytes.
    pub samples: Vec<String>,
}

/// One visit.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after what the format calls them")]
pub struct TimepointSummary {
    pub id: String,
    pub index: i64,
    pub label: Option<String>,
    pub date: Option<String>,
    pub days_from_baseline: Option<f64>,
}

/// The vocabulary, without its classes.
#[derive(Debug, Clone, Serialize)]
pub struct LabelSetSummary {
    /// Identifier.
    pub id: String,
    /// Version.
    pub version: String,
    /// Number of classes.
    pub classes: usize,
    /// `inline` or `ref`.
    pub form: &'static str,
}

/// A grid. Lists over spatial axes are slowest first, lengths in `units`.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after the attributes of the format")]
pub struct GridSummary {
    pub id: String,
    pub shape: Option<Vec<i64>>,
    pub axis_names: Option<Vec<String>>,
    pub axis_kinds: Vec<String>,
    pub spacing: Option<Vec<f64>>,
    pub origin: Option<Vec<f64>>,
    /// Rows over world axes, columns over spatial axes.
    pub direction: Option<Vec<Vec<f64>>>,
    pub coord_system: Option<String>,
    pub units: Option<String>,
    pub timepoint: Option<String>,
    pub frame_uid: Option<String>,
}

/// An image.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after the attributes of the format")]
pub struct ImageSummary {
    pub id: String,
    pub grid: Option<String>,
    pub modality: Option<String>,
    pub value_type: Option<String>,
    pub value_units: Option<String>,
    /// Extent of level 0 in elements.
    pub shape: Option<Vec<u64>>,
    pub dtype: Option<String>,
    pub chunks: Option<Vec<u64>>,
    /// In words.
    pub storage: Option<String>,
    /// Levels of the pyramid; 1 without one.
    pub levels: usize,
    /// Extents of each level in elements, the finest first; empty without a pyramid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub level_shapes: Vec<Vec<u64>>,
    /// The mask of voxels that were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_mask: Option<String>,
    /// Slope and intercept.
    pub rescale: (f64, f64),
    /// Centre and width in rescaled values.
    pub window: Option<(f64, f64)>,
    pub channel_names: Option<Vec<String>>,
    /// Decoded bytes of level 0.
    pub nbytes: Option<u64>,
}

/// An annotation.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after the attributes of the format")]
pub struct AnnotationSummary {
    pub id: String,
    pub kind: Option<String>,
    pub task: Option<String>,
    pub grid: Option<String>,
    pub timepoints: Option<Vec<String>>,
    /// Number of classes declared.
    pub classes: usize,
    /// Number of classes that were examined.
    pub annotated_classes: usize,
    /// Whether every declared class was examined.
    pub fully_covered: bool,
    /// The mask of voxels about which it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_mask: Option<String>,
    pub closure: Option<String>,
    pub quality: Option<String>,
    pub prov: Option<String>,
}

/// A transform.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after the attributes of the format")]
pub struct TransformSummary {
    pub id: String,
    pub kind: Option<String>,
    pub from_frame: Option<String>,
    pub to_frame: Option<String>,
    pub units: Option<String>,
    pub inverse_id: Option<String>,
    pub metrics: Option<String>,
    pub prov: Option<String>,
}

/// Rows of the clinical tables.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are named after the tables of the format")]
pub struct ClinicalSummary {
    pub events: usize,
    pub documents: usize,
    pub links: usize,
}

impl SampleSummary {
    /// Summarises `sample`.
    ///
    /// # Errors
    /// [`ReadError::File`] when something that is named here cannot be read.
    pub fn of(sample: &Sample) -> Result<Self, ReadError> {
        let root = sample.attributes();
        let document = sample.document()?;
        let about = document.as_ref();
        let clinical = sample.history()?.map(|history| ClinicalSummary {
            events: history.events().count(),
            documents: history.documents().count(),
            links: history.links().count(),
        });
        Ok(Self {
            version: root.text("medh5_version")?,
            kind: root.text("medh5_kind")?,
            profiles: root.strings("medh5_profiles")?.unwrap_or_default(),
            content_id: root.text("content_id")?,
            document_usable: about.is_some(),
            sample_id: about.map(|document| document.identity.sample_id.clone()),
            subject_id: about.map(|document| document.identity.subject_id.clone()),
            timepoints: about.map(timepoints).unwrap_or_default(),
            label_set: about.and_then(|document| document.label_set.as_ref()).map(Into::into),
            agents: about.map_or(0, |document| document.provenance.agents.len()),
            activities: about.map_or(0, |document| document.provenance.activities.len()),
            quality_records: about.map_or(0, |document| document.quality.len()),
            deidentified: about.is_some_and(|document| document.deidentification.is_some()),
            grids: each(&sample.grids()?, GridSummary::of)?,
            images: each(&sample.images()?, ImageSummary::of)?,
            annotations: each(&sample.annotations()?, AnnotationSummary::of)?,
            transforms: each(&sample.transforms()?, TransformSummary::of)?,
            index: sample.indexed_annotations()?,
            clinical,
        })
    }
}

impl CollectionSummary {
    /// Summarises `collection`.
    ///
    /// # Errors
    /// [`ReadError::File`] when its members cannot be listed.
    pub fn of(collection: &Collection) -> Result<Self, ReadError> {
        Ok(Self {
            version: collection.attributes().text("medh5_version")?,
            kind: "collection",
            samples: collection.keys()?,
        })
    }
}

impl From<&LabelSet> for LabelSetSummary {
    fn from(labels: &LabelSet) -> Self {
        let form = match labels.form {
            Form::Inline => "inline",
            Form::Ref => "ref",
        };
        Self {
            id: labels.id.clone(),
            version: labels.version.clone(),
            classes: labels.classes.len(),
            form,
        }
    }
}

impl GridSummary {
    fn of(view: &GridView) -> Result<Self, ReadError> {
        let attributes = view.attributes();
        let direction = attributes.matrix("direction")?.map(|matrix| {
            matrix.values.chunks(matrix.columns.max(1)).map(<[f64]>::to_vec).collect()
        });
        Ok(Self {
            id: view.name().to_owned(),
            shape: view.shape()?,
            axis_names: attributes.strings("axis_names")?,
            axis_kinds: view.axis_kinds()?,
            spacing: attributes.floats("spacing")?,
            origin: attributes.floats("origin")?,
            direction,
            coord_system: attributes.text("coord_system")?,
            units: attributes.text("units")?,
            timepoint: view.timepoint()?,
            frame_uid: view.frame_uid()?,
        })
    }
}

impl ImageSummary {
    fn of(view: &ImageView) -> Result<Self, ReadError> {
        let data = view.data()?;
        let data = data.as_ref();
        let bytes_of = |shape: &[u64], element: u32| {
            shape.iter().fold(u64::from(element), |bytes, extent| bytes.saturating_mul(*extent))
        };
        Ok(Self {
            id: view.name().to_owned(),
            grid: view.grid_reference()?,
            modality: view.modality()?,
            value_type: view.value_type()?,
            value_units: view.value_units()?,
            shape: data.map(|data| data.shape().to_vec()),
            dtype: data.map(|data| type_text(data.datatype())),
            chunks: data.and_then(|data| data.chunk_dims()).map(<[u64]>::to_vec),
            storage: data.map(storage_text),
            levels: if view.is_pyramid() { view.stored_levels()?.len() } else { 1 },
            level_shapes: level_shapes(view)?,
            valid_mask: view.attributes().text("valid_mask")?,
            rescale: view.rescale()?,
            window: view.display_window()?,
            channel_names: view.channel_names()?,
            nbytes: data.map(|data| bytes_of(data.shape(), data.datatype().size)),
        })
    }
}

impl AnnotationSummary {
    fn of(view: &AnnotationView) -> Result<Self, ReadError> {
        let attributes = view.attributes();
        let (classes, annotated) = (view.class_set()?, view.annotated_class_set()?);
        Ok(Self {
            id: view.name().to_owned(),
            kind: view.kind_name()?,
            task: attributes.text("task")?,
            grid: view.grid_reference()?,
            timepoints: attributes.strings("timepoints")?,
            classes: classes.len(),
            annotated_classes: annotated.len(),
            fully_covered: classes.is_subset(&annotated),
            ignore_mask: view.ignore_mask()?,
            closure: attributes.text("closure")?,
            quality: attributes.text("quality")?,
            prov: attributes.text("prov")?,
        })
    }
}

impl TransformSummary {
    fn of(view: &TransformView) -> Result<Self, ReadError> {
        let attributes = view.attributes();
        Ok(Self {
            id: view.name().to_owned(),
            kind: attributes.text("kind")?,
            from_frame: attributes.text("from_frame")?,
            to_frame: attributes.text("to_frame")?,
            units: view.units()?,
            inverse_id: attributes.text("inverse_id")?,
            metrics: attributes.text("metrics")?,
            prov: attributes.text("prov")?,
        })
    }
}

/// Extents of the levels that are numbered without a gap; none of an image that is no pyramid.
fn level_shapes(view: &ImageView) -> Result<Vec<Vec<u64>>, ReadError> {
    let mut shapes = Vec::new();
    while view.is_pyramid()
        && let Some(level) = view.level(shapes.len())?
    {
        shapes.push(level.shape().to_vec());
    }
    Ok(shapes)
}

fn timepoints(document: &Document) -> Vec<TimepointSummary> {
    let summary = |timepoint: &Timepoint| TimepointSummary {
        id: timepoint.id.clone(),
        index: timepoint.index,
        label: timepoint.label.clone(),
        date: timepoint.date.clone(),
        days_from_baseline: timepoint.days_from_baseline,
    };
    document.timepoints.iter().map(summary).collect()
}

fn each<V, T>(
    views: &[V],
    summarise: impl Fn(&V) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    views.iter().map(summarise).collect()
}
