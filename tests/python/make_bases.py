"""Writes the legal samples that the examples of the code pages edit: one small file per topic, same bytes every run.

Usage: make_bases.py FOLDER
"""

import json
import sys
from pathlib import Path

import h5py
import numpy as np

from seal import seal

SHAPE = (8, 16, 16)
TEXT = h5py.string_dtype()


def document(**members):
    """The smallest sample document that deserves no remark."""
    return {
        "identity": {"sample_id": "example", "subject_id": "subject-1"},
        "timepoints": [{"id": "tp0", "index": 0}],
        **members,
        "deidentification": {"method": "example-profile"},
    }


def label_set():
    """Two organs, a lesion inside one of them, and a skeleton of two keypoints."""
    classes = [(1, "liver", [], "10200004"), (2, "lesion", [1], "52988006"), (3, "kidney", [], "64033007")]
    return {
        "id": "example-labels",
        "version": "1.0.0",
        "form": "inline",
        "classes": [
            {"id": number, "key": key, "name": key.capitalize(), "parents": parents}
            | {"codes": [{"system": "SNOMED-CT", "code": code}]}
            for number, key, parents, code in classes
        ],
        "skeletons": [{"id": "axis", "keypoints": [1, 3], "edges": [[1, 3]]}],
    }


def start(file, meta, version="1.0", profiles=("core",)):
    """The root, the document and four empty groups."""
    file.attrs["medh5_version"] = version
    file.attrs["medh5_kind"] = "sample"
    file.attrs.create("medh5_profiles", sorted(profiles), dtype=TEXT)
    file.attrs["digest_algo"] = "sha256"
    file.create_dataset("meta", data=json.dumps(meta), dtype=TEXT)
    for name in ("grids", "images", "annotations"):
        file.create_group(name)


def attributes(item, **values):
    for name, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], str):
            item.attrs.create(name, value, dtype=TEXT)
        else:
            item.attrs[name] = value


def add_grid(file, name="ct", shape=SHAPE, spacing=(1.5, 0.8, 0.8), origin=(0.0, 0.0, 0.0), frame="frame-0", timepoint="tp0"):
    attributes(
        file.create_group(f"grids/{name}"),
        shape=np.array(shape, "i8"),
        axis_names=["z", "y", "x"][-len(shape) :],
        axis_kinds=["spatial"] * len(shape),
        spacing=np.array(spacing, "f8"),
        origin=np.array(origin, "f8"),
        direction=np.eye(len(shape)),
        coord_system="LPS",
        units="mm",
        frame_uid=frame,
        timepoint=timepoint,
    )


def add_image(file, name="CT", grid="ct", offset=0):
    shape = tuple(file[f"grids/{grid}"].attrs["shape"])
    values = (np.arange(np.prod(shape)) * 7 % 400 - 200 + offset).astype("i2").reshape(shape)
    image = file.create_dataset(f"images/{name}", data=values)
    attributes(image, grid=grid, modality="CT", value_type="quantitative", value_units="HU")


def add_annotation(file, name, kind, task, columns, class_ids=(1, 2), **more):
    group = file.create_group(f"annotations/{name}")
    ids = np.array(class_ids, "u2")
    attributes(group, kind=kind, task=task, closure="explicit", class_ids=ids, annotated_class_ids=ids, **more)
    for column, value in columns.items():
        group.create_dataset(column, data=value)


def blocks():
    """A liver of 4 x 8 x 8 voxels with a lesion of 2 x 3 x 3 in it."""
    labels = np.zeros(SHAPE, "u1")
    labels[2:6, 4:12, 4:12] = 1
    labels[3:5, 6:9, 6:9] = 2
    return labels


def minimal(file):
    """One grid and one image."""
    start(file, document())
    add_grid(file)
    add_image(file)


def annotated(file, *extra, version="1.0", **members):
    """`minimal` with a label set, ready for one annotation."""
    start(file, document(label_set=label_set(), **members), version, ("core", *extra))
    add_grid(file)
    add_image(file)


