"""Writes the frames of tests/fixtures/blosc2: what the Python library blosc2 can make and the HDF5 filter does not.

usage: make_blosc2_frames.py FOLDER

Run by hand with blosc2 4.14.1 (`pip install blosc2==4.14.1`); its output is kept. Delta alone and under
shuffle, truncated precision, dictionaries, forced and forbidden splitting, shuffle groups, several chunks,
special chunks of every kind, odd block sizes, arrays of several chunks with padding on all sides, metalayers.
"""

import sys
from pathlib import Path

import blosc2
import numpy as np

from blosc2_cases import CaseWriter

RNG = np.random.default_rng(5)
WALK = np.cumsum(RNG.integers(-3, 4, 4000)).astype("<i4")
TEXT = np.frombuffer(b"".join(b"%d the %s;" % (i % 97, [b"liver", b"spleen", b"grid"][i % 3]) for i in range(700)), "u1")


def plain(cases, name, data, chunk_bytes=None, metas=None, **cparams):
    """A frame without layout: its elements follow one another."""
    cparams = {"typesize": data.dtype.itemsize, "nthreads": 1, **cparams}
    schunk = blosc2.SChunk(chunksize=chunk_bytes or data.nbytes, data=data.tobytes(), cparams=cparams, meta=metas)
    decoded = b"".join(schunk.decompress_chunk(i) for i in range(schunk.nchunks))
    cases.add(name, "frame", schunk.to_cframe(), decoded, data.dtype.itemsize, data.shape)


def array(cases, name, data, chunks, blocks, **cparams):
    """A frame with the layout of an n-d array."""
    made = blosc2.asarray(data, chunks=chunks, blocks=blocks, cparams={"nthreads": 1, **cparams})
    assert np.array_equal(made[...], data, equal_nan=data.dtype.kind == "f")
    cases.add(name, "frame", made.to_cframe(), data.tobytes(), data.dtype.itemsize, data.shape)


def chunk(cases, name, data, **cparams):
    """A lone chunk."""
    stored = blosc2.compress2(data, typesize=data.dtype.itemsize, nthreads=1, **cparams)
    cases.add(name, "chunk", stored, blosc2.decompress2(stored), data.dtype.itemsize, data.shape)


def filters(cases):
    delta, shuffle, bits = blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE
    for code in ("u1", "<i2", "<i4", "<f8"):
        data = WALK[:600].astype(code)
        for label, used in (("delta", [delta]), ("delta-shuffle", [delta, shuffle]), ("delta-bits", [delta, bits])):
            plain(cases, f"{label}-{np.dtype(code).str[1:]}", data, blocksize=512, filters=used, filters_meta=[0] * len(used), codec=blosc2.Codec.LZ4)
    for size in (3, 12, 16):
        data = np.frombuffer(WALK[:1200].astype("u1").tobytes(), f"V{size}")
        plain(cases, f"delta-V{size}", data, blocksize=16 * size, filters=[delta, shuffle], filters_meta=[0, 0])
    floats = np.sin(np.arange(500, dtype="<f4") / 20)
    plain(cases, "truncated", floats, filters=[blosc2.Filter.TRUNC_PREC, shuffle], filters_meta=[10, 0], codec=blosc2.Codec.ZSTD)
    plain(cases, "two-shuffles", WALK[:900], filters=[bits, shuffle], filters_meta=[0, 0], codec=blosc2.Codec.ZLIB)
    plain(cases, "shuffle-groups", WALK[:900], filters=[shuffle], filters_meta=[2], codec=blosc2.Codec.ZSTD)


def streams(cases):
    for codec in (blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.LZ4HC, blosc2.Codec.ZLIB, blosc2.Codec.ZSTD):
        for mode in (blosc2.SplitMode.ALWAYS_SPLIT, blosc2.SplitMode.NEVER_SPLIT):
            plain(cases, f"{codec.name}-{mode.name}", WALK[:1000], codec=codec, splitmode=mode, blocksize=1200)
    for codec in (blosc2.Codec.ZSTD, blosc2.Codec.LZ4):
        plain(cases, f"dictionary-{codec.name}", TEXT, codec=codec, use_dict=True, blocksize=1024, clevel=5, filters=[blosc2.Filter.NOFILTER])
        tiled = np.tile(TEXT, 6)
        plain(cases, f"dictionary-large-{codec.name}", tiled, codec=codec, use_dict=True, blocksize=4096, clevel=5, filters=[blosc2.Filter.NOFILTER])
    for blocksize in (33, 100, 1001):
        plain(cases, f"blocks-of-{blocksize}", TEXT[:3000], blocksize=blocksize)


def chunks(cases):
    plain(cases, "several", WALK[:1000], chunk_bytes=600, metas={"name": b"value", "other": b"x" * 40})
    plain(cases, "many", WALK[:1000], chunk_bytes=20)
    for name, special in (("zeros", blosc2.SpecialValue.ZERO), ("nan", blosc2.SpecialValue.NAN), ("value", blosc2.SpecialValue.VALUE)):
        schunk = blosc2.SChunk(chunksize=400, cparams={"typesize": 8, "nthreads": 1})
        schunk.fill_special(130, special, *([1.5] if name == "value" else []))
        decoded = b"".join(schunk.decompress_chunk(i) for i in range(schunk.nchunks))
        cases.add(f"special-{name}", "frame", schunk.to_cframe(), decoded, 8, (130,))
    chunk(cases, "lone", WALK[:500], codec=blosc2.Codec.ZSTD)
    chunk(cases, "lone-stored", WALK[:100], clevel=0)
    chunk(cases, "lone-zeros", np.zeros(300, "<i2"))
    chunk(cases, "lone-empty", np.zeros(0, "u1"))


def arrays(cases):
    for shape, chunks, blocks in (
        ((10,), (4,), (3,)), ((9, 11), (4, 6), (3, 4)), ((7, 9, 10), (5, 4, 6), (2, 3, 5)),
        ((3, 4, 5, 6), (2, 3, 4, 5), (2, 2, 3, 3)), ((20, 30), (20, 30), (8, 8)), ((5, 6, 7), (5, 6, 7), (1, 1, 7)),
    ):
        count = int(np.prod(shape))
        for code in ("u1", "<i4"):
            label = "x".join(map(str, shape))
            array(cases, f"array-{label}-{np.dtype(code).str[1:]}", WALK[:count].astype(code).reshape(shape), chunks, blocks)
    data = np.zeros((8, 12), "<f4")
    array(cases, "array-zeros", data, (4, 5), (2, 3))
    data[:4] = np.nan
    data[6, 7] = 3
    array(cases, "array-mixed", data, (4, 5), (2, 3))


def main(folder: Path) -> None:
    cases = CaseWriter(folder)
    for make in (filters, streams, chunks, arrays):
        make(cases)
    cases.close()
    print(f"{len(cases.lines)} cases, {len(cases.stored)} bytes, by blosc2 {blosc2.__version__}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
