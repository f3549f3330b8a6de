//! Annotations taken apart and put together again.

use medh5::annotations::{AnnotationView, ClassMasks, Kind, boxes_of};
use medh5::write::{
    Assertion, Encoding, Header, Instance, Masks, NewAnnotation, NewArray, OrientedBoxes,
    PerObject, Polygon, Polyline,
};

use super::{Reason, said};

pub(super) fn rebuild(view: &AnnotationView) -> Result<NewAnnotation, Reason> {
    let kind = view.kind().map_err(said)?.ok_or("an unknown kind")?;
    let header = header(view)?;
    match kind {
        Kind::Labelmap | Kind::Layers | Kind::Bitmask => voxels(view, kind, header),
        Kind::Probmap => {
            let attributes = view.attributes();
            let (threshold, normalized) =
                (attributes.float("threshold"), attributes.boolean("normalized"));
            let classes = header.class_ids.clone();
            let normalized = normalized.map_err(said)?.unwrap_or(false);
            let threshold = threshold.map_err(said)?;
            NewAnnotation::probabilities(
                header,
                &classes,
                array(view, "data")?,
                normalized,
                threshold,
            )
            .map_err(said)
        }
        Kind::Mask => {
            let data = view.column("data").map_err(said)?.ok_or("no data")?;
            let marks = medh5::values::integers(&data.elements).unwrap_or_default();
            let marks = marks.iter().map(|mark| u8::from(*mark != 0)).collect();
            let mask = NewArray::booleans(&data.shape, marks).map_err(said)?;
            NewAnnotation::mask(header, mask).map_err(said)
        }
        Kind::Instances => instances(view, header),
        Kind::Boxes => {
            let boxes = boxes_of(view).map_err(said)?.unwrap_or_default();
            NewAnnotation::boxes(header, &boxes, &labels(view, "class_ids")?, &per_object(view)?)
                .map_err(said)
        }
        Kind::Obb => {
            let boxes = OrientedBoxes {
                centers: rows(view, "centers")?,
                sizes: rows(view, "sizes")?,
                rotations: rows(view, "rotations")?,
            };
            NewAnnotation::oriented_boxes(
                header,
                &boxes,
                &labels(view, "class_ids")?,
                &per_object(view)?,
            )
            .map_err(said)
        }
        Kind::Keypoints => keypoints(view, header),
        Kind::Points => NewAnnotation::points(
            header,
            &rows(view, "points")?,
            optional(view, "class_ids")?.as_deref(),
            (texts(view, "names")?.as_deref(), view.floats("weights").map_err(said)?.as_deref()),
            view.attributes().text("correspondence").map_err(said)?.as_deref(),
            view.unsigned_integers("instance_ids").map_err(said)?.as_deref(),
        )
        .map_err(said),
        Kind::Contours => NewAnnotation::contours(header, &polygons(view)?).map_err(said),
        Kind::Polylines => {
            let ids = view.unsigned_integers("instance_ids").map_err(said)?;
            NewAnnotation::polylines(header, &polylines(view)?, ids.as_deref()).map_err(said)
        }
        Kind::Mesh => mesh(view, header),
        Kind::Classification => classification(view, header),
    }
}

fn header(view: &AnnotationView) -> Result<Header, Reason> {
    let attributes = view.attributes();
    let text = |name: &str| attributes.text(name).map_err(said);
    let list = |name: &str| attributes.strings(name).map_err(said).map(Option::unwrap_or_default);
    let ids = |name: &str| -> Result<Option<Vec<u16>>, Reason> {
        let ids = attributes.integers(name).map_err(said)?;
        ids.map(|ids| ids.iter().map(|id| u16::try_from(*id).map_err(said)).collect()).transpose()
    };
    let ignore_id = attributes.integer("ignore_id").map_err(said)?;
    Ok(Header {
        axes: None,
        task: text("task")?,
        grid: text("grid")?,
        space: text("space")?,
        frame_uid: text("frame_uid")?,
        class_ids: ids("class_ids")?.unwrap_or_default(),
        annotated_class_ids: ids("annotated_class_ids")?,
        implicit_closure: text("closure")?.as_deref() == Some("implicit"),
        timepoints: list("timepoints")?,
        ignore_id: ignore_id.and_then(|id| u16::try_from(id).ok()),
        ignore_mask: text("ignore_mask")?,
        prov: text("prov")?,
        quality: text("quality")?,
        derived_from: list("derived_from")?,
    })
}