def labelmap(file):
    """A labelmap that covers the whole image."""
    annotated(file, "seg")
    add_annotation(file, "organs", "labelmap", "segmentation", {"data": blocks()}, grid="ct")


def layers(file):
    """The same two classes, overlapping, in two layers."""
    annotated(file, "seg")
    labels = blocks()
    stacked = np.stack([(labels > 0) * 1, (labels == 2) * 2]).astype("u1")
    columns = {"data": stacked, "layer_class_ids": np.array([[1], [2]], "u2")}
    add_annotation(file, "organs", "layers", "segmentation", columns, grid="ct")


def bitmask(file):
    """The same two classes as bits."""
    annotated(file, "seg")
    labels = blocks()
    planes = ((labels > 0) * 1 + (labels == 2) * 2).astype("u8")[None]
    columns = {"data": planes, "bit_class_ids": np.array([1, 2], "u2")}
    add_annotation(file, "organs", "bitmask", "segmentation", columns, grid="ct")


def probmap(file):
    """The same two classes as probabilities."""
    annotated(file, "seg")
    labels = blocks()
    planes = np.stack([(labels > 0) * 0.5, (labels == 2) * 0.25]).astype("f4")
    add_annotation(file, "organs", "probmap", "segmentation", {"data": planes}, grid="ct", threshold=0.5)


def instances(file):
    """Two objects with a box and a cropped mask each."""
    annotated(file, "seg")
    columns = {
        "boxes": np.array([[[1.5, 3.5], [3.5, 6.5], [3.5, 6.5]], [[3.5, 5.5], [9.5, 11.5], [9.5, 11.5]]], "f4"),
        "class_ids": np.array([1, 2], "u2"),
        "instance_ids": np.array([10, 11], "u4"),
        "mask_shapes": np.array([[2, 3, 3], [2, 2, 2]], "i4"),
        "mask_offsets": np.array([0, 3, 4], "u8"),
        "mask_data": np.array([255, 255, 3, 255], "u1"),
    }
    add_annotation(file, "lesions", "instances", "segmentation", columns, grid="ct")


def masked(file):
    """A labelmap that examined one class of two, with a mask of what to ignore."""
    annotated(file, "seg")
    add_annotation(file, "organs", "labelmap", "segmentation", {"data": blocks()}, grid="ct", ignore_mask="unsure")
    file["annotations/organs"].attrs["annotated_class_ids"] = np.array([1], "u2")
    mask = file.create_group("annotations/unsure")
    attributes(mask, kind="mask", task="other", closure="explicit", grid="ct")
    mask.create_dataset("data", data=(blocks() == 2).astype("u1"))


def boxes(file):
    """Two axis-aligned boxes in index space."""
    annotated(file, "det")
    columns = {
        "boxes": np.array([[[1.5, 5.5], [3.5, 11.5], [3.5, 11.5]], [[2.5, 4.5], [5.5, 8.5], [5.5, 8.5]]], "f4"),
        "class_ids": np.array([1, 2], "u2"),
    }
    add_annotation(file, "findings", "boxes", "detection", columns, space="index", grid="ct")


def obb(file):
    """One oriented box."""
    annotated(file, "det")
    columns = {
        "centers": np.array([[4.0, 8.0, 8.0]], "f4"),
        "sizes": np.array([[2.0, 4.0, 4.0]], "f4"),
        "rotations": np.eye(3, dtype="f4")[None],
        "class_ids": np.array([1], "u2"),
    }
    add_annotation(file, "findings", "obb", "detection", columns, class_ids=(1,), space="index", grid="ct")


def keypoints(file):
    """One object with the two keypoints of its skeleton."""
    annotated(file, "det")
    columns = {
        "points": np.array([[[2.0, 4.0, 4.0], [5.0, 9.0, 9.0]]], "f4"),
        "visibility": np.array([[2, 1]], "u1"),
        "keypoint_class_ids": np.array([1, 3], "u2"),
        "class_ids": np.array([1], "u2"),
    }
    more = {"space": "index", "grid": "ct", "skeleton": "axis"}
    add_annotation(file, "spine", "keypoints", "detection", columns, class_ids=(1, 3), **more)


