"""Writes one sample with many grids, hints, element types, stacked annotations, fields and a pyramid.

usage: make_grids.py FILE
"""

import sys

import medh5
import numpy as np

EXTENTS = [(70, 90, 100), (33, 210, 200), (300, 20, 64), (129, 65, 80), (1, 400, 500), (96, 96, 96)]
HINTS = [None, (32, 32, 32), (96, 96, 96), (5, 130, 130), (48, 200, 7)]
CODES = ["u1", "<i2", "<f4", "<f8"]
FRAME = "1.2.3"


def main(path: str) -> None:
    classes = [medh5.LabelClass(i + 1, f"c{i + 1}", f"C{i + 1}") for i in range(3)]
    with medh5.create(path, sample_id="grids", subject_id="subject", codec="portable") as w:
        w.add_timepoint("tp1", index=0)
        w.label_set(medh5.LabelSet("classes", version="1.0", classes=classes))
        number = 0
        for extent in EXTENTS:
            for hint in HINTS:
                code = CODES[number % len(CODES)]
                grid = f"g{number:02}"
                w.add_grid(grid, shape=extent, spacing=(1.0, 1.0, 1.0), timepoint="tp1", frame_uid=FRAME, patch_hint=hint)
                w.add_image(f"i{number:02}", np.full(extent, number % 100, code), grid=grid, modality="CT")
                number += 1
        w.add_grid("hinted", shape=(80, 90, 100), spacing=(1.0, 1.0, 1.0), timepoint="tp1", frame_uid=FRAME, chunk_hint=(200, 11, 30))
        w.add_grid("time", shape=(4, 200, 210), axis_names=("t", "y", "x"), axis_kinds=("time", "spatial", "spatial"),
                   spacing=(1.0, 1.0), time_values=(0.0, 1.0, 2.0, 3.0), time_units="s", timepoint="tp1", frame_uid=FRAME)
        w.add_grid("fine", shape=(80, 120, 120), spacing=(1.0, 1.0, 1.0), timepoint="tp1", frame_uid=FRAME)
        w.add_grid("half", shape=(40, 60, 60), spacing=(2.0, 2.0, 2.0), origin=(0.5, 0.5, 0.5), timepoint="tp1", frame_uid=FRAME)
        w.add_image("hinted", np.zeros((80, 90, 100), "i2"), grid="hinted", modality="CT")
        w.add_image("time", np.zeros((4, 200, 210), "f4"), grid="time", modality="MR")
        fine = np.zeros((80, 120, 120), "i2")
        w.add_pyramid("pyramid", [fine, fine[::2, ::2, ::2]], grid_levels=["fine", "half"], modality="CT")
        masks = {i + 1: np.zeros((80, 120, 120), bool) for i in range(3)}
        for i, mask in masks.items():
            mask[10 * i : 30 * i, 5:90, 5:70] = True
        for encoding in ("layers", "bitmask"):
            w.add_segmentation(encoding, grid="fine", masks=masks, encoding=encoding)
        field = np.zeros((3, 80, 120, 120), "f4")
        w.add_transform("warp", kind="displacement", from_frame=FRAME, to_frame="4.5.6", field=field, field_grid="fine", units="mm")
        w.build_index()
        w.commit()


if __name__ == "__main__":
    main(sys.argv[1])
