"""What a theme is, and the low-level handles that several chapters need."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

ORDER = ["earliest", "v108", "v110", "v112", "v114", "v200", "latest"]


@dataclass
class Theme:
    """One file of the corpus: `fill` puts objects into an open file."""

    name: str
    fill: Callable[[h5py.File, np.random.Generator], None]
    options: dict[str, Any] = field(default_factory=dict)
    since: str = "earliest"
    after: Callable[[Path, np.random.Generator], None] | None = None

    def runs_with(self, version: str) -> bool:
        return ORDER.index(version) >= ORDER.index(self.since)

    def write(self, path: Path, version: str, rng: np.random.Generator) -> None:
        with h5py.File(path, "w", libver=(version, "latest"), **self.options) as file:
            self.fill(file, rng)
        if self.after:
            self.after(path, rng)


def theme(themes: list[Theme], **kwargs):
    """Registers the decorated function as the theme of its own name."""

    def register(fill):
        themes.append(Theme(fill.__name__.replace("_", "-"), fill, **kwargs))
        return fill

    return register


def libhdf5() -> ctypes.CDLL:
    """The library that h5py itself has loaded, for calls that it does not wrap."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libhdf5-" in line or "libhdf5.so" in line}
    return ctypes.CDLL(sorted(paths)[0])


def numbers(rng: np.random.Generator, shape, dtype) -> np.ndarray:
    """Values that compress a little and use the sign and the high bytes."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind == "f":
        values = np.cumsum(rng.normal(size=count)).astype(dtype)
    elif dtype.kind == "b":
        values = rng.integers(0, 2, count).astype(dtype)
    else:
        bits = 8 * dtype.itemsize
        walk = np.cumsum(rng.integers(-3, 4, count)).astype("u8") << np.uint64(max(0, bits - 10))
        values = walk.astype(f"u{dtype.itemsize}").view(f"{dtype.kind}{dtype.itemsize}").astype(dtype)
    return values.reshape(shape)


def create(parent: h5py.Group, name: str, data: np.ndarray, dcpl=None, file_type=None, maxshape=None):
    """A dataset by the low-level calls: any creation property list, any type in the file."""
    file_type = file_type or h5py.h5t.py_create(data.dtype, logical=True)
    space = h5py.h5s.create_simple(data.shape, maxshape) if data.ndim else h5py.h5s.create(h5py.h5s.SCALAR)
    dset = h5py.h5d.create(parent.id, name.encode(), file_type, space, dcpl)
    if data.size:
        as_stored = file_type if data.dtype.kind in "SV" else None
        dset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(data), mtype=as_stored)
    return h5py.Dataset(dset)


def dcpl(chunks=None):
    """A dataset creation property list."""
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunks:
        plist.set_chunk(chunks)
    return plist
