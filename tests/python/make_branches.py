"""Makes one file for each branch of a rule that chance seldom reaches, and asks the reference about each at every level.

usage: make_branches.py FOLDER SUITE

FOLDER gets the files, named after their branches, and LEVEL.json with the reference's reports.
"""

import json
import shutil
import sys
from pathlib import Path

import h5py
import numpy as np
import verdicts
from mutations.target import replace

BRANCHES = []


def branch(base: str):
    """Registers an edit of a file of the suite; the branch has the name of the function."""

    def register(edit):
        BRANCHES.append((edit.__name__.replace("_", "-"), base, edit))
        return edit

    return register


def attribute(base: str, name: str, path: str, key: str, value) -> None:
    """Registers the setting of one attribute; `None` takes it away."""

    def edit(file):
        if key in file[path].attrs:
            del file[path].attrs[key]
        if value is not None:
            file[path].attrs[key] = value

    BRANCHES.append((name, base, edit))


def data(base: str, name: str, path: str, change) -> None:
    """Registers a change of the elements of a dataset."""
    BRANCHES.append((name, base, lambda file: replace(file[path], change(file[path][()]))))


def meta(base: str, name: str, change) -> None:
    """Registers a change of the sample document."""

    def edit(file):
        document = json.loads(file["meta"][()])
        change(document)
        del file["meta"]
        file.create_dataset("meta", data=json.dumps(document, ensure_ascii=False), dtype=h5py.string_dtype())

    BRANCHES.append((name, base, edit))


def texts(*values: str):
    return np.array(values, dtype=object)


def changed(place, value):
    """Sets one element."""

    def change(array):
        array[place] = value
        return array

    return change


# Grids.

CORE = "core-minimal.medh5"
TIME = "core-4d-time.medh5"
GRID = "grids/ct"


@branch(TIME)
def grid_named_with_a_slash_in_it(file):
    file["grids"].copy("dce", "a b")


for name, key, value in [
    ("grid-shape-of-text", "shape", "large"),
    ("grid-shape-zero", "shape", np.array([8, 0, 16, 16])),
    ("grid-shape-beyond-64-bits", "shape", np.array([2**40, 2**40, 16, 16])),
    ("grid-origin-nan", "origin", np.array([0.0, np.nan, 0.0])),
    ("grid-origin-of-text", "origin", "here"),
    ("grid-spacing-of-text", "spacing", texts("1", "1", "1")),
    ("grid-direction-not-square", "direction", np.eye(3)[:2]),
    ("grid-direction-one-row", "direction", np.ones(3)),
    ("grid-direction-of-text", "direction", "up"),
    ("grid-time-values-short", "time_values", np.array([0.0, 1.0])),
    ("grid-time-values-of-text", "time_values", "soon"),
    ("grid-chunk-hint-of-text", "chunk_hint", "small"),
    ("grid-chunk-hint-zero", "chunk_hint", np.array([1, 0, 8, 8])),
    ("grid-chunk-hint-rank", "chunk_hint", np.array([8, 8])),
    ("grid-no-units", "units", None),
    ("grid-no-axis-kinds", "axis_kinds", None),
    ("grid-axis-names-of-numbers", "axis_names", np.arange(4)),
    ("grid-timepoint-nowhere", "timepoint", "tp9"),
]:
    attribute(TIME, name, "grids/dce", key, value)

# Images and pyramids.

PYRAMID = "multiscale-pyramid.medh5"
for name, key, value in [
    ("pyramid-grid-nowhere", "grid_levels", texts("l0", "l9")),
    ("pyramid-no-grid-levels", "grid_levels", None),
    ("pyramid-one-grid", "grid_levels", texts("l0")),
    ("pyramid-no-levels", "levels", None),
    ("pyramid-factors-cut", "downsample_factors", np.ones((1, 3))),
    ("pyramid-factors-of-text", "downsample_factors", "2"),
    ("pyramid-factor-negative", "downsample_factors", np.array([[1.0, 1, 1], [2, -2, 2]])),
    ("pyramid-factors-other", "downsample_factors", np.array([[1.0, 1, 1], [4, 2, 2]])),
    ("pyramid-factors-tiny", "downsample_factors", np.array([[1.0, 1, 1], [1e-300, 2, 2]])),
    ("pyramid-factors-huge", "downsample_factors", np.array([[1.0, 1, 1], [1e308, 2, 2]])),
]:
    attribute(PYRAMID, name, "images/CT", key, value)
