"""Any dataset: values, type, shape, storage, kind of object."""

import h5py
import hdf5plugin
import numpy as np

from .target import NotApplicable, Operator, Target, operator, replace

OPERATORS: list[Operator] = []


def any_dataset(t: Target) -> h5py.Dataset:
    return t.pick(t.datasets())


def numeric(t: Target) -> h5py.Dataset:
    return t.pick(d for d in t.datasets() if d.dtype.kind in "iufb" and d.size)


def is_covered(dataset: h5py.Dataset) -> bool:
    return "digest" in dataset.attrs and not dataset.name.startswith("/index")


@operator(OPERATORS, weight=10)
def change_value(t):
    d = numeric(t)
    data = d[()] if d.ndim else np.array(d[()])
    flat = np.atleast_1d(data).ravel().copy()
    place = int(t.rng.integers(flat.size))
    old = flat[place]
    if flat.dtype.kind == "f":
        flat[place] = t.pick([np.nan, np.inf, -1.0, 0.0, 2.0, float(old) + 1])
    elif flat.dtype.kind == "b":
        flat[place] = not old
    else:
        limits = np.iinfo(flat.dtype)
        flat[place] = flat.dtype.type(t.pick([limits.min, limits.max, 0, 1, min(int(old) + 1, limits.max)]))
    if flat[place] == old:
        raise NotApplicable
    d[...] = flat.reshape(d.shape)
    t.covered = t.covered or is_covered(d)
    return f"{d.name}[{place}]: {old} becomes {flat[place]}"


@operator(OPERATORS, weight=2)
def shuffle_values(t):
    d = numeric(t)
    data = d[()]
    mixed = t.rng.permutation(np.atleast_1d(data).ravel()).reshape(d.shape)
    if (mixed == data).all():
        raise NotApplicable
    d[...] = mixed
    t.covered = t.covered or is_covered(d)
    return f"{d.name} shuffled"


TYPES = ["u1", "i1", "<u2", ">u2", "<i4", ">i4", "<i8", "<u8", "<f2", "<f4", ">f4", "<f8", "?"]


@operator(OPERATORS, weight=5)
def retype(t):
    d = numeric(t)
    kind = np.dtype(t.pick(TYPES))
    if kind == d.dtype:
        raise NotApplicable
    with np.errstate(all="ignore"):
        data = np.asarray(d[()]).astype(kind)
    replace(d, data)
    return f"{d.name} as {kind.str}"


@operator(OPERATORS, weight=2)
def to_text(t):
    d = any_dataset(t)
    data = t.pick([np.array(["x"] * (d.shape[0] if d.ndim else 1), dtype=object), "text", b"fixed"])
    replace(d, data)
    return f"{d.name} as text"


@operator(OPERATORS)
def to_compound(t):
    d = any_dataset(t)
    replace(d, np.zeros(d.shape if d.ndim else (1,), np.dtype([("a", "i4"), ("b", "f8")])))
    return f"{d.name} as records"


@operator(OPERATORS)
def to_enum(t):
    d = t.pick(d for d in t.datasets() if d.dtype.kind in "iu" and d.dtype.itemsize <= 4)
    kind = h5py.enum_dtype({"A": 0, "B": 1, "C": 2}, basetype=d.dtype)
    replace(d, np.asarray(d[()]), dtype=kind)
    return f"{d.name} as an enumeration"


@operator(OPERATORS, weight=4)
def reshape(t):
    d = numeric(t)
    data = np.asarray(d[()])
    how = t.pick(["cut", "grow", "flatten", "axis", "empty", "transpose"])
    if how == "cut" and data.ndim:
        data = data[:-1]
    elif how == "grow" and data.ndim:
        data = np.concatenate([data, data[-1:]])
    elif how == "flatten" and data.ndim > 1:
        data = data.ravel()
    elif how == "axis":
        data = data[None]
    elif how == "empty" and data.ndim:
        data = data[:0]
    elif how == "transpose" and data.ndim > 1:
        data = np.ascontiguousarray(data.T)
    else:
        raise NotApplicable
    replace(d, data)
    return f"{d.name}: {how}, now {data.shape}"


