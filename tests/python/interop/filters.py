"""Filters: the library's own, and those of the usual plug-ins."""

import h5py
import hdf5plugin
import numpy as np

from .theme import Theme, create, dcpl, numbers, theme

THEMES: list[Theme] = []
KINDS = ("<i2", ">f8", "u1")


def each_kind(file, rng, name, shape=(41, 37), chunks=(16, 15), **options):
    """One dataset per element kind under one set of options."""
    for code in KINDS:
        file.create_dataset(f"{name}-{code.strip('<>')}", data=numbers(rng, shape, code), chunks=chunks, **options)


@theme(THEMES)
def filter_deflate(file, rng):
    for level in (0, 1, 9):
        each_kind(file, rng, f"gzip-{level}", compression="gzip", compression_opts=level)
    each_kind(file, rng, "shuffle", shuffle=True)
    each_kind(file, rng, "fletcher32", fletcher32=True)
    each_kind(file, rng, "all", compression=6, shuffle=True, fletcher32=True)
    file.create_dataset("zeros", data=np.zeros((100, 100)), chunks=(50, 50), compression=9)
    file.create_dataset("odd-bytes", data=numbers(rng, (33,), "u1"), chunks=(7,), fletcher32=True)


@theme(THEMES)
def filter_lzf(file, rng):
    each_kind(file, rng, "lzf", compression="lzf")
    each_kind(file, rng, "lzf-shuffle", compression="lzf", shuffle=True, fletcher32=True)
    file.create_dataset("runs", data=np.repeat(np.arange(40, dtype="u1"), 500), chunks=(7000,), compression="lzf")
    file.create_dataset("noise", data=np.frombuffer(rng.bytes(4000), "u1"), chunks=(1000,), compression="lzf")


@theme(THEMES)
def filter_scaleoffset(file, rng):
    for code in ("i1", "<i2", ">i4", "<u4", "<i8", "u1", ">u8"):
        for bits in (0, 5):
            data = (numbers(rng, (30, 11), code) & np.array(15, code)).astype(code)
            file.create_dataset(f"{code.strip('<>')}-{bits}", data=data, chunks=(8, 5), scaleoffset=bits)
        file.create_dataset(f"{code.strip('<>')}-constant", data=np.full(20, 9, code), chunks=(6,), scaleoffset=0)
    for code in ("<f4", ">f8"):
        data = np.round(rng.normal(size=(30, 11)) * 40, 2).astype(code)
        file.create_dataset(f"{code.strip('<>')}", data=data, chunks=(8, 5), scaleoffset=3)
    plist = dcpl((8,))
    plist.set_fill_value(np.array(-7, "<i4"))
    plist.set_scaleoffset(h5py.h5z.SO_INT, 0)
    data = rng.integers(0, 40, 30).astype("<i4")
    data[::5] = -7
    create(file, "with-fill", data, plist)
    file.create_dataset("with-gzip", data=rng.integers(0, 90, 50).astype("<i4"), chunks=(9,), scaleoffset=0, compression=1, shuffle=True)


@theme(THEMES)
def filter_nbit(file, rng):
    def nbit(name, data, kind, chunks):
        plist = dcpl(chunks)
        plist.set_filter(h5py.h5z.FILTER_NBIT, h5py.h5z.FLAG_OPTIONAL, ())
        create(file, name, data, plist, file_type=kind)

    cases = (
        ("i16-12", h5py.h5t.STD_I16LE, 12, 0), ("i16be-9-3", h5py.h5t.STD_I16BE, 9, 3),
        ("u32-17", h5py.h5t.STD_U32LE, 17, 5), ("u8-5", h5py.h5t.STD_U8LE, 5, 1),
        ("i64be-40", h5py.h5t.STD_I64BE, 40, 0), ("i32-full", h5py.h5t.STD_I32LE, 32, 0),
    )
    for name, base, precision, offset in cases:
        kind = base.copy()
        kind.set_precision(precision)
        kind.set_offset(offset)
        signed = kind.get_sign() == h5py.h5t.SGN_2
        low, high = (-(1 << precision - 1), 1 << precision - 1) if signed else (0, 1 << precision)
        data = rng.integers(low, high, (14, 9)).astype("<i8")
        nbit(name, data, kind, (5, 4))
    nbit("f4", numbers(rng, (14, 9), "<f4"), h5py.h5t.IEEE_F32LE, (5, 4))
    record = np.dtype([("a", "<i4"), ("b", "<u2")])
    data = np.zeros(20, record)
    data["a"], data["b"] = rng.integers(-99, 99, 20), rng.integers(0, 99, 20)
    nbit("record", data, h5py.h5t.py_create(record, logical=True), (6,))