for name, key, value in [
    ("level-spacing", "spacing", np.array([2.0, 2.0, 3.0])),
    ("level-spacing-huge", "spacing", np.array([2.0, 2.0, 1e308])),
    ("level-origin", "origin", np.array([0.5, 0.5, 0.75])),
    ("level-direction", "direction", np.diag([1.0, -1.0, 1.0])),
    ("level-axis-kinds", "axis_kinds", texts("spatial", "spatial", "channel")),
    ("level-frame", "frame_uid", "elsewhere"),
    ("level-shape", "shape", np.array([8, 16, 17])),
    ("level-timepoint", "timepoint", "tp9"),
]:
    attribute(PYRAMID, name, "grids/l1", key, value)
for name, key, value in [
    ("first-level-spacing-huge", "spacing", np.array([1e308, 1.0, 1.0])),
    ("first-level-origin-huge", "origin", np.array([1.7e308, 1.7e308, 0])),
]:
    attribute(PYRAMID, name, "grids/l0", key, value)


@branch(PYRAMID)
def pyramid_without_first_level(file):
    del file["images/CT/0"]


@branch(PYRAMID)
def pyramid_without_second_level(file):
    del file["images/CT/1"]


@branch(PYRAMID)
def pyramid_of_two_ranks(file):
    grid = file["grids/l1"]
    for key in ("shape", "spacing", "origin", "axis_kinds", "axis_names"):
        grid.attrs[key] = grid.attrs[key][1:]
    grid.attrs["direction"] = np.eye(2)
    replace(file["images/CT/1"], np.zeros((16, 16), "f4"))


@branch(PYRAMID)
def pyramid_level_of_other_shape(file):
    replace(file["images/CT/1"], np.zeros((8, 16, 15), "f4"))


@branch(PYRAMID)
def pyramid_level_is_a_group(file):
    del file["images/CT/1"]
    file.create_group("images/CT/1")


attribute("core-rgb-channels.medh5", "channel-names-too-few", "images/RGB", "channel_names", texts("R", "G"))
attribute("core-rgb-channels.medh5", "channel-names-of-numbers", "images/RGB", "channel_names", np.arange(3))


@branch(CORE)
def image_without_extent(file):
    path = f"images/{next(iter(file['images']))}"
    attributes = dict(file[path].attrs)
    del file[path]
    new = file.create_dataset(path, data=h5py.Empty("f4"))
    for key, value in attributes.items():
        new.attrs[key] = value


@branch(CORE)
def image_of_fractions(file):
    path = f"images/{next(iter(file['images']))}"
    replace(file[path], file[path][()].astype("f4") + np.float32(0.5))


@branch(CORE)
def image_of_whole_floats(file):
    path = f"images/{next(iter(file['images']))}"
    replace(file[path], file[path][()].astype("f8"))


# Voxels.

PROBMAP = "seg-probmap.medh5"


def probabilities(name: str, values, dtype: str, normalized=True) -> None:
    def edit(file):
        group = file["annotations/soft"]
        group.attrs["normalized"] = normalized
        shape = group["data"].shape
        replace(group["data"], np.broadcast_to(np.array(values, dtype).reshape(-1, 1, 1, 1), shape).astype(dtype))

    BRANCHES.append((name, PROBMAP, edit))


for dtype in ("f2", "f4", "f8"):
    probabilities(f"probabilities-that-sum-to-1-{dtype}", [0.25, 0.75], dtype)
    probabilities(f"probabilities-that-do-not-{dtype}", [0.25, 0.5], dtype)
