"""Writes the sample files of the README: one clean, one with findings, one collection.

usage: make_samples.py FOLDER

Small on purpose: they are committed. The pinned reference writes them; the findings are then edited in with h5py.
The only bytes that change from run to run are the creation times, which this script overwrites.
"""

import shutil
import sys
from pathlib import Path

import h5py
import medh5
import numpy as np

SHAPE = (16, 32, 32)
CREATED = "2000-01-01T00:00:00Z"


def ball(center, radius) -> np.ndarray:
    axes = np.meshgrid(*(np.arange(n) for n in SHAPE), indexing="ij")
    return sum((axis - c) ** 2 for axis, c in zip(axes, center)) <= radius**2


def phantom(organs) -> np.ndarray:
    """A body of water with organs of other densities, in Hounsfield units."""
    rng = np.random.default_rng(1)
    axes = np.meshgrid(*(np.linspace(-1, 1, n) for n in SHAPE), indexing="ij")
    body = axes[1] ** 2 / 0.7 + axes[2] ** 2 / 0.85 <= 1
    image = np.where(body, 0, -1000).astype("i2")
    for density, mask in zip((55, 45, 300), organs):
        image[mask] = density
    return image + (rng.integers(-6, 7, SHAPE) * body).astype("i2")


def label_set():
    snomed = {1: ("liver", "10200004"), 2: ("spleen", "78961009"), 3: ("vertebra", "51282000")}
    return medh5.LabelSet(
        "abdomen", version="1.0.0",
        classes=[medh5.LabelClass(i, name, name.title(), codes=(code(name, number),)) for i, (name, number) in snomed.items()],
    )


def code(name: str, number: str):
    from medh5.labels import OntologyCode

    return OntologyCode("SNOMED-CT", number, name.title())


def write(path: Path, sample_id: str, shift: int = 0) -> None:
    organs = [ball((8, 13, 9 + shift), 5), ball((8, 12, 24), 3.5), ball((8, 25, 16), 3)]
    with medh5.create(path, sample_id=sample_id, subject_id=f"subject-of-{sample_id}", codec="portable") as w:
        w.add_timepoint("baseline", index=0)
        w.label_set(label_set())
        w.add_grid("ct", shape=SHAPE, spacing=(3.0, 1.5, 1.5), timepoint="baseline", frame_uid=f"pseudo:{sample_id}")
        w.add_image("CT", phantom(organs), grid="ct", modality="CT", value_type="quantitative", value_units="HU",
                    window_center=(40.0,), window_width=(400.0,))
        w.add_segmentation("organs", grid="ct", masks={i + 1: mask for i, mask in enumerate(organs)})
        w.add_boxes("findings", [[[6.5, 9.5], [11.5, 15.5], [6.5, 11.5]]], [1], grid="ct", scores=[0.87])
        w.build_index(max_coords=256)
        w.deidentification(method="synthetic")
        w.commit()
    with h5py.File(path, "r+") as file:
        file.attrs["created"] = CREATED


def spoil(path: Path) -> None:
    """Three mistakes that people make when they edit files by hand."""
    with h5py.File(path, "r+") as file:
        direction = file["grids/ct"].attrs["direction"]
        direction[1, 2] = 0.02
        file["grids/ct"].attrs["direction"] = direction
        file["annotations/findings"].attrs["class_ids"] = np.array([9], "u2")
        file["images/CT"][8, 16, 16] = 3000
        file["images/CT"].attrs["grid"] = "CT"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "clean.medh5", "clean")
    shutil.copyfile(folder / "clean.medh5", folder / "findings.medh5")
    spoil(folder / "findings.medh5")
    members = []
    for number in (1, 2):
        members.append(folder / f"patient-{number}.medh5")
        write(members[-1], f"patient-{number}", 2 * number)
    collection = folder / "collection.medh5c"
    collection.unlink(missing_ok=True)
    medh5.pack(members, collection)
    for member in members:
        member.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