@theme(THEMES)
def filter_blosc2(file, rng):
    for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for filters in (0, 1, 2):
            each_kind(file, rng, f"{cname}-{filters}", compression=hdf5plugin.Blosc2(cname=cname, clevel=5, filters=filters))
    each_kind(file, rng, "delta", compression=hdf5plugin.Blosc2(cname="zstd", clevel=3, filters=hdf5plugin.Blosc2.DELTA))
    each_kind(file, rng, "stored", compression=hdf5plugin.Blosc2(cname="lz4", clevel=0))
    volume = numbers(rng, (40, 50, 60), "<i2")
    file.create_dataset("volume", data=volume, chunks=(32, 32, 32), compression=hdf5plugin.Blosc2(cname="zstd", clevel=5, filters=1))
    file.create_dataset("zeros", data=np.zeros((64, 64), "<f4"), chunks=(32, 32), compression=hdf5plugin.Blosc2(cname="lz4"))
    file.create_dataset("constant", data=np.full((64, 64), 3, "<i4"), chunks=(32, 64), compression=hdf5plugin.Blosc2(cname="zstd"))


@theme(THEMES)
def filter_blosc1(file, rng):
    for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for shuffle in (0, 1, 2):
            each_kind(file, rng, f"{cname}-{shuffle}", compression=hdf5plugin.Blosc(cname=cname, clevel=5, shuffle=shuffle))
    each_kind(file, rng, "stored", compression=hdf5plugin.Blosc(cname="lz4", clevel=0))
    big = numbers(rng, (300_000,), "<i4")
    file.create_dataset("blocks", data=big, chunks=(300_000,), compression=hdf5plugin.Blosc(cname="lz4", clevel=9))


@theme(THEMES)
def filter_zstd_lz4(file, rng):
    for level in (1, 3, 19):
        each_kind(file, rng, f"zstd-{level}", compression=hdf5plugin.Zstd(clevel=level))
    each_kind(file, rng, "zstd-shuffle", compression=hdf5plugin.Zstd(), shuffle=True, fletcher32=True)
    for block in (0, 256):
        each_kind(file, rng, f"lz4-{block}", compression=hdf5plugin.LZ4(nbytes=block))
    file.create_dataset("lz4-noise", data=np.frombuffer(rng.bytes(5000), "u1"), chunks=(1250,), compression=hdf5plugin.LZ4(nbytes=512))


@theme(THEMES)
def filter_bitshuffle(file, rng):
    for cname in ("none", "lz4", "zstd"):
        for block in (0, 64):
            each_kind(file, rng, f"{cname}-{block}", compression=hdf5plugin.Bitshuffle(nelems=block, cname=cname))
    file.create_dataset("tail", data=numbers(rng, (1003,), "<i4"), chunks=(1003,), compression=hdf5plugin.Bitshuffle(cname="lz4"))
    file.create_dataset("tiny", data=numbers(rng, (5,), "<f4"), chunks=(5,), compression=hdf5plugin.Bitshuffle(cname="lz4"))


@theme(THEMES)
def filter_masks(file, rng):
    """Chunks that skip some filters, under every index."""
    shapes = {
        "fixed": ((8, 8), (8, 8), (4, 4)),
        "single": ((8, 8), (8, 8), (8, 8)),
        "one-unlimited": ((12, 8), (None, 8), (4, 4)),
        "two-unlimited": ((8, 12), (None, None), (4, 4)),
    }
    for name, (shape, maxshape, chunks) in shapes.items():
        data = numbers(rng, shape, "<i4")
        dset = file.create_dataset(name, data=data, chunks=chunks, maxshape=maxshape, shuffle=True, compression=4, fletcher32=True)
        raw = np.ascontiguousarray(data[: chunks[0], : chunks[1]])
        dset.id.write_direct_chunk((0, 0), raw.tobytes(), 0b111)
        if shape[1] > chunks[1]:
            shuffled = np.ascontiguousarray(data[:4, 4:8]).view("u1").reshape(16, 4).T.tobytes()
            dset.id.write_direct_chunk((0, 4), shuffled, 0b110)


@theme(THEMES)
def filter_szip(file, rng):
    """Refused by name; the rest of the file reads."""
    file["plain"] = numbers(rng, (5,), "<i4")
    file.create_dataset("szip", data=numbers(rng, (64, 64), "<i4"), chunks=(32, 32), compression="szip")
