"""Writes HDF5 chunks by the C filters for Blosc2 and Blosc1, with the bytes that the C filters decode them to.

usage: make_blosc2.py FOLDER

Codecs x levels x filters over shapes of rank 1 to 9 and elements of 1 to 16 bytes, and the special cases:
stored, zeros, constants, NaN, noise, long runs, other filters before and after.
"""

import sys
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

from blosc2_cases import CaseWriter
from interop.theme import numbers

CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHAPES = [
    (7705,), (20_011,), (31,), (64, 80), (5, 1001), (33, 20, 40), (40, 66, 32), (3, 50, 9, 17), (2, 3, 4, 5, 6),
    (2, 3, 2, 5, 2, 7), (2, 2, 3, 2, 2, 3, 5), (2, 2, 2, 2, 2, 2, 3, 5), (2, 2, 2, 2, 2, 2, 2, 3, 3),
]
KINDS = ["u1", "<i2", ">u2", "<f4", "<i4", ">f8", "<c16"]
RECORD = np.dtype([("a", "<i4"), ("b", "u1"), ("c", "<f8")])


def values(rng, shape, code) -> np.ndarray:
    dtype = np.dtype(code)
    if dtype.kind == "V":
        return np.frombuffer(numbers(rng, (int(np.prod(shape)) * dtype.itemsize,), "u1").tobytes(), dtype).reshape(shape)
    if dtype.kind == "c":
        return numbers(rng, shape, "<f8") + 1j * numbers(rng, shape, "<f8")
    return numbers(rng, shape, code)


def textures(rng):
    """Arrays whose streams are special in some way."""
    shape = (20, 50, 48)
    plain = numbers(rng, shape, "<i2")
    yield "zeros", np.zeros(shape, "<i2")
    yield "constant", np.full(shape, 0x1234, "<i2")
    yield "byte-constant", np.full(shape, 7, "u1")
    yield "nan", np.full(shape, np.nan, "<f4")
    yield "noise", np.frombuffer(rng.bytes(2 * plain.size), "<i2").reshape(shape)
    yield "small", np.where(plain % 3 == 0, plain % 5, 0).astype("<i2")
    half = plain.copy()
    half[:10] = 0
    yield "half-zero", half
    yield "labels", (np.add.outer(np.add.outer(np.arange(20) // 9, np.arange(50) // 17), np.arange(48) // 11)).astype("<u2")
    air = plain.copy()
    air[plain > 0] = -1000
    yield "air", air
    yield "float", np.round(numbers(rng, shape, "<f4"), 1)
    yield "far", np.tile(rng.integers(0, 256, 9000, dtype="u1"), 12)


class Chunks:
    """Datasets of one chunk each, in memory, read back raw and decoded."""

    def __init__(self, cases: CaseWriter):
        self.cases = cases
        self.file = h5py.File("blosc2", "w", driver="core", backing_store=False)

    def add(self, name: str, kind: str, data: np.ndarray, **options) -> None:
        dset = self.file.create_dataset(name, data=data, chunks=data.shape, **options)
        mask, stored = dset.id.read_direct_chunk((0,) * data.ndim)
        decoded = dset[...].tobytes()
        assert decoded == data.tobytes(), name
        if mask == 0:  # else the filter gave up, and the chunk is stored without it
            self.cases.add(name, kind, stored, decoded, data.dtype.itemsize, data.shape)
        del self.file[name]


def main(folder: Path) -> None:
    rng = np.random.default_rng(32026)
    cases = CaseWriter(folder)
    chunks = Chunks(cases)
    for shape in SHAPES:
        for code in [*KINDS, RECORD]:
            data = values(rng, shape, code)
            label = f"{'x'.join(map(str, shape))}-{np.dtype(code).str.strip('<>|')}"
            for codec, level, filters in [("lz4", 1, 1), ("zstd", 3, 1), ("zstd", 3, 2), ("zstd", 9, 2), ("blosclz", 5, 1), ("zlib", 1, 0)]:
                options = hdf5plugin.Blosc2(cname=codec, clevel=level, filters=filters)
                chunks.add(f"{label}-{codec}{level}-{filters}", "filter", data, **options)
            for codec, level, shuffle in [("lz4", 5, 1), ("blosclz", 9, 2), ("zstd", 1, 0)]:
                options = hdf5plugin.Blosc(cname=codec, clevel=level, shuffle=shuffle)
                chunks.add(f"{label}-blosc1-{codec}{level}-{shuffle}", "chunk", data, **options)
    for texture, data in textures(rng):
        chunks.add(f"{texture}-stored", "filter", data, **hdf5plugin.Blosc2(cname="lz4", clevel=0))
        chunks.add(f"{texture}-blosc1-stored", "chunk", data, **hdf5plugin.Blosc(cname="lz4", clevel=0))
        for codec in CODECS if texture != "noise" else ["lz4"]:
            for level in (1, 9):
                for filters in (0, 1, 2, hdf5plugin.Blosc2.DELTA):
                    options = hdf5plugin.Blosc2(cname=codec, clevel=level, filters=filters)
                    chunks.add(f"{texture}-{codec}{level}-{filters}", "filter", data, **options)
                for shuffle in (0, 1, 2):
                    options = hdf5plugin.Blosc(cname=codec, clevel=level, shuffle=shuffle)
                    chunks.add(f"{texture}-blosc1-{codec}{level}-{shuffle}", "chunk", data, **options)
    for block_bytes in (32, 96, 248, 1000, 4096, 10_000, 65_536):
        for code in ("u1", "<i2", ">f8"):
            for codec in (0, 1, 5):
                for filters in (1, 2, 3):
                    data = values(rng, (30_011,), code)
                    options = (0, block_bytes, 0, 0, 5, filters, codec)
                    name = f"blocks-{block_bytes}-{code.strip('<>')}-{codec}-{filters}"
                    chunks.add(name, "filter", data, compression=32026, compression_opts=options)
    cases.close()
    print(f"{len(cases.lines)} chunks, {len(cases.decoded) >> 20} MiB of values, by hdf5plugin {hdf5plugin.version}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