/// Masks of the classes, and of the ignored voxels, encoded anew.
fn voxels(view: &AnnotationView, kind: Kind, header: Header) -> Result<NewAnnotation, Reason> {
    let shape = view.spatial_shape().map_err(said)?.ok_or("no voxels")?;
    let region: Vec<_> = shape.iter().map(|extent| 0..*extent).collect();
    let ClassMasks { class_ids, values, .. } = view.class_masks(&region, None).map_err(said)?;
    let voxels: u64 = shape.iter().product();
    let voxels = usize::try_from(voxels).map_err(said)?;
    let mask = |(class, marks): (&i64, &[u8])| -> Result<(u16, NewArray), Reason> {
        let array = NewArray::booleans(&shape, marks.to_vec()).map_err(said)?;
        Ok((u16::try_from(*class).map_err(said)?, array))
    };
    let masks = class_ids.iter().zip(values.chunks_exact(voxels)).map(mask);
    let masks = Masks::new(masks.collect::<Result<_, _>>()?).map_err(said)?;
    let mut ignored = None;
    if kind != Kind::Bitmask {
        let ignore = view.ignore_id().map_err(said)?;
        let labels = view.integers("data").map_err(said)?.unwrap_or_default();
        let marks: Vec<u8> =
            labels.iter().take(voxels).map(|label| u8::from(*label == ignore)).collect();
        if marks.contains(&1) {
            ignored = Some(NewArray::booleans(&shape, marks).map_err(said)?);
        }
    }
    let built =
        masks.encode(view.name(), header, Encoding::As(kind), ignored.as_ref(), 1).map_err(said)?;
    Ok(built.annotation)
}

fn instances(view: &AnnotationView, header: Header) -> Result<NewAnnotation, Reason> {
    let boxes = boxes_of(view).map_err(said)?.unwrap_or_default();
    let classes = labels(view, "class_ids")?;
    let ids = view.unsigned_integers("instance_ids").map_err(said)?.unwrap_or_default();
    let offsets = view.unsigned_integers("mask_offsets").map_err(said)?.ok_or("no masks")?;
    let bits = view.unsigned_integers("mask_data").map_err(said)?.ok_or("no masks")?;
    let scores = view.floats("scores").map_err(said)?;
    let mut objects = Vec::new();
    for (at, bounds) in boxes.iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small boxes")]
        let place = |bound: f64| (bound + 0.5).floor() as u64;
        let start: Vec<u64> = bounds.iter().map(|[low, _]| place(*low)).collect();
        let shape: Vec<u64> = bounds.iter().map(|[low, high]| place(*high) - place(*low)).collect();
        let first = usize::try_from(offsets[at]).map_err(said)?;
        let bit = |voxel: u64| {
            let byte = bits[first + usize::try_from(voxel / 8).unwrap_or(usize::MAX)];
            u8::from(byte >> (7 - voxel % 8) & 1 == 1)
        };
        let mask = (0..shape.iter().product::<u64>()).map(bit).collect();
        let score = scores.as_ref().map(|scores| scores[at]);
        objects.push(Instance {
            class_id: classes[at],
            instance_id: ids[at],
            start,
            shape,
            mask,
            score,
        });
    }
    let axes = view.column("boxes").map_err(said)?.map_or(0, |boxes| boxes.shape[1]);
    NewAnnotation::instances(header, usize::try_from(axes).map_err(said)?, &objects).map_err(said)
}

fn keypoints(view: &AnnotationView, header: Header) -> Result<NewAnnotation, Reason> {
    let slots = labels(view, "keypoint_class_ids")?;
    let flat = rows(view, "points")?;
    let axes = flat.first().map_or(0, Vec::len) / slots.len().max(1);
    let points: Vec<Vec<Vec<f64>>> = flat
        .iter()
        .map(|object| object.chunks(axes.max(1)).map(<[f64]>::to_vec).collect())
        .collect();
    let visibility = view.integers("visibility").map_err(said)?.map(|all| {
        let bytes: Vec<u8> = all.iter().map(|one| u8::try_from(*one).unwrap_or(0)).collect();
        bytes.chunks(slots.len().max(1)).map(<[u8]>::to_vec).collect::<Vec<_>>()
    });
    let skeleton = view.attributes().text("skeleton").map_err(said)?;
    let classes = labels(view, "class_ids")?;
    NewAnnotation::keypoints(
        header,
        &points,
        visibility.as_deref(),
        (&slots, &classes),
        skeleton.as_deref(),
        &per_object(view)?,
    )
    .map_err(said)
}

fn polygons(view: &AnnotationView) -> Result<Vec<Polygon>, Reason> {
    let planes = view.integers("contour_plane").map_err(said)?.ok_or("no planes")?;
    let roles = view.integers("contour_role").map_err(said)?.ok_or("no roles")?;
    let classes = labels(view, "contour_class_ids")?;
    let curves = curves(view, "contour_offsets")?;
    let narrow = |value: i64| i32::try_from(value).unwrap_or(-1);
    Ok(curves
        .into_iter()
        .enumerate()
        .map(|(at, vertices)| Polygon {
            class_id: classes[at],
            vertices,
            plane: [narrow(planes[at * 2]), narrow(planes[at * 2 + 1])],
            is_hole: roles[at] == 1,
        })
        .collect())
}

fn polylines(view: &AnnotationView) -> Result<Vec<Polyline>, Reason> {
    let planes = view.integers("polyline_plane").map_err(said)?;
    let classes = labels(view, "polyline_class_ids")?;
    let curves = curves(view, "polyline_offsets")?;
    let narrow = |value: i64| i32::try_from(value).unwrap_or(-1);
    let plane = |at: usize| match &planes {
        Some(planes) => [narrow(planes[at * 2]), narrow(planes[at * 2 + 1])],
        None => [-1, 0],
    };
    Ok(curves
        .into_iter()
        .enumerate()
        .map(|(at, vertices)| Polyline { class_id: classes[at], vertices, plane: plane(at) })
        .collect())
}

