"""Transforms between frames."""

import h5py
import numpy as np

from .target import NotApplicable, Operator, operator, replace

OPERATORS: list[Operator] = []


@operator(OPERATORS, weight=3)
def matrix(t):
    d = t.pick(m["matrix"] for m in t.members("transforms") if isinstance(m, h5py.Group) and "matrix" in m)
    data = d[()]
    how = t.pick(["nan", "last-row", "last-row-little", "zero", "small"])
    if how == "nan":
        data[0, 0] = np.nan
    elif how.startswith("last-row"):
        data[-1, 0] += 1e-10 if how.endswith("little") else 1e-3
    elif how == "zero":
        data[:-1, :-1] = 0
    else:
        data = np.eye(3)
    replace(d, data)
    return f"{d.name}: {how}"


@operator(OPERATORS, weight=3)
def frames(t):
    m = t.member("transforms")
    uids = [str(g.attrs["frame_uid"]) for g in t.members("grids") if "frame_uid" in g.attrs]
    name = t.pick(["from_frame", "to_frame"])
    m.attrs[name] = t.pick([*uids, "elsewhere", ""])
    return f"{m.name}@{name} = {m.attrs[name]!r}"


@operator(OPERATORS, weight=2)
def kind(t):
    m = t.member("transforms")
    m.attrs["kind"] = t.pick(["identity", "affine", "displacement", "bspline", "composite", "spline"])
    return f"{m.name}@kind = {m.attrs['kind']}"


@operator(OPERATORS, weight=2)
def inverse(t):
    m = t.member("transforms")
    names = [o.name.rsplit("/", 1)[1] for o in t.members("transforms")]
    m.attrs["inverse_id"] = t.pick([*names, "nowhere", "transforms/" + names[0]])
    return f"{m.name}@inverse_id = {m.attrs['inverse_id']}"


@operator(OPERATORS, weight=2)
def composite(t):
    m = t.pick(m for m in t.members("transforms") if m.attrs.get("kind") == "composite" or t.rng.random() < 0.1)
    names = [o.name.rsplit("/", 1)[1] for o in t.members("transforms")]
    m.attrs["kind"] = "composite"
    chain = [t.pick([*names, "nowhere"]) for _ in range(int(t.rng.integers(0, 4)))]
    m.attrs["components"] = np.array(chain, dtype=object) if chain else np.empty(0, "i8")
    return f"{m.name}@components = {chain}"


@operator(OPERATORS, weight=2)
def field(t):
    m = t.pick(m for m in t.members("transforms") if m.attrs.get("kind") in ("displacement", "bspline"))
    how = t.pick(["grid", "space", "order", "units", "cut"])
    if how == "grid":
        name = t.pick(n for n in ("field_grid", "cp_grid") if n in m.attrs)
        m.attrs[name] = t.pick([g.name.rsplit("/", 1)[1] for g in t.members("grids")] + ["nowhere"])
    elif how == "space":
        m.attrs["vector_space"] = t.pick(["world", "index", "other"])
    elif how == "order":
        m.attrs["order"] = t.pick([1, 3, 9, 2.5, "x"])
    elif how == "units":
        m.attrs["units"] = t.pick(["mm", "um", "m", "px"])
    else:
        d = t.pick(m[n] for n in m if isinstance(m[n], h5py.Dataset))
        data = d[()]
        if min(data.shape) < 2:
            raise NotApplicable
        replace(d, np.ascontiguousarray(data[:, ::2]))
    return f"{m.name}: {how}"


@operator(OPERATORS)
def units(t):
    item = t.pick(t.members("transforms", "grids"))
    item.attrs["units"] = t.pick(["mm", "um", "m", "px", "parsec"])
    return f"{item.name}@units = {item.attrs['units']}"
