"""Annotations: kinds, classes, columns, offsets, shapes."""

import h5py
import numpy as np

from .target import NotApplicable, Operator, operator, replace

OPERATORS: list[Operator] = []

KINDS = [
    "labelmap", "layers", "bitmask", "instances", "probmap", "mask", "boxes", "obb", "keypoints", "points", "contours",
    "mesh", "polylines", "classification", "rle", "unknown", "",
]


@operator(OPERATORS, weight=3)
def change_kind(t):
    a = t.annotation()
    a.attrs["kind"] = t.pick(KINDS)
    return f"{a.name}@kind = {a.attrs['kind']!r}"


@operator(OPERATORS, weight=5)
def change_class_list(t):
    a = t.annotation()
    name = t.pick(n for n in ("class_ids", "annotated_class_ids") if n in a.attrs)
    values = [int(v) for v in np.atleast_1d(a.attrs[name])]
    how = t.pick(["add", "drop", "zero", "reserved", "double", "empty", "reverse"])
    if how == "add":
        values.append(t.pick([1, 2, 3, 99, 700]))
    elif how == "drop":
        values = values[:-1]
    elif how == "zero":
        values = [0] + values[1:]
    elif how == "reserved":
        values = values[:-1] + [65535]
    elif how == "double":
        values = values + values[:1]
    elif how == "empty":
        values = []
    else:
        values.reverse()
    a.attrs[name] = np.array(values, t.pick(["u2", "u2", "i8"]))
    return f"{a.name}@{name}: {how}, {values}"


@operator(OPERATORS, weight=3)
def ignore(t):
    a = t.annotation("labelmap", "layers", "bitmask", "instances", "probmap")
    name = t.pick(["ignore_id", "ignore_mask"])
    others = [m.name.rsplit("/", 1)[1] for m in t.members("annotations")]
    a.attrs[name] = t.pick([0, 1, 255, 65535, 70000, "x"]) if name == "ignore_id" else t.pick([*others, "annotations/" + others[0], "nowhere"])
    return f"{a.name}@{name} = {a.attrs[name]!r}"


@operator(OPERATORS, weight=3)
def change_offsets(t):
    columns = [
        a[n] for a in t.members("annotations") if isinstance(a, h5py.Group)
        for n in a if n.endswith("offsets") and isinstance(a[n], h5py.Dataset) and a[n].size
    ]
    d = t.pick(columns)
    values = d[()].astype("i8")
    place = int(t.rng.integers(values.size))
    values[place] += t.pick([1, -1, 1000])
    if values.min() < 0 and d.dtype.kind == "u":
        raise NotApplicable
    d[...] = values.astype(d.dtype)
    return f"{d.name}[{place}] = {values[place]}"


@operator(OPERATORS, weight=3)
def change_boxes(t):
    a = t.annotation("boxes", "instances")
    d = t.column(a, "boxes")
    if not d.size or d.ndim != 3:
        raise NotApplicable
    boxes = d[()]
    row, axis = int(t.rng.integers(d.shape[0])), int(t.rng.integers(d.shape[1]))
    how = t.pick(["invert", "flat", "nan", "inf", "move"])
    if how == "invert":
        boxes[row, axis] = boxes[row, axis, ::-1]
    elif how == "flat":
        boxes[row, axis, 1] = boxes[row, axis, 0]
    elif how == "move":
        boxes[row, axis] += 1
    else:
        boxes[row, axis, 0] = np.nan if how == "nan" else np.inf
    d[...] = boxes
    return f"{d.name}[{row}, {axis}]: {how}"


@operator(OPERATORS, weight=2)
def rotate(t):
    a = t.annotation("obb")
    d = t.column(a, "rotations")
    data = d[()]
    if not data.size:
        raise NotApplicable
    data[0, 0] = data[0, 0] * t.pick([1.00001, 1.0002, -1.0, 0.0])
    d[...] = data
    return f"{d.name} row changed"