fn curves(view: &AnnotationView, offsets: &str) -> Result<Vec<Vec<Vec<f64>>>, Reason> {
    let offsets = view.integers(offsets).map_err(said)?.ok_or("no offsets")?;
    let vertices = rows(view, "vertices")?;
    let place = |at: i64| usize::try_from(at).unwrap_or(0);
    Ok(offsets.windows(2).map(|pair| vertices[place(pair[0])..place(pair[1])].to_vec()).collect())
}

fn mesh(view: &AnnotationView, header: Header) -> Result<NewAnnotation, Reason> {
    let faces = view.integers("faces").map_err(said)?.ok_or("no faces")?;
    let narrow = |value: &i64| i32::try_from(*value).unwrap_or(-1);
    let faces: Vec<[i32; 3]> = faces
        .chunks_exact(3)
        .map(|face| [narrow(&face[0]), narrow(&face[1]), narrow(&face[2])])
        .collect();
    let normals = match view.column("normals").map_err(said)? {
        Some(_) => Some(rows(view, "normals")?),
        None => None,
    };
    let offsets = view.integers("mesh_offsets").map_err(said)?;
    NewAnnotation::mesh(
        header,
        &rows(view, "vertices")?,
        &faces,
        normals.as_deref(),
        optional(view, "vertex_class_ids")?.as_deref(),
        (offsets.as_deref(), optional(view, "mesh_class_ids")?.as_deref()),
    )
    .map_err(said)
}

fn classification(view: &AnnotationView, header: Header) -> Result<NewAnnotation, Reason> {
    let attributes = view.attributes();
    let scope = attributes.text("scope").map_err(said)?.unwrap_or_default();
    let multilabel = attributes.boolean("multilabel").map_err(said)?.unwrap_or(true);
    let values = view.floats("values").map_err(said)?.ok_or("no values")?;
    let scope_ids = view.integers("scope_ids").map_err(said)?;
    let (schemes, scheme_values) = (texts(view, "schemes")?, texts(view, "scheme_values")?);
    let pick =
        |texts: &Option<Vec<String>>, at: usize| texts.as_ref().map(|texts| texts[at].clone());
    let assertions: Vec<Assertion> = labels(view, "class_ids")?
        .into_iter()
        .enumerate()
        .map(|(at, class_id)| Assertion {
            class_id,
            value: values[at],
            scope_id: scope_ids.as_ref().map(|ids| ids[at]),
            scheme: pick(&schemes, at),
            scheme_value: pick(&scheme_values, at),
        })
        .collect();
    NewAnnotation::classification(header, &scope, multilabel, &assertions).map_err(said)
}

fn per_object(view: &AnnotationView) -> Result<PerObject, Reason> {
    let slices = view.integers("slice_index").map_err(said)?;
    let narrow = |slice: &i64| i32::try_from(*slice).unwrap_or(-1);
    Ok(PerObject {
        instance_ids: view.unsigned_integers("instance_ids").map_err(said)?,
        scores: view.floats("scores").map_err(said)?,
        attributes: texts(view, "attributes")?,
        slice_index: slices.map(|slices| slices.iter().map(narrow).collect()),
    })
}

fn array(view: &AnnotationView, name: &str) -> Result<NewArray, Reason> {
    let array = view.column(name).map_err(said)?.ok_or_else(|| format!("no {name}"))?;
    NewArray::try_from(array).map_err(said)
}

/// A column, row by row of its first axis.
fn rows(view: &AnnotationView, name: &str) -> Result<Vec<Vec<f64>>, Reason> {
    let array = view.column(name).map_err(said)?.ok_or_else(|| format!("no {name}"))?;
    let values = medh5::values::floats(&array.elements).ok_or("no numbers")?;
    let width: u64 = array.shape.iter().skip(1).product();
    let width = usize::try_from(width).map_err(said)?;
    Ok(values.chunks(width.max(1)).map(<[f64]>::to_vec).collect())
}

fn labels(view: &AnnotationView, name: &str) -> Result<Vec<u16>, Reason> {
    Ok(optional(view, name)?.unwrap_or_default())
}

fn optional(view: &AnnotationView, name: &str) -> Result<Option<Vec<u16>>, Reason> {
    let ids = view.integers(name).map_err(said)?;
    ids.map(|ids| ids.iter().map(|id| u16::try_from(*id).map_err(said)).collect()).transpose()
}

fn texts(view: &AnnotationView, name: &str) -> Result<Option<Vec<String>>, Reason> {
    let Some(column) = view.column(name).map_err(said)? else { return Ok(None) };
    let hdf5::Elements::Strings(texts) = column.elements else {
        return Err(format!("{name}: no text"));
    };
    Ok(Some(texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()))
}
