"""Writes samples with the medh5 package found on the path: every codec profile, every element type.

usage: make_reference.py FOLDER

Run once with the pinned reference and once with each h5py-based 1.x release; the interface used here is
common to all of them. Files are called WRITER-PROFILE.medh5.
"""

import sys
from importlib import metadata
from pathlib import Path

import medh5
import numpy as np
from medh5 import storage

SHAPE = (48, 72, 80)
ELEMENT_TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"]


def profiles() -> list[str]:
    return sorted(storage.PROFILES)


def volume(code: str, rng: np.random.Generator) -> np.ndarray:
    """Smooth shapes with a little noise, using the sign of the type."""
    axes = np.meshgrid(*(np.linspace(-1, 1, n) for n in SHAPE), indexing="ij")
    smooth = np.sin(3 * axes[0]) * np.cos(5 * axes[1]) + axes[2] ** 2
    noisy = 40 * smooth + rng.integers(-2, 3, SHAPE)
    return noisy.astype("i8").astype(code) if code[0] != "f" else noisy.astype(code)


def ball(center, radius) -> np.ndarray:
    axes = np.meshgrid(*(np.arange(n) for n in SHAPE), indexing="ij")
    return sum((axis - c) ** 2 for axis, c in zip(axes, center)) <= radius**2


def label_set():
    names = ["liver", "spleen", "kidney", "tumour"]
    classes = [medh5.LabelClass(i + 1, name, name.title()) for i, name in enumerate(names)]
    return medh5.LabelSet("organs", version="1.0", classes=classes)


def write(path: Path, profile: str) -> None:
    rng = np.random.default_rng(7)
    with medh5.create(path, sample_id="reference-1", subject_id="subject-1", codec=profile) as w:
        w.add_timepoint("tp1", index=0)
        w.label_set(label_set())
        w.add_grid("g", shape=SHAPE, spacing=(2.0, 1.0, 1.0), chunk_hint=(32, 40, 48), timepoint="tp1", frame_uid="1.2.3")
        w.add_grid("half", shape=tuple(n // 2 for n in SHAPE), spacing=(4.0, 2.0, 2.0), origin=(1.0, 0.5, 0.5), timepoint="tp1", frame_uid="1.2.3")
        w.add_grid("time", shape=(3, *SHAPE[1:]), axis_names=("t", "y", "x"), axis_kinds=("time", "spatial", "spatial"),
                   spacing=(1.0, 1.0), time_values=(0.0, 0.5, 1.5), time_units="s", timepoint="tp1")
        for code in ELEMENT_TYPES:
            data = volume(code, rng)
            w.add_image(f"image_{code}", data, grid="g", modality="CT", window_center=(40.0,), window_width=(400.0,))
        w.add_image("dynamic", rng.integers(0, 4000, (3, *SHAPE[1:])).astype("u2"), grid="time", modality="MR")
        full = volume("i2", rng)
        w.add_pyramid("pyramid", [full, full[::2, ::2, ::2]], grid_levels=["g", "half"], modality="CT")
        masks = {i + 1: ball((12 + 6 * i, 30, 25 + 8 * i), 9 + i) for i in range(4)}
        for encoding in ("layers", "bitmask"):
            w.add_segmentation(f"organs_{encoding}", grid="g", masks=masks, encoding=encoding)
        w.add_segmentation("one", grid="g", masks={1: masks[1]}, encoding="labelmap")
        w.add_segmentation("soft", grid="g", probabilities={1: ball((20, 20, 20), 6) * np.float32(0.75)}, encoding="probmap")
        w.add_boxes("boxes", [[[1, 9], [2, 9], [3, 9]], [[0, 5], [0, 6], [0, 7]]], [1, 2], grid="g", scores=[0.5, 0.25])
        w.add_points("points", [[1.0, 2.0, 3.0]], grid="g", class_ids=[3], names=["tip"])
        w.add_classification("diagnosis", {1: 1.0, 2: 0.0})
        field = rng.normal(size=(3, *(n // 2 for n in SHAPE))).astype("f4")
        w.add_transform("warp", kind="displacement", from_frame="1.2.3", to_frame="9.9", field=field, field_grid="half", units="mm")
        w.build_index()
        w.commit()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    version = metadata.version("medh5")
    for profile in profiles():
        write(folder / f"medh5-{version}-{profile}.medh5", profile)
        print(f"medh5 {version}: {profile}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
