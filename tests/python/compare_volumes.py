"""Names what differs between two samples made from the same volumes: where voxels are, what they hold, which class they are in.

usage: compare_volumes.py ONE OTHER
"""

import sys

import medh5
import numpy as np


def image(sample):
    (found,) = sample.images.values()
    return found


def differences(one, other):
    a, b = image(one), image(other)
    grid, expected = one.grids[a.grid_id], other.grids[b.grid_id]
    for name in ("shape", "axis_kinds", "units", "coord_system", "time_units"):
        if getattr(grid, name) != getattr(expected, name):
            yield f"{name}: {getattr(grid, name)} / {getattr(expected, name)}"
    for name in ("spacing", "origin", "direction", "time_values"):
        found, wanted = getattr(grid, name), getattr(expected, name)
        same = wanted is None if found is None else np.allclose(found, wanted, atol=1e-5)
        if not same:
            yield f"{name}: {found} / {wanted}"
    if a.dataset.dtype != b.dataset.dtype or not np.array_equal(a.read(), b.read()):
        yield "the voxels differ"
    if not np.allclose(a.read(physical=True), b.read(physical=True)):
        yield "the rescaled voxels differ"
    for name, annotation in one.annotations.items():
        keys = {c.key: c.id for c in one.label_set.classes}
        their_keys = {c.key: c.id for c in other.label_set.classes}
        for key, class_id in keys.items():
            mine = annotation.dense([class_id])[0]
            theirs = next(iter(other.annotations.values())).dense([their_keys[key]])[0]
            if not np.array_equal(mine, theirs):
                yield f"class {key} differs"


for difference in differences(medh5.open(sys.argv[1]), medh5.open(sys.argv[2])):
    print(difference)
