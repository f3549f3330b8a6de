"""Grids and pyramids near their tolerances."""

import h5py
import numpy as np

from .target import NotApplicable, Operator, Target, operator

OPERATORS: list[Operator] = []


def grid(t: Target):
    return t.member("grids")


@operator(OPERATORS, weight=2)
def tilt_direction(t):
    g = grid(t)
    direction = np.array(g.attrs.get("direction", np.empty(0)), float)
    if direction.ndim != 2 or not direction.size:
        raise NotApplicable
    angle = t.pick([1e-6, 9e-5, 1.1e-4, 1e-3, 0.3])
    direction[0, -1] += angle
    g.attrs["direction"] = direction
    return f"{g.name}@direction sheared by {angle}"


@operator(OPERATORS)
def reflect_direction(t):
    g = grid(t)
    g.attrs["direction"] = -np.array(g.attrs["direction"]) if t.chance(0.5) else np.array(g.attrs["direction"])[::-1]
    return f"{g.name}@direction reflected"


@operator(OPERATORS)
def scale_direction(t):
    g = grid(t)
    g.attrs["direction"] = np.array(g.attrs["direction"]) * t.pick([1.00004, 1.0001, 2.0, 0.0])
    return f"{g.name}@direction scaled"


@operator(OPERATORS, weight=2)
def change_shape(t):
    g = grid(t)
    shape = np.array(g.attrs["shape"])
    shape[int(t.rng.integers(shape.size))] += t.pick([1, -1, 100, 2**40, -(10**6)])
    g.attrs["shape"] = shape
    return f"{g.name}@shape = {shape}"


@operator(OPERATORS)
def null_shape(t):
    g = grid(t)
    del g.attrs["shape"]
    g.attrs["shape"] = h5py.Empty("i8")
    return f"{g.name}@shape has no elements"


@operator(OPERATORS)
def change_axis_kinds(t):
    g = grid(t)
    kinds = [str(kind) for kind in g.attrs["axis_kinds"]]
    kinds[int(t.rng.integers(len(kinds)))] = t.pick(["time", "channel", "other", "spatial", "unknown"])
    if t.chance(0.3):
        kinds.reverse()
    g.attrs["axis_kinds"] = np.array(kinds, dtype=object)
    return f"{g.name}@axis_kinds = {kinds}"


@operator(OPERATORS, weight=2)
def share_frame(t):
    a, b = grid(t), t.pick(g for g in t.members("grids"))
    a.attrs["frame_uid"] = b.attrs.get("frame_uid", "1.2.3")
    return f"{a.name}@frame_uid from {b.name}"


@operator(OPERATORS)
def time_axis(t):
    g = t.pick(g for g in t.members("grids") if "time_values" in g.attrs)
    values = np.array(g.attrs["time_values"], float)
    g.attrs["time_values"] = t.pick([values[:-1], values[::-1], values * np.nan, np.append(values, 1.0)])
    return f"{g.name}@time_values changed"


@operator(OPERATORS, weight=2)
def pyramid_factor(t):
    image = t.pick(i for i in t.members("images") if "downsample_factors" in i.attrs)
    factors = np.array(image.attrs["downsample_factors"], float)
    place = tuple(int(t.rng.integers(n)) for n in factors.shape)
    factors[place] *= t.pick([1 + 5e-4, 1.002, 2.0, 0.0, -1.0])
    image.attrs["downsample_factors"] = factors
    return f"{image.name}@downsample_factors{place} changed"


@operator(OPERATORS, weight=2)
def pyramid_level(t):
    image = t.pick(i for i in t.members("images") if "levels" in i.attrs)
    names = list(image)
    name = t.pick(names)
    what = t.pick(["delete", "rename", "add", "text"])
    if what == "delete":
        del image[name]
    elif what == "rename":
        image.move(name, t.pick(["007", "+1", "9", "x"]))
    elif what == "add":
        image.create_dataset(t.pick(["7", "007", "notes"]), data=t.pick([np.zeros(3), "text"]))
    else:
        image.attrs["levels"] = t.pick(["2", 2.0, [2], 3])
    return f"{image.name}: {what} {name}"


@operator(OPERATORS)
def level_grid(t):
    image = t.pick(i for i in t.members("images") if "grid_levels" in i.attrs)
    level = t.pick(str(name) for name in image.attrs["grid_levels"])
    g = t.root["grids"][level]
    name = t.pick(["origin", "spacing"])
    values = np.array(g.attrs[name], float)
    values[0] += t.pick([1e-5, 1e-3, 0.5])
    g.attrs[name] = values
    return f"{g.name}@{name} moved"
