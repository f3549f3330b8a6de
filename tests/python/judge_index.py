"""Says what is wrong with the sampling indices of samples, as the reference reads and computes them.

usage: judge_index.py SAMPLE...

Every entry must be current, know what a fresh one knows, list voxels of its classes, and be used by the reference's draws.
"""

import sys

import medh5
import numpy as np
from medh5 import sampling, storage


def same_box(found, expected) -> bool:
    if found is None:
        return bool(np.isnan(expected).all())
    return bool((found == expected).all())


def faults(sample, name: str, entry):
    annotation = sample.annotations[name]
    fresh = storage.build_index(annotation)
    if name not in sample.fresh_indices:
        yield "is stale"
    if list(entry.class_ids) != fresh.class_ids.tolist():
        yield f"has the classes {entry.class_ids}, not {fresh.class_ids}"
    for class_id, count, box in zip(fresh.class_ids, fresh.voxel_counts, fresh.class_bboxes):
        class_id = int(class_id)
        if entry.voxel_counts[class_id] != count:
            yield f"counts {entry.voxel_counts[class_id]} voxels of class {class_id}, not {count}"
        if not same_box(entry.bbox(class_id), box):
            yield f"has the box {entry.bbox(class_id)} of class {class_id}, not {box}"
        mask, listed = annotation.dense([class_id])[0], entry.coords(class_id)
        if len(listed) != min(count, 4096) or not mask[tuple(listed.T)].all():
            yield f"lists {len(listed)} coordinates of class {class_id}, or one outside it"
    draws = sampling.PatchSampler(4, strategy="foreground").draws(sample, name, 5, 1)
    if any(draw.used_index is False for draw in draws):
        yield "is not used"


entries = 0
for path in sys.argv[1:]:
    with medh5.open(path) as sample:
        for name, entry in sample.index.items():
            entries += 1
            for fault in faults(sample, name, entry):
                print(f"{path}: {name} {fault}")
print(f"{entries} entries")