def contours(file):
    """A square of one class on one slice with a square hole, as contours."""
    annotated(file)
    square = [(0, 0), (0, 1), (1, 1), (1, 0)]
    rings = [(4.0, low + size * y, low + size * x) for low, size in ((2, 10), (5, 3)) for y, x in square]
    columns = {
        "vertices": np.array(rings, "f4"),
        "contour_offsets": np.array([0, 4, 8], "i8"),
        "contour_class_ids": np.array([1, 1], "u2"),
        "contour_plane": np.array([[0, 4], [0, 4]], "i4"),
        "contour_role": np.array([0, 1], "u1"),
    }
    add_annotation(file, "outline", "contours", "segmentation", columns, class_ids=(1,), space="index", grid="ct")


def mesh(file):
    """One triangle."""
    annotated(file)
    columns = {
        "vertices": np.array([[2, 2, 2], [2, 9, 2], [5, 2, 9]], "f4"),
        "faces": np.array([[0, 1, 2]], "i4"),
        "vertex_class_ids": np.array([1, 1, 1], "u2"),
    }
    add_annotation(file, "surface", "mesh", "segmentation", columns, class_ids=(1,), space="index", grid="ct")


def polylines(file):
    """Two open curves, which format 1.2 adds."""
    annotated(file, version="1.2")
    columns = {
        "vertices": np.array([[1, 2, 2], [2, 4, 4], [3, 8, 8], [5, 1, 1], [5, 9, 9]], "f4"),
        "polyline_offsets": np.array([0, 3, 5], "i8"),
        "polyline_class_ids": np.array([1, 2], "u2"),
    }
    add_annotation(file, "vessels", "polylines", "other", columns, space="index", grid="ct")


def classification(file):
    """Liver and lesion present, kidney absent; read under the implicit closure."""
    annotated(file, "cls")
    columns = {"class_ids": np.array([1, 2, 3], "u2"), "values": np.array([1, 1, 0], "f4")}
    more = {"class_ids": (1, 2, 3), "scope": "sample"}
    add_annotation(file, "reading", "classification", "classification", columns, **more)
    file["annotations/reading"].attrs["closure"] = "implicit"


def provenance():
    agents = [{"id": "reader", "type": "person", "name": "pseudonym:R-1", "role": "annotator"}]
    activities = [{"id": "reading", "type": "annotate", "agent": "reader", "started": "2020-05-01T09:00:00Z"}]
    return {"agents": agents, "activities": activities}


def curated(file):
    """A labelmap with its provenance and quality on record, and a claim on a split."""
    splits = [{"set_id": "fold-a", "partition": "train", "manifest_sha256": "a" * 64}]
    members = {"provenance": provenance(), "quality": {"organs": {"status": "approved"}}, "splits": splits}
    annotated(file, "seg", "curation", **members)
    columns = {"data": blocks()}
    more = {"grid": "ct", "prov": "reading", "quality": "organs"}
    add_annotation(file, "organs", "labelmap", "segmentation", columns, **more)


def visits(file, *extra, version="1.0", **members):
    """Two visits in two frames, related by an affine."""
    times = [("tp0", 0, 0), ("tp1", 1, 90)]
    timepoints = [{"id": name, "index": index, "days_from_baseline": days} for name, index, days in times]
    meta = document(label_set=label_set(), quality={"fit": {"status": "approved"}}, provenance=provenance(), **members)
    start(file, meta | {"timepoints": timepoints}, version, ("core", "longitudinal", "reg", *extra))
    for name, index, _ in times:
        add_grid(file, f"ct_{name}", frame=f"frame-{index}", timepoint=name)
        add_image(file, f"CT_{name}", f"ct_{name}", offset=index)
    forward = np.eye(4)
    forward[:3, 3] = (1.5, -2.0, 0.5)
    for name, matrix, frames in (("forward", forward, (0, 1)), ("backward", np.linalg.inv(forward), (1, 0))):
        group = file.create_group(f"transforms/{name}")
        group.create_dataset("matrix", data=matrix)
        inverse = {"forward": "backward", "backward": "forward"}[name]
        frames = {"from_frame": f"frame-{frames[0]}", "to_frame": f"frame-{frames[1]}"}
        attributes(group, kind="affine", units="mm", inverse_id=inverse, prov="reading", metrics="fit", **frames)