probabilities("probabilities-of-bytes", [0, 1], "u1")
probabilities("probabilities-of-nan", [np.nan, 1], "f4")
probabilities("probabilities-of-more-than-1", [1.5, 0], "f4", normalized=False)
probabilities("probabilities-normalized-by-text", [0.25, 0.5], "f4", normalized="yes")


@branch(PROBMAP)
def probabilities_off_at_the_last_voxel(file):
    group = file["annotations/soft"]
    group.attrs["normalized"] = True
    values = np.full(group["data"].shape, 0.5, "f4")
    values[1, -1, -1, -1] = 0.25
    replace(group["data"], values, chunks=(1, 5, 7, 9), compression="gzip")


data(PROBMAP, "probabilities-of-three-planes", "annotations/soft/data", lambda a: np.concatenate([a, a[:1]]))
data(PROBMAP, "probabilities-of-another-extent", "annotations/soft/data", lambda a: a[:, :, :, :-1])
attribute("seg-probmap-threshold.medh5", "threshold-beyond-1", "annotations/soft", "threshold", 1.5)
attribute("seg-probmap-threshold.medh5", "threshold-of-text", "annotations/soft", "threshold", "half")
attribute("seg-probmap-threshold.medh5", "threshold-nan", "annotations/soft", "threshold", np.nan)

BITS = "seg-bitmask.medh5"
data(BITS, "bits-one-class-twice", "annotations/organs/bit_class_ids", changed(1, 1))
data(BITS, "bits-of-a-matrix", "annotations/organs/bit_class_ids", lambda a: a.reshape(1, 3))
data(BITS, "bits-fewer-than-classes", "annotations/organs/bit_class_ids", lambda a: a[:2])
data(BITS, "bits-of-floats", "annotations/organs/bit_class_ids", lambda a: a.astype("f4") + 0.5)
data(BITS, "bits-of-two-planes", "annotations/organs/data", lambda a: np.concatenate([a, a]))
data(BITS, "bits-without-planes", "annotations/organs/data", lambda a: a[0])
data(BITS, "bits-of-signed-numbers", "annotations/organs/data", lambda a: a.astype("i8"))

LAYERS = "seg-layers.medh5"
data(LAYERS, "layers-with-a-row-too-few", "annotations/organs/layer_class_ids", lambda a: a[:1])
data(LAYERS, "layers-with-one-axis", "annotations/organs/layer_class_ids", lambda a: a.reshape(-1))
data(LAYERS, "layers-of-floats", "annotations/organs/data", lambda a: a.astype("f4"))
data(LAYERS, "layers-of-wide-numbers", "annotations/organs/data", lambda a: a.astype("u4"))
data(LAYERS, "layers-with-a-class-of-none", "annotations/organs/data", changed((1, 0, 0, 0), 77))

# Instances.

INSTANCES = "seg-instances.medh5"
LESIONS = "annotations/lesions"
data(INSTANCES, "instances-offsets-fall", f"{LESIONS}/mask_offsets", changed(1, 38))
data(INSTANCES, "instances-offsets-beyond", f"{LESIONS}/mask_offsets", changed(3, 400))
data(INSTANCES, "instances-offsets-not-from-0", f"{LESIONS}/mask_offsets", changed(0, 1))
data(INSTANCES, "instances-offsets-cut", f"{LESIONS}/mask_offsets", lambda a: a[:-1])
data(INSTANCES, "instances-shape-beyond-box", f"{LESIONS}/mask_shapes", lambda a: a + 1)
data(INSTANCES, "instances-shape-huge", f"{LESIONS}/mask_shapes", changed(0, 2**31 - 1))
data(INSTANCES, "instances-shape-negative", f"{LESIONS}/mask_shapes", changed((0, 0), -1))
data(INSTANCES, "instances-bytes-cut", f"{LESIONS}/mask_data", lambda a: a[:-2])
data(INSTANCES, "instances-id-twice", f"{LESIONS}/instance_ids", changed(1, 1))
data(INSTANCES, "instances-box-turned", f"{LESIONS}/boxes", lambda a: a[:, :, ::-1])
data(INSTANCES, "instances-box-nan", f"{LESIONS}/boxes", changed((0, 0, 0), np.nan))
data(INSTANCES, "instances-score-beyond", f"{LESIONS}/scores", changed(0, 1.5))


