"""Any attribute of any object: missing, of another type, of another value."""

import h5py
import numpy as np

from .target import CHAPTERS, NotApplicable, Operator, Target, operator

OPERATORS: list[Operator] = []


def any_attribute(t: Target):
    """An object and the name of one of its attributes; digests have operators of their own."""
    objects = t.members(*CHAPTERS) + [t.root]
    pairs = [(o, name) for o in objects for name in o.attrs if name not in ("digest", "content_id")]
    return t.pick(pairs)


@operator(OPERATORS, weight=6)
def delete_attribute(t):
    item, name = any_attribute(t)
    del item.attrs[name]
    return f"{item.name}@{name} deleted"


FORMS = {
    "text": lambda old: "text",
    "empty-text": lambda old: "",
    "integer": lambda old: np.int64(7),
    "negative": lambda old: np.int32(-1),
    "float": lambda old: 2.5,
    "nan": lambda old: float("nan"),
    "infinity": lambda old: float("-inf"),
    "bool": lambda old: np.bool_(True),
    "null": lambda old: h5py.Empty("<f8"),
    "null-text": lambda old: h5py.Empty(h5py.string_dtype()),
    "list-of-one": lambda old: np.array([old], dtype=object) if isinstance(old, str) else np.array([old]).ravel()[:1],
    "empty-list": lambda old: np.empty(0, "i8"),
    "text-list": lambda old: np.array(["a", "b"], dtype=object),
    "matrix": lambda old: np.ones((2, 2)),
    "compound": lambda old: np.zeros((), np.dtype([("a", "i4")])),
    "bytes": lambda old: np.bytes_(str(old).encode("ascii", "replace")[:40] or b"-"),
    "big-endian": lambda old: np.asarray(old).astype(np.asarray(old).dtype.newbyteorder(">")),
    "single-precision": lambda old: np.asarray(old).astype("f4"),
    "longer": lambda old: np.concatenate([np.atleast_1d(old), np.atleast_1d(old)[:1]]),
    "shorter": lambda old: np.atleast_1d(old)[:-1],
    "reversed": lambda old: np.atleast_1d(old)[::-1],
    "zero": lambda old: np.zeros_like(old),
    "huge": lambda old: np.int64(2**62),
}


@operator(OPERATORS, weight=14)
def change_attribute_form(t):
    item, name = any_attribute(t)
    form = t.pick(FORMS)
    old = item.attrs[name]
    try:
        new = FORMS[form](old)
        del item.attrs[name]
        item.attrs[name] = new
    except (TypeError, ValueError, IndexError) as error:
        raise NotApplicable from error
    return f"{item.name}@{name} as {form}"


@operator(OPERATORS, weight=6)
def perturb_number(t):
    objects = t.members()
    pairs = [(o, n) for o in objects for n in o.attrs if getattr(o.attrs[n], "dtype", np.dtype("O")).kind in "iuf"]
    item, name = t.pick(pairs)
    values = np.array(item.attrs[name])
    flat = np.atleast_1d(values).ravel().copy()
    if not flat.size:
        raise NotApplicable
    place = int(t.rng.integers(flat.size))
    if flat.dtype.kind == "f":
        factor = t.pick([0.0, -1.0, 1 + 1e-6, 1 + 5e-4, 1.01, 2.0, float("nan"), float("inf")])
        flat[place] = flat[place] * factor if factor == factor else factor
    else:
        change = t.pick([1, -1, 5, 1000])
        flat[place] = flat.dtype.type((int(flat[place]) + change) % (int(np.iinfo(flat.dtype).max) + 1))
    item.attrs[name] = flat.reshape(values.shape) if values.ndim else flat[0]
    return f"{item.name}@{name}[{place}] changed"


VOCABULARY = [
    "unknown", "spatial", "time", "channel", "mm", "px", "m", "index", "world", "sample", "explicit", "implicit",
    "open", "closed", "detection", "segmentation", "other", "intensity", "mask", "boxes", "labelmap", "layers",
    "composite", "affine", "../grids/g", "/grids/ct", "./ct", "nowhere", " ct", "É", "a/b",
]


@operator(OPERATORS, weight=6)
def change_text(t):
    pairs = [(o, n) for o in t.members() for n in o.attrs if isinstance(o.attrs[n], str) and n != "digest"]
    item, name = t.pick(pairs)
    same = [o.attrs[name] for o in t.members() if isinstance(o.attrs.get(name), str)]
    item.attrs[name] = t.pick(VOCABULARY + same * 4)
    return f"{item.name}@{name} = {item.attrs[name]!r}"


@operator(OPERATORS)
def change_text_in_list(t):
    pairs = [
        (o, n) for o in t.members() for n in o.attrs
        if isinstance(o.attrs[n], np.ndarray) and o.attrs[n].dtype.kind == "O" and o.attrs[n].size
    ]
    item, name = t.pick(pairs)
    values = list(item.attrs[name].ravel())
    values[int(t.rng.integers(len(values)))] = t.pick(VOCABULARY + values)
    item.attrs[name] = np.array(values, dtype=object)
    return f"{item.name}@{name} = {values}"


@operator(OPERATORS, weight=2)
def add_attribute(t):
    name = t.pick([
        "ignore_mask", "valid_mask", "derived_from", "skeleton", "correspondence", "timepoints", "timepoint", "prov",
        "quality", "metrics", "frame_uid", "grid", "inverse_id", "time_values", "time_units", "patch_hint", "chunk_hint",
        "channel_names", "ignore_id", "threshold", "normalized", "slice_index", "multilabel", "order", "vector_space",
        "levels", "scope", "something_unknown", "rescale_slope", "closure", "space", "from_grid",
    ])
    value = t.pick(["unknown", "", 1, -2, 0.5, ["a"], [1, 2, 3], [0.0, 1.0]])
    names = [o.name.rsplit("/", 1)[1] for o in t.members()]
    item = t.member()
    item.attrs[name] = t.pick([value, *names[:3]])
    return f"{item.name}@{name} = {item.attrs[name]!r}"


@operator(OPERATORS)
def swap_attribute(t):
    chapter = t.pick(CHAPTERS)
    first, second = t.member(chapter), t.member(chapter)
    name = t.pick(n for n in first.attrs if n in second.attrs and n != "digest")
    a, b = first.attrs[name], second.attrs[name]
    if first.name == second.name:
        raise NotApplicable
    first.attrs[name], second.attrs[name] = b, a
    return f"{first.name}@{name} and {second.name}@{name} swapped"