STORAGE = {
    "gzip": {"compression": "gzip"},
    "shuffle-only": {"shuffle": True},
    "fletcher32": {"fletcher32": True},
    "lzf": {"compression": "lzf"},
    "zstd": hdf5plugin.Zstd(),
    "lz4": hdf5plugin.LZ4(),
    "blosc1": hdf5plugin.Blosc(),
    "blosc2": hdf5plugin.Blosc2(cname="zstd"),
    "bitshuffle": hdf5plugin.Bitshuffle(),
    "chunked": {"chunks": True},
}


@operator(OPERATORS, weight=4)
def restore_differently(t):
    d = t.pick(d for d in t.datasets() if d.dtype.kind in "iuf" and d.size and d.ndim)
    name = t.pick(STORAGE)
    options = dict(STORAGE[name])
    options.setdefault("chunks", tuple(max(1, n // 2) for n in d.shape))
    replace(d, d[()], **options)
    return f"{d.name} stored with {name}"


@operator(OPERATORS)
def scale_offset(t):
    d = t.pick(d for d in t.datasets() if d.dtype.kind in "iu" and d.size and d.ndim)
    replace(d, d[()], scaleoffset=0, chunks=d.shape)
    return f"{d.name} stored with scale-offset"


@operator(OPERATORS, weight=2)
def stack_chunks(t):
    """Stored with chunks of several planes, or without any."""
    d = t.pick(d for d in t.datasets("annotations", "images") if d.ndim >= 3 and d.size)
    options = t.pick([{}, {"chunks": d.shape, "compression": "gzip"}, {"chunks": (1, *d.shape[1:]), "compression": "gzip"}])
    replace(d, d[()], **options)
    return f"{d.name} stored with {options}"


@operator(OPERATORS)
def large_uncompressed(t):
    name = t.pick(["extra", "images/large", "annotations/large"])
    if name in t.root:
        raise NotApplicable
    size = t.pick([2**20 - 1, 2**20, 2**20 + 1, 2**21])
    options = t.pick([{}, {"compression": "gzip"}, {"chunks": (2**18,)}])
    t.root.create_dataset(name, shape=(size,), dtype="u1", **options)
    return f"{name} of {size} bytes, {options}"


@operator(OPERATORS, weight=4)
def delete_dataset(t):
    d = any_dataset(t)
    name = d.name
    del t.file[name]
    return f"{name} deleted"


@operator(OPERATORS, weight=2)
def dataset_becomes_group(t):
    d = any_dataset(t)
    name = d.name
    del t.file[name]
    t.file.create_group(name)
    return f"{name} is a group"


@operator(OPERATORS, weight=2)
def group_becomes_dataset(t):
    groups = [m for m in t.members() if isinstance(m, h5py.Group)]
    groups += [t.root[n] for n in ("grids", "images", "annotations", "transforms", "index") if isinstance(t.root.get(n), h5py.Group)]
    g = t.pick(groups)
    name, attributes = g.name, dict(g.attrs)
    del t.file[name]
    d = t.file.create_dataset(name, data=np.arange(4))
    for key, value in attributes.items():
        d.attrs[key] = value
    return f"{name} is a dataset"


@operator(OPERATORS)
def null_dataset(t):
    d = any_dataset(t)
    replace(d, h5py.Empty(d.dtype if d.dtype.kind in "iuf" else "f4"))
    return f"{d.name} has a null dataspace"


@operator(OPERATORS)
def float_image(t):
    """Values that are lossless as integers, or just not."""
    d = t.pick(d for d in t.datasets("images") if d.dtype.kind in "iu" and d.size)
    data = np.asarray(d[()]).astype(t.pick(["f4", "f8", "f2"]))
    extra = t.pick([None, 0.5, np.nan, 40_000.0, -40_000.0])
    if extra is not None:
        data.ravel()[0] = extra
    replace(d, data)
    return f"{d.name} as {data.dtype}, first value {extra}"