@branch(INSTANCES)
def instances_without_shapes(file):
    del file[f"{LESIONS}/mask_shapes"]


@branch(INSTANCES)
def instances_with_one_id_in_two_classes(file):
    replace(file[f"{LESIONS}/class_ids"], np.array([3, 1, 3], "u2"))
    replace(file[f"{LESIONS}/instance_ids"], np.array([5, 5, 6], "u4"))
    for key in ("class_ids", "annotated_class_ids"):
        file[LESIONS].attrs[key] = np.array([1, 3], "u2")


# Shapes.

BOXES = "det-boxes-obb.medh5"
OBB = "annotations/lesions_obb"
data(BOXES, "obb-size-negative", f"{OBB}/sizes", changed((0, 0), -1))
data(BOXES, "obb-size-nan", f"{OBB}/sizes", changed((0, 0), np.nan))
data(BOXES, "obb-centre-infinite", f"{OBB}/centers", changed((0, 0), np.inf))
data(BOXES, "obb-rotation-stretched", f"{OBB}/rotations", lambda a: a * 2)
data(BOXES, "obb-rotation-mirrored", f"{OBB}/rotations", lambda a: -a)
attribute(BOXES, "boxes-without-grid", "annotations/lesions", "grid", None)
attribute(BOXES, "boxes-in-world-without-frame", "annotations/lesions", "space", "world")
attribute(BOXES, "boxes-in-no-space", "annotations/lesions", "space", None)
attribute(BOXES, "boxes-in-other-space", "annotations/lesions", "space", "patient")

@branch(BOXES)
def boxes_on_a_grid_of_forty_axes(file):
    grid = file["grids/ct"]
    grid.attrs["shape"] = np.ones(40, "i8")
    grid.attrs["axis_names"] = texts(*(f"a{axis}" for axis in range(40)))
    grid.attrs["axis_kinds"] = texts(*["spatial"] * 40)
    grid.attrs["direction"] = np.eye(40)
    for key in ("spacing", "origin"):
        grid.attrs[key] = np.ones(40)
    replace(file["annotations/lesions/boxes"], np.ones((2, 40, 2), "f4"))


@branch(INSTANCES)
def instances_in_boxes_of_any_size(file):
    boxes = file[f"{LESIONS}/boxes"][()].astype("f8")
    boxes[0] = [[-1e300, 1e300], [-1e18, 1e19], [-np.inf, np.inf]]
    replace(file[f"{LESIONS}/boxes"], boxes)
    for column in ("mask_data", "mask_offsets", "mask_shapes"):
        del file[f"{LESIONS}/{column}"]


@branch("seg-labelmap.medh5")
def labels_of_every_class(file):
    for annotation in file["annotations"].values():
        annotation.attrs["class_ids"] = np.arange(1, 30000, dtype="u2")


CURVES = "shapes-contours-mesh.medh5"
RTSTRUCT = "annotations/rtstruct"
data(CURVES, "mesh-corner-beyond", "annotations/liver_surface/faces", changed((0, 0), 99))
data(CURVES, "mesh-corner-negative", "annotations/liver_surface/faces", changed((0, 0), -1))
data(CURVES, "contours-offsets-not-from-0", f"{RTSTRUCT}/contour_offsets", changed(0, 1))
data(CURVES, "contours-offsets-fall", f"{RTSTRUCT}/contour_offsets", changed(1, 9))
data(CURVES, "contours-offsets-short", f"{RTSTRUCT}/contour_offsets", lambda a: a[:-1])
data(CURVES, "contours-slice-beyond", f"{RTSTRUCT}/contour_plane", changed((0, 1), 500))
data(CURVES, "contours-slice-negative", f"{RTSTRUCT}/contour_plane", changed((0, 1), -7))
data(CURVES, "contours-axis-beyond", f"{RTSTRUCT}/contour_plane", changed((0, 0), 5))
data(CURVES, "contours-role-unknown", f"{RTSTRUCT}/contour_role", changed(0, 9))
data(CURVES, "contours-vertex-nan", f"{RTSTRUCT}/vertices", changed((0, 0), np.nan))
data(CURVES, "points-weights-short", "annotations/landmarks/weights", lambda a: a[:1])
data(CURVES, "points-names-short", "annotations/landmarks/names", lambda a: a[:1])

