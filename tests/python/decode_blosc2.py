"""Decodes frames by the C filter, as chunks of HDF5 datasets, and compares.

usage: decode_blosc2.py FOLDER

FOLDER holds cases as blosc2_cases.py keeps them. Ends with status 1 at the first frame that does not decode to its bytes.
"""

import sys
from pathlib import Path

import h5py
import hdf5plugin  # noqa: F401 - registers the filter
import numpy as np


def main(folder: Path) -> None:
    stored, decoded = ((folder / name).read_bytes() for name in ("stored.bin", "decoded.bin"))
    lines = (folder / "cases.txt").read_text().splitlines()
    file = h5py.File("frames", "w", driver="core", backing_store=False)
    for line in lines:
        name, _, *numbers, dims = line.split(" ")
        at, length, place, count, element_size = map(int, numbers)
        shape = tuple(map(int, dims.split("x")))
        options = (1, 0, element_size, count, 1, 1, 1, *([len(shape), *shape] if len(shape) > 1 else []))
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk(shape)
        plist.set_filter(32026, h5py.h5z.FLAG_OPTIONAL, options)
        kind = h5py.h5t.create(h5py.h5t.OPAQUE, element_size)
        space = h5py.h5s.create_simple(shape)
        dset = h5py.h5d.create(file.id, b"frame", kind, space, plist)
        dset.write_direct_chunk((0,) * len(shape), stored[at : at + length])
        found = np.empty(shape, f"V{element_size}")
        dset.read(h5py.h5s.ALL, h5py.h5s.ALL, found, kind)
        if found.tobytes() != decoded[place : place + count]:
            sys.exit(f"{name} {shape} of {element_size} bytes: other values")
        del file["frame"]
    print(f"{len(lines)} frames decode")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