@operator(OPERATORS, weight=2)
def change_column_classes(t):
    columns = [
        a[n] for a in t.members("annotations") if isinstance(a, h5py.Group)
        for n in a if "class_ids" in n and isinstance(a[n], h5py.Dataset) and a[n].size
    ]
    d = t.pick(columns)
    data = d[()]
    flat = data.ravel()
    flat[int(t.rng.integers(flat.size))] = t.pick([0, 1, 2, 3, 65535, 99])
    d[...] = flat.reshape(data.shape)
    return f"{d.name} has another class"


@operator(OPERATORS, weight=2)
def instance_ids(t):
    a = t.pick(a for a in t.members("annotations") if isinstance(a, h5py.Group) and "instance_ids" in a)
    d = a["instance_ids"]
    if not isinstance(d, h5py.Dataset) or not d.size:
        raise NotApplicable
    d[...] = np.full(d.shape, d[0]) if t.chance(0.5) else d[()] + 1
    return f"{d.name} changed"


@operator(OPERATORS, weight=2)
def probabilities(t):
    a = t.annotation("probmap")
    how = t.pick(["above", "below", "nan", "sum", "threshold", "normalized"])
    d = t.column(a, "data")
    if how == "threshold":
        a.attrs["threshold"] = t.pick([-0.1, 1.0, 1.5, "x", [0.5, 0.5], float("nan")])
    elif how == "normalized":
        a.attrs["normalized"] = t.pick([True, False, "false", 1])
    else:
        a.attrs["normalized"] = True
        data = d[()]
        data.ravel()[0] = {"above": 1.5, "below": -0.25, "nan": np.nan, "sum": 0.75}[how]
        d[...] = data
    return f"{a.name}: probabilities {how}"


@operator(OPERATORS, weight=2)
def polygon(t):
    a = t.annotation("contours", "mesh", "polylines", "keypoints", "points")
    d = t.pick(a[n] for n in a if isinstance(a[n], h5py.Dataset) and a[n].size and a[n].dtype.kind in "iu")
    data = d[()]
    data.ravel()[int(t.rng.integers(data.size))] = t.pick([0, 1, 2, 3, 200])
    d[...] = data
    return f"{d.name} changed"


@operator(OPERATORS, weight=2)
def classification(t):
    a = t.annotation("classification")
    how = t.pick(["value", "scope", "multilabel", "scope_ids"])
    if how == "value":
        d = t.column(a, "values")
        d[...] = np.full(d.shape, t.pick([-0.5, 1.0, 2.0, np.nan]))
    elif how == "scope":
        a.attrs["scope"] = t.pick(["sample", "timepoint", "grid", "roi", "slice", "instance", "planet"])
    elif how == "multilabel":
        a.attrs["multilabel"] = t.pick([True, False])
    else:
        d = t.column(a, "scope_ids")
        replace(d, np.full(d.shape, t.pick([0, 1, 9]), d.dtype))
    return f"{a.name}: {how}"


@operator(OPERATORS, weight=2)
def space(t):
    a = t.annotation("boxes", "obb", "keypoints", "points", "contours", "mesh", "polylines")
    a.attrs["space"] = t.pick(["index", "world", "other"])
    if t.chance(0.5):
        a.attrs["frame_uid"] = t.pick(["1.2.3", "other-frame"])
    if t.chance(0.3) and "grid" in a.attrs:
        del a.attrs["grid"]
    return f"{a.name}@space = {a.attrs['space']}"


@operator(OPERATORS, weight=2)
def wider_labels(t):
    """A label map of 16 bits that needs them, or not."""
    a = t.annotation("labelmap")
    d = t.column(a, "data")
    data = d[()].astype("u2")
    if t.chance(0.5):
        data.ravel()[0] = t.pick([65535, 255, 300])
    replace(d, data, chunks=True, compression="gzip")
    return f"{d.name} as 16 bits"