# Transforms.

AFFINE = "reg-affine-landmarks.medh5"
FIRST = "transforms/tp0_to_tp1"
for key in ("kind", "from_frame", "to_frame", "units"):
    attribute(AFFINE, f"transform-without-{key.replace('_', '-')}", FIRST, key, None)
attribute(AFFINE, "landmarks-of-nothing", "annotations/landmarks_tp0", "correspondence", "nowhere")
attribute(AFFINE, "transform-from-grid-nowhere", FIRST, "from_grid", "nowhere")


@branch(AFFINE)
def affine_without_matrix(file):
    del file[f"{FIRST}/matrix"]


@branch(AFFINE)
def affine_of_two_axes(file):
    replace(file[f"{FIRST}/matrix"], np.eye(3))


@branch(AFFINE)
def affine_from_a_grid_that_is_a_dataset(file):
    file.create_dataset("grids/flat", data=np.zeros(3))
    file[FIRST].attrs["from_grid"] = "flat"


SPLINE = "reg-bspline.medh5"
attribute(SPLINE, "spline-grid-nowhere", "transforms/ffd", "cp_grid", "nowhere")
attribute(SPLINE, "spline-space-unknown", "transforms/ffd", "vector_space", "patient")
attribute(SPLINE, "spline-space-index", "transforms/ffd", "vector_space", "index")
attribute(SPLINE, "spline-of-high-order", "transforms/ffd", "order", 9)
attribute(SPLINE, "spline-of-half-order", "transforms/ffd", "order", 2.5)
attribute(SPLINE, "spline-order-of-text", "transforms/ffd", "order", "cubic")
data(SPLINE, "spline-of-two-components", "transforms/ffd/control_points", lambda a: a[:2])
data(SPLINE, "spline-of-few-points", "transforms/ffd/control_points", lambda a: a[:, :3])
data(SPLINE, "spline-without-an-axis", "transforms/ffd/control_points", lambda a: a[:, 0])
data(SPLINE, "spline-of-nan", "transforms/ffd/control_points", changed((0, 0, 0, 0), np.nan))

COMPOSITE = "reg-displacement-composite.medh5"
BOTH = "transforms/tp0_to_refined"
data(COMPOSITE, "field-of-two-components", "transforms/refine/field", lambda a: a[:2])
data(COMPOSITE, "field-of-another-extent", "transforms/refine/field", lambda a: a[:, :-1])
attribute(COMPOSITE, "field-grid-nowhere", "transforms/refine", "field_grid", "nowhere")
for name, components in [
    ("of-itself", texts("tp0_to_refined")),
    ("of-nothing-known", texts("tp0_to_tp1", "nowhere")),
    ("of-none", np.empty(0, "i8")),
    ("in-another-order", texts("refine", "tp0_to_tp1")),
]:
    attribute(COMPOSITE, f"composite-{name}", BOTH, "components", components)
attribute(COMPOSITE, "composite-part-without-frame", "transforms/refine", "from_frame", None)
attribute(COMPOSITE, "composite-part-in-metres", "transforms/refine", "units", "m")

# Profiles.