def transforms(file):
    """Two visits; a displacement field refines the affine, and a composite chains both."""
    visits(file)
    refine = file.create_group("transforms/refine")
    refine.create_dataset("field", data=np.zeros((3, *SHAPE), "f4"))
    attributes(refine, kind="displacement", from_frame="frame-1", to_frame="frame-2", units="mm", field_grid="ct_tp1")
    chain = file.create_group("transforms/whole")
    attributes(chain, kind="composite", from_frame="frame-0", to_frame="frame-2", units="mm", components=["forward", "refine"])


def tracked(file):
    """Two visits with the same lesion boxed in each."""
    visits(file)
    for name in ("tp0", "tp1"):
        columns = {
            "boxes": np.array([[[2.5, 4.5], [5.5, 8.5], [5.5, 8.5]]], "f4"),
            "class_ids": np.array([2], "u2"),
            "instance_ids": np.array([10], "u4"),
        }
        more = {"class_ids": (2, 3), "space": "index", "grid": f"ct_{name}", "timepoints": [name]}
        add_annotation(file, f"lesions_{name}", "boxes", "detection", columns, **more)


def pyramid(file):
    """An image in two resolutions."""
    start(file, document(), profiles=("core", "multiscale"))
    add_grid(file, "level0", spacing=(1.0, 1.0, 1.0))
    add_grid(file, "level1", (4, 8, 8), (2.0, 2.0, 2.0), (0.5, 0.5, 0.5))
    image = file.create_group("images/CT")
    full = (np.arange(np.prod(SHAPE)) % 300).astype("i2").reshape(SHAPE)
    image.create_dataset("0", data=full)
    image.create_dataset("1", data=full[::2, ::2, ::2])
    attributes(image, grid="level0", modality="CT", value_type="quantitative", value_units="HU", levels=np.int64(2))
    attributes(image, grid_levels=["level0", "level1"], downsample_factors=np.array([[1.0] * 3, [2.0] * 3]))


