//! `content_id`: one digest over a sample's stored digests, its document and the attributes that give both their meaning.
//! Spec: MEDH5 1.0 §13.2.

use hdf5::{Dataspace, Elements};

use super::canonical_json::{canonical_attribute, canonical_object};
use super::lines::{DigestLine, DigestLines};
use super::{Algorithm, Digest};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::sample::{Chapter, Sample};

/// Attributes of the sample's root that `content_id` covers.
const ROOT: &[&str] = &["medh5_version", "medh5_kind", "medh5_profiles"];

/// Attributes that `content_id` covers, on every member of a chapter alike. Nothing else is ever covered.
fn covered_attributes(chapter: Chapter) -> &'static [&'static str] {
    match chapter {
        Chapter::Grids => &[
            "shape",
            "axis_names",
            "axis_kinds",
            "spacing",
            "origin",
            "direction",
            "coord_system",
            "units",
            "timepoint",
            "frame_uid",
            "time_values",
            "time_units",
            "chunk_hint",
            "patch_hint",
        ],
        Chapter::Images => &[
            "grid",
            "modality",
            "value_type",
            "channel_names",
            "rescale_slope",
            "rescale_intercept",
            "value_units",
            "window_center",
            "window_width",
            "valid_mask",
            "prov",
            "levels",
            "downsample_factors",
            "downsample_method",
            "grid_levels",
        ],
        Chapter::Annotations => &[
            "kind",
            "task",
            "grid",
            "timepoints",
            "space",
            "frame_uid",
            "class_ids",
            "annotated_class_ids",
            "closure",
            "ignore_id",
            "ignore_mask",
            "prov",
            "quality",
            "derived_from",
            "scope",
            "scope_ids",
            "multilabel",
            "normalized",
            "threshold",
            "skeleton",
        ],
        Chapter::Transforms => &[
            "kind",
            "from_frame",
            "to_frame",
            "from_grid",
            "to_grid",
            "units",
            "invertible",
            "inverse_id",
            "prov",
            "metrics",
            "field_grid",
            "vector_space",
            "interpolation",
            "extrapolation",
            "cp_grid",
            "order",
            "components",
        ],
    }
}

/// Recomputes the `content_id` of `sample` from the digests that it stores; they are not verified here.
///
/// # Errors
/// [`ReadError::Value`] when `/meta` is no scalar text, [`ReadError::File`] when something that is covered cannot be read.
pub fn content_id(sample: &Sample, algorithm: Algorithm) -> Result<Digest, ReadError> {
    content_id_of(sample, &DigestLines::of(sample)?, algorithm)
}

/// As [`content_id`], with the digests already at hand.
pub(crate) fn content_id_of(
    sample: &Sample,
    digests: &DigestLines<'_>,
    algorithm: Algorithm,
) -> Result<Digest, ReadError> {
    let line = |line: &DigestLine<'_>| format!("{}\t{}\n", line.path, line.text);
    let mut lines: Vec<String> = digests.lines.iter().map(line).collect();
    lines.sort_unstable();
    let document = algorithm.digest(&document_bytes(sample)?);
    lines.push(format!("meta\t{}\n", document.hex()));
    lines.extend(attribute_lines(sample, algorithm)?);
    Ok(algorithm.digest(lines.concat().as_bytes()))
}

/// The stored bytes of `/meta`.
fn document_bytes(sample: &Sample) -> Result<Vec<u8>, ReadError> {
    let Some(dataset) = sample.dataset("meta")? else {
        return Err(ReadError::value("`content_id` needs `/meta`, which is no dataset"));
    };
    let is_scalar = dataset.shape().is_empty() && *dataset.dataspace() != Dataspace::Null;
    if !is_scalar || !dataset.datatype().is_string() {
        return Err(ReadError::value("`content_id` needs `/meta` to be one text"));
    }
    match dataset.read()?.elements {
        Elements::Strings(texts) => Ok(texts.into_iter().next().unwrap_or_default()),
        _ => Err(ReadError::value("`content_id` needs `/meta` to be one text")),
    }
}

/// One line per attested object, sorted by bytes.
fn attribute_lines(sample: &Sample, algorithm: Algorithm) -> Result<Vec<String>, ReadError> {
    let mut lines = vec![attribute_line("", sample.attributes(), ROOT, algorithm)?];
    for chapter in Chapter::ALL {
        for child in sample.children(chapter)? {
            let path = child.path().trim_start_matches('/');
            let covered = covered_attributes(chapter);
            lines.push(attribute_line(path, child.attributes(), covered, algorithm)?);
        }
    }
    lines.sort_unstable();
    Ok(lines)
}

fn attribute_line(
    path: &str,
    attributes: &Attributes,
    covered: &[&'static str],
    algorithm: Algorithm,
) -> Result<String, ReadError> {
    let mut members = Vec::new();
    for name in covered {
        if let Some(value) = attributes.value(name)? {
            members.push((*name, canonical_attribute(&value.datatype, &value.array)));
        }
    }
    let digest = algorithm.digest(canonical_object(&mut members).as_bytes());
    Ok(format!("@{path}\t{digest}\n"))
}
