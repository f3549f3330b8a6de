"""Lets the reference compute the sampling index of every annotation of voxels.

usage: index_tables.py FOLDER FILE...

Writes FOLDER/NAME.json for each file that opens as a sample: by annotation, classes, counts, boxes and occupancy.
"""

import json
import sys
from pathlib import Path

import medh5
import numpy as np
from medh5 import storage

BLOCK = 3


def tables(annotation) -> dict:
    found = storage.build_index(annotation, max_coords=7, occupancy=BLOCK)
    boxes = [None if np.isnan(box).any() else box.tolist() for box in found.class_bboxes]
    return {
        "class_ids": found.class_ids.tolist(),
        "voxel_counts": found.voxel_counts.tolist(),
        "class_bboxes": boxes,
        "stored": [len(found.fg_coords[class_id]) for class_id in found.class_ids],
        "occupancy_shape": list(found.occupancy.shape[1:]),
        "occupied": np.flatnonzero(found.occupancy).tolist(),
    }


def describe(path: Path) -> dict:
    entries = {}
    try:
        sample = medh5.open(path)
        annotations = dict(sample.annotations.items())
    except Exception:  # not a sample, or not a sound one: nothing to compare
        return entries
    for name, annotation in annotations.items():
        try:
            entries[name] = tables(annotation)
        except Exception as error:
            entries[name] = {"error": str(error)}
    return entries


folder = Path(sys.argv[1])
for path in map(Path, sys.argv[2:]):
    (folder / f"{path.stem}.json").write_text(json.dumps(describe(path)))
