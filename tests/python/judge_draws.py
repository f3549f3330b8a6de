"""Says what is wrong with drawn patches, by the labels as the reference reads them.

usage: judge_draws.py SAMPLE DRAWS

Every voxel drawn around must belong to its class, every patch lie where its voxel says, and the choices spread evenly.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import medh5


def members(sample, annotation: str) -> dict:
    found = sample.annotations[annotation]
    return {class_id: found.dense([class_id])[0] for class_id in found.header.class_ids}


def window(center: int, size: int, extent: int) -> tuple:
    if size >= extent:
        spare = size - extent
        return 0, extent, [spare // 2, spare - spare // 2]
    start = min(max(center - size // 2, 0), extent - size)
    return start, start + size, [0, 0]


def faults(report: dict, sample) -> list[str]:
    masks = members(sample, report["annotation"])
    classes = Counter()
    found = []
    for number, patch in enumerate(report["patches"]):
        shape = next(iter(masks.values())).shape
        size = [b - a + sum(pad) for a, b, pad in zip(patch["start"], patch["stop"], patch["pad"])]
        if patch["class_id"] is not None:
            classes[patch["class_id"]] += 1
            if not masks[patch["class_id"]][tuple(patch["center"])]:
                found.append(f"draw {number}: {patch['center']} is outside class {patch['class_id']}")
        expected = [window(*axis) for axis in zip(patch["center"], size, shape)]
        if [list(axis) for axis in expected] != [list(axis) for axis in zip(patch["start"], patch["stop"], patch["pad"])]:
            found.append(f"draw {number}: the window is not {expected}")
    drawn = sum(classes.values())
    present = [class_id for class_id, mask in masks.items() if mask.any()]
    for class_id in present if drawn >= 100 else []:
        expected = drawn / len(present)
        if abs(classes[class_id] - expected) > 5 * expected**0.5:
            found.append(f"class {class_id}: {classes[class_id]} draws, about {expected:.0f} expected")
    return found


report = json.loads(Path(sys.argv[2]).read_text())
print("\n".join(faults(report, medh5.open(sys.argv[1]))))