def index(file):
    """A labelmap with its sampling index."""
    annotated(file, "seg", "training")
    labels = blocks()
    add_annotation(file, "organs", "labelmap", "segmentation", {"data": labels}, grid="ct")
    entry = file.create_group("index/organs")
    attributes(entry, max_coords=np.int64(16), seed=np.int64(0))
    voxels = {number: np.argwhere(labels == number).astype("i4") for number in (1, 2)}
    entry.create_dataset("class_ids", data=np.array([1, 2], "u2"))
    entry.create_dataset("voxel_counts", data=np.array([len(v) for v in voxels.values()], "i8"))
    bounds = [np.stack([v.min(0) - 0.5, v.max(0) + 0.5], 1) for v in voxels.values()]
    entry.create_dataset("class_bboxes", data=np.array(bounds, "f4"))
    for number, coordinates in voxels.items():
        entry.create_dataset(f"fg_coords/{number}", data=coordinates[:: -(-len(coordinates) // 16)])


TABLES = {
    "events": {
        "event_id": ["scan", "report", "lab", "assess"],
        "record_id": ["scan", "report", "lab", "assess"],
        "kind": ["imaging", "document", "observation", "assessment"],
        "temporal_type": ["point", "unknown", "point", "unknown"],
        "effective_start_lo_us": [0, None, 1000, None],
        "effective_start_hi_us": [10, None, 1000, None],
        "available_lo_us": [20, 500, 1500, 600],
        "available_hi_us": [20, 500, 1500, 600],
        "status": ["completed", "final", "final", "final"],
        "timepoint_id": ["tp1", None, None, "tp1"],
        "code_system": [None, None, "LOINC", "org.medh5.assessment"],
        "code": [None, None, "2160-0", "lesion_presence"],
        "value_num": [None, None, 0.9, None],
        "unit": [None, None, "mg/dL", None],
        "value_text": [None, None, None, "present"],
        "prov": ["reading", "reading", "reading", "reading"],
    },
    "documents": {
        "document_id": ["note"],
        "media_type": ["text/plain"],
        "text": ["Läsion unverändert."],
        "language": ["de"],
    },
    "links": {
        "source_type": ["event", "event", "event", "document"],
        "source_id": ["scan", "report", "assess", "note"],
        "relation": ["describes", "describes", "assesses", "describes"],
        "target_type": ["image", "document", "instance", "image"],
        "target_id": ["CT_tp1", "note", "10", "CT_tp1"],
        "source_start": [None, None, None, 0],
        "source_end": [None, None, None, 7],
        "target_annotation_id": [None, None, "lesions_tp1", None],
    },
}

NUMERIC = {"value_num": "<f8", "source_start": "<u8", "source_end": "<u8"}


def add_column(table, name, cells):
    """A column with its mask when some cell is null; a null cell is all zero."""
    if any(cell is None for cell in cells):
        table.create_dataset(f"valid/{name}", data=np.array([cell is not None for cell in cells], "u1"))
    dtype = "<i8" if name.endswith("_us") else NUMERIC.get(name)
    if dtype:
        table.create_dataset(name, data=np.array([cell or 0 for cell in cells], dtype))
        return
    parts = [(cell or "").encode() for cell in cells]
    table.create_dataset(f"{name}/data", data=np.frombuffer(b"".join(parts), "u1"))
    table.create_dataset(f"{name}/offsets", data=np.cumsum([0, *map(len, parts)]).astype("<u8"))


def clinical(file):
    """Two visits with a lesion each, a scan, a report, a laboratory value and an assessment on the subject's clock."""
    visits(file, "clinical", version="1.1")
    for name in ("tp0", "tp1"):
        columns = {
            "boxes": np.array([[[2.5, 4.5], [5.5, 8.5], [5.5, 8.5]]], "f4"),
            "class_ids": np.array([2], "u2"),
            "instance_ids": np.array([10], "u4"),
        }
        more = {"class_ids": (2,), "space": "index", "grid": f"ct_{name}", "timepoints": [name]}
        add_annotation(file, f"lesions_{name}", "boxes", "detection", columns, **more)
    clock = {"id": "clock", "unit": "us", "reference": "relative", "origin_description": "day of the first scan"}
    descriptor = json.dumps({"schema": "medh5.clinical/1", "clock": clock}, sort_keys=True, separators=(",", ":"))
    file.create_dataset("clinical/meta", data=descriptor, dtype=TEXT)
    for table, columns in TABLES.items():
        for name, cells in columns.items():
            add_column(file.require_group(f"clinical/{table}"), name, cells)


def collection(file):
    """Two samples in one file."""
    attributes(file, medh5_version="1.0", medh5_kind="collection")
    for key in ("first", "second"):
        minimal(file.create_group(f"samples/{key}"))


BASES = (
    minimal, labelmap, layers, bitmask, probmap, instances, masked, boxes, obb, keypoints, contours, mesh, polylines,
    classification, curated, transforms, tracked, pyramid, index, clinical, collection,
)  # fmt: skip


def write(make, folder):
    suffix = "medh5c" if make is collection else "medh5"
    path = folder / f"{make.__name__}.{suffix}"
    with h5py.File(path, "w", libver="v110") as file:
        make(file)
        for root in file["samples"].values() if make is collection else [file]:
            seal(root)
    return path


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in BASES:
        write(make, folder)


if __name__ == "__main__":
    main()
