"""Writes samples with a volume of 2 GiB, once per way to store it, to measure how much memory judging them takes.

usage: make_bulk.py FOLDER

A sample of the reference is grown with h5py: the image becomes 1024^3 of int16. Every chunk has the
same stored bytes, or lies in a hole of the file, so that the files are small on disk and quick to make. The digest of the image is
that of other data: that E701 is reported shows that all of it was read.
"""

import sys
from pathlib import Path

import h5py
import hdf5plugin
import medh5
import numpy as np

SIDE = 1024
CHUNK = 64
DIGEST = "sha256:" + "0" * 64


def write_sample(path: Path) -> None:
    with medh5.create(path, sample_id=path.stem, subject_id="s", codec="portable") as w:
        w.add_timepoint("baseline", index=0)
        w.add_grid("ct", shape=(4, 4, 4), spacing=(1.0, 1.0, 1.0), timepoint="baseline", frame_uid="pseudo:f")
        w.add_image("CT", np.zeros((4, 4, 4), "i2"), grid="ct", modality="CT", value_type="quantitative", value_units="HU")
        w.commit()


def stored_chunk(path: Path, data: np.ndarray, options) -> bytes:
    """What the library stores for one chunk."""
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("x", data=data, chunks=data.shape, **options)
        return dataset.id.read_direct_chunk((0,) * data.ndim)[1]


def grow(file: h5py.File, name: str, chunk: np.ndarray, options, scratch: Path) -> None:
    """Replaces a dataset by one of SIDE^3 elements, in chunks that are all `chunk`."""
    attributes = dict(file[name].attrs)
    del file[name]
    shape = (SIDE,) * 3
    if options is None:
        # Allocated and never written: a hole.
        create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        create.set_chunk(chunk.shape)
        create.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        create.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        space = h5py.h5s.create_simple(shape)
        dataset = h5py.Dataset(h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(chunk.dtype), space, create))
    else:
        dataset = file.create_dataset(name, shape, chunk.dtype, chunks=chunk.shape, **options)
        stored = stored_chunk(scratch, chunk, options)
        for place in np.ndindex(*(SIDE // side for side in chunk.shape)):
            dataset.id.write_direct_chunk(tuple(i * side for i, side in zip(place, chunk.shape)), stored)
    dataset.attrs.update(attributes)
    dataset.attrs["digest"] = DIGEST


LAYOUTS = {
    "deflate": {"compression": "gzip", "shuffle": True},
    "blosc2": dict(hdf5plugin.Blosc2(cname="zstd", clevel=3, filters=hdf5plugin.Blosc2.SHUFFLE)),
    "uncompressed": None,
}


def main(folder: Path) -> None:
    ramp = np.arange(CHUNK**3, dtype="i2").reshape((CHUNK,) * 3) // 100
    for layout, options in LAYOUTS.items():
        path = folder / f"{layout}.medh5"
        write_sample(path)
        with h5py.File(path, "r+", libver="latest") as file:
            file["grids/ct"].attrs["shape"] = np.full(3, SIDE)
            grow(file, "images/CT", ramp, options, folder / "chunk.h5")
    (folder / "chunk.h5").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
