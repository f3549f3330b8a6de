"""Writes files that promise far more than they hold. All of them are legal.

usage: make_hostile.py FOLDER
"""

import sys
from pathlib import Path

import h5py

HUGE = 2**60


def write(path: Path, version: str) -> None:
    with h5py.File(path, "w", libver=(version, "latest")) as file:
        file.create_dataset("contiguous", shape=(HUGE,), dtype="u1")
        file.create_dataset("chunked", shape=(HUGE,), dtype="u1", chunks=(1000,), fillvalue=7)
        file.create_dataset("growing", shape=(HUGE,), dtype="u1", chunks=(1000,), maxshape=(None,))
        file.create_dataset("square", shape=(2**31, 2**30), dtype="<i2", chunks=(50, 60), maxshape=(None, None), compression=1)
        file.create_dataset("texts", shape=(2**50,), dtype=h5py.string_dtype(), chunks=(100,))
        file.create_dataset("wide", shape=(2**20, 2**20), dtype="u1", chunks=(1 << 15, 1 << 15), compression=1)
        file.create_dataset("overflowing", shape=(2**40, 0, 2**40), dtype="<f8")


def write_nested(path: Path) -> None:
    """Groups inside one another, made by identifier: h5py's paths would be as long."""
    with h5py.File(path, "w", libver="latest") as file:
        group = file.id
        for _ in range(3000):
            group = h5py.h5g.create(group, b"g")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for version in ("earliest", "v108", "v110", "latest"):
        write(folder / f"bombs-{version}.h5", version)
    write_nested(folder / "nested.h5")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