for name, profiles in [
    ("profile-reg-without-transform", texts("core", "reg")),
    ("profile-training-without-index", texts("core", "training")),
    ("profile-curation-without-activity", texts("core", "curation")),
    ("profile-clinical-without-history", texts("clinical", "core")),
    ("profile-seg-without-voxels", texts("core", "seg")),
    ("profile-unknown", texts("core", "fancy")),
]:
    attribute(CORE, name, "/", "medh5_profiles", profiles)
CLINICAL = "clinical-worked-example.medh5"
attribute(CLINICAL, "clinical-not-declared", "/", "medh5_profiles", texts("core"))


@branch(CLINICAL)
def clinical_with_another_group(file):
    file.create_group("clinical/extra")


@branch(CLINICAL)
def clinical_without_events(file):
    del file["clinical/events"]


@branch(CLINICAL)
def clinical_events_are_a_dataset(file):
    del file["clinical/events"]
    file.create_dataset("clinical/events", data=np.zeros(3))


# The document.

AGREEMENT = {"metric": "dice", "value": 0.9, "against": "rater-2", "per_class": {"1": 0.8}}


def quality(name: str, **members) -> None:
    def change(document):
        entry = next(iter(document["quality"].values()))
        for key, value in members.items():
            entry[key] = value

    meta("seg-layers.medh5", name, change)


quality("quality-agreement", agreement=[AGREEMENT])
quality("quality-agreement-null", agreement=[{**AGREEMENT, "value": None}])
quality("quality-agreement-of-text", agreement=[{**AGREEMENT, "value": "0.9"}])
quality("quality-agreement-per-class-of-text", agreement=[{**AGREEMENT, "per_class": {"1": "x"}}])
quality("quality-agreement-without-metric", agreement=[{"value": 0.5}])
quality("quality-agreement-without-value", agreement=[{"metric": "dice"}])
quality("quality-agreement-is-true", agreement=[{**AGREEMENT, "value": True}])
quality("quality-issue", issues=[{"code": "leak", "severity": "minor", "class_ids": [1], "note": "a note"}])
quality("quality-issue-severity-unknown", issues=[{"code": "leak", "severity": "grave"}])
quality("quality-issue-severity-null", issues=[{"code": "leak", "severity": None}])
quality("quality-issue-severity-true", issues=[{"code": "leak", "severity": True}])
quality("quality-issue-without-code", issues=[{"severity": "minor"}])
quality("quality-issue-class-of-text", issues=[{"code": "leak", "class_ids": ["liver"]}])
quality("quality-status-unknown", status="perfect")


def timepoints(name: str, *points) -> None:
    meta("longitudinal-two-timepoints.medh5", name, lambda document: document.__setitem__("timepoints", list(points)))


timepoints("timepoints-empty")
timepoints("timepoint-no-identifier", {"id": "first visit", "index": 0}, {"id": "tp1", "index": 1})
timepoints("timepoint-index-negative", {"id": "tp0", "index": -1}, {"id": "tp1", "index": 1})
timepoints("timepoint-index-twice", {"id": "tp0", "index": 0}, {"id": "tp1", "index": 0})
timepoints("timepoint-id-twice", {"id": "tp0", "index": 0}, {"id": "tp0", "index": 1})
timepoints(
    "timepoint-days-fall",
    {"id": "tp0", "index": 0, "days_from_baseline": 30},
    {"id": "tp1", "index": 1, "days_from_baseline": 3},
)
for value in (None, True, 3, "x", [], {}):
    label = json.dumps(value).strip('"{}[]') or type(value).__name__
    meta(CORE, f"timepoints-are-{label}", lambda document, value=value: document.__setitem__("timepoints", value))
    meta(CORE, f"identity-is-{label}", lambda document, value=value: document.__setitem__("identity", value))


def main(folder: Path, suite: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, base, edit in BRANCHES:
        path = folder / f"{name}.medh5"
        if path.exists():
            sys.exit(f"two branches are called {name}")
        shutil.copyfile(suite / base, path)
        with h5py.File(path, "r+") as file:
            edit(file)
    verdicts.main(folder, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
