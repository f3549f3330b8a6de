"""Writes phantoms with the reference: one voxel per direction of the body, on grids of many orientations, and says where each is.

usage: make_phantoms.py FOLDER
"""

import json
import sys
from pathlib import Path

import medh5
import numpy as np

BODY = {"L": (1, 0, 0), "R": (-1, 0, 0), "P": (0, 1, 0), "A": (0, -1, 0), "S": (0, 0, 1), "I": (0, 0, -1)}
TO_SYSTEM = {"LPS": np.diag([1.0, 1.0, 1.0]), "RAS": np.diag([-1.0, -1.0, 1.0])}
SHAPE, SPACING = (11, 13, 15), 3.0
# Steps of 3 mm from the middle, and the stored value.
POINTS = {"left": ((1, 0, 0), 4, 50), "posterior": ((0, 1, 0), 3, 100), "superior": ((0, 0, 1), 2, 150)}
# Where the stored axes point, the world system, and the tilt about the long axis of the body in degrees.
GRIDS = [("SPL", "LPS", 0), ("SAR", "RAS", 0), ("IPL", "LPS", 0), ("LPS", "RAS", 0), ("RAS", "LPS", 0), ("PSL", "RAS", 0),
         ("ASR", "LPS", 0), ("LIA", "RAS", 0), ("SPL", "LPS", 20), ("SAR", "RAS", 20)]


def turned(degrees: float) -> np.ndarray:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def phantom(path: Path, axes: str, system: str, tilt: float) -> dict:
    in_lps = turned(tilt) @ np.array([BODY[letter] for letter in axes], float).T
    direction = TO_SYSTEM[system] @ in_lps
    middle = np.array(SHAPE) // 2
    origin = -direction @ (SPACING * middle)
    values = np.zeros(SHAPE, "i2")
    spots = {}
    for name, (body, steps, value) in POINTS.items():
        lps = turned(tilt) @ np.array(body, float) * SPACING * steps
        voxel = middle + np.rint(in_lps.T @ lps / SPACING).astype(int)
        values[tuple(voxel)] = value
        spots[name] = {"voxel": voxel.tolist(), "lps": (lps + 0.0).tolist(), "value": value}
    with medh5.create(str(path), sample_id=path.stem, subject_id="phantom") as writer:
        writer.add_timepoint("tp1", index=0)
        writer.add_grid("g", shape=SHAPE, spacing=(SPACING,) * 3, origin=tuple(origin), direction=direction, coord_system=system, timepoint="tp1")
        writer.add_image("CT", values, grid="g", modality="CT", value_units="HU", rescale_slope=2.0, rescale_intercept=-10.0)
        writer.commit()
    return {"file": path.name, "axes": axes, "system": system, "tilt": tilt, "spots": spots}


def others(path: Path) -> None:
    """Colour, channels and time: what a voxel has several values of."""
    with medh5.create(str(path), sample_id=path.stem, subject_id="phantom") as writer:
        writer.add_timepoint("tp1", index=0)
        flat = {"timepoint": "tp1", "units": "px"}
        writer.add_grid("colour", shape=(3, 9, 12), spacing=(1, 1), axis_names=["c", "y", "x"], axis_kinds=["channel", "spatial", "spatial"], **flat)
        colour = np.stack([np.full((9, 12), value, "u1") for value in (200, 100, 50)])
        writer.add_image("photo", colour, grid="colour", modality="OT", value_type="rgb", channel_names=["R", "G", "B"])
        writer.add_grid("two", shape=(2, 9, 12), spacing=(1, 1), axis_names=["c", "y", "x"], axis_kinds=["channel", "spatial", "spatial"], **flat)
        writer.add_image("stains", np.stack([np.full((9, 12), value, "u1") for value in (7, 11)]), grid="two", modality="OT", channel_names=["nuclei", "membranes"])
        writer.add_grid("film", shape=(4, 9, 12), spacing=(1, 1), axis_names=["t", "y", "x"], axis_kinds=["time", "spatial", "spatial"],
                        time_values=(0.0, 1.0, 2.0, 3.0), time_units="s", **flat)
        writer.add_image("frames", np.stack([np.full((9, 12), 10 * frame, "i2") for frame in range(4)]), grid="film", modality="OT")
        writer.commit()


def main(folder: str) -> None:
    out = Path(folder)
    written = [phantom(out / f"{axes}-{system}-{tilt}.medh5", axes, system, tilt) for axes, system, tilt in GRIDS]
    others(out / "several-values.medh5")
    (out / "phantoms.json").write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main(sys.argv[1])
