"""Layouts and chunk indexes, fill values, allocation."""

import h5py
import numpy as np

from .theme import Theme, create, dcpl, libhdf5, numbers, theme

THEMES: list[Theme] = []
UNLIMITED = h5py.h5s.UNLIMITED


@theme(THEMES)
def compact_and_contiguous(file, rng):
    for code in ("<i2", ">f8", "u1"):
        name = code.strip("<>")
        plist = dcpl()
        plist.set_layout(h5py.h5d.COMPACT)
        create(file, f"compact-{name}", numbers(rng, (9, 4), code), plist)
        for label, time in (("early", h5py.h5d.ALLOC_TIME_EARLY), ("late", h5py.h5d.ALLOC_TIME_LATE)):
            plist = dcpl()
            plist.set_alloc_time(time)
            create(file, f"{label}-{name}", numbers(rng, (30, 3), code), plist)
            file.create_dataset(f"{label}-{name}-unwritten", shape=(6, 2), dtype=code, fillvalue=7)
    plist = dcpl()
    plist.set_layout(h5py.h5d.COMPACT)
    create(file, "compact-scalar", np.float64(1.25), plist)


@theme(THEMES)
def chunks_single(file, rng):
    for shape in ((6,), (5, 7), (3, 4, 5), (2, 3, 2, 3)):
        for compression in (None, 3):
            name = f"{len(shape)}d-{'gzip' if compression else 'plain'}"
            file.create_dataset(name, data=numbers(rng, shape, "<i4"), chunks=shape, compression=compression)
    file.create_dataset("never-written", shape=(4, 4), dtype="<f4", chunks=(4, 4), compression=1)


@theme(THEMES)
def chunks_implicit(file, rng):
    for name, shape, maxshape in (("fixed", (10, 9), None), ("room", (7, 5), (12, 20))):
        plist = dcpl((3, 4))
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        create(file, name, numbers(rng, shape, "<u2"), plist, maxshape=maxshape)
    plist = dcpl((2, 2, 2))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    create(file, "volume", numbers(rng, (5, 5, 5), ">i4"), plist)


@theme(THEMES)
def chunks_fixed_array(file, rng):
    file.create_dataset("small", data=numbers(rng, (20, 30), "<i2"), chunks=(7, 8))
    file.create_dataset("small-gzip", data=numbers(rng, (20, 30), "<i2"), chunks=(7, 8), compression=5)
    file.create_dataset("paged", data=numbers(rng, (3000,), "u1"), chunks=(2,))
    file.create_dataset("paged-gzip", data=numbers(rng, (60, 50), "<i2"), chunks=(2, 1), compression=1)
    sparse = file.create_dataset("paged-sparse", shape=(6000,), dtype="<i2", chunks=(2,), fillvalue=-3)
    sparse[10:14], sparse[4999:5003] = 1, 2


@theme(THEMES)
def chunks_one_unlimited(file, rng):
    file.create_dataset("short", data=numbers(rng, (9,), "<f4"), chunks=(4,), maxshape=(None,))
    file.create_dataset("short-gzip", data=numbers(rng, (50,), "<f4"), chunks=(4,), maxshape=(None,), compression=1)
    file.create_dataset("long", data=numbers(rng, (4000,), "u1"), chunks=(1,), maxshape=(None,))
    file.create_dataset("second-axis", data=numbers(rng, (9, 40), "<i4"), chunks=(4, 3), maxshape=(9, None))
    file.create_dataset("first-of-three", data=numbers(rng, (9, 4, 6), "<i4"), chunks=(2, 3, 2), maxshape=(None, 8, 6))
    sparse = file.create_dataset("sparse", shape=(20_000,), dtype="<i2", chunks=(3,), maxshape=(None,), fillvalue=9, compression=1)
    sparse[5], sparse[700], sparse[19_999] = 1, 2, 3
    grown = file.create_dataset("grown", data=numbers(rng, (10,), "<i8"), chunks=(4,), maxshape=(None,))
    grown.resize((300,))
    grown[290:] = 5
    shrunk = file.create_dataset("shrunk", data=numbers(rng, (300,), "<i8"), chunks=(4,), maxshape=(None,))
    shrunk.resize((33,))


@theme(THEMES, since="v114")
def chunks_paged_extensible(file, rng):
    """Data blocks of an extensible array are paged from chunk 131,072 on."""
    sparse = file.create_dataset("sparse", shape=(140_000,), dtype="u1", chunks=(1,), maxshape=(None,), fillvalue=4)
    sparse[30_000:30_020], sparse[139_990:] = 1, 2


@theme(THEMES)
def chunks_two_unlimited(file, rng):
    for compression in (None, 2):
        name = "gzip" if compression else "plain"
        options = {"maxshape": (None, None), "compression": compression}
        file.create_dataset(f"few-{name}", data=numbers(rng, (9, 9), "<i2"), chunks=(4, 5), **options)
        file.create_dataset(f"many-{name}", data=numbers(rng, (60, 70), "<i2"), chunks=(1, 2), **options)
        cube = {"maxshape": (None, 8, None), "compression": compression}
        file.create_dataset(f"cube-{name}", data=numbers(rng, (7, 5, 9), ">f4"), chunks=(2, 3, 4), **cube)
    sparse = file.create_dataset("sparse", shape=(500, 500), dtype="<i4", chunks=(3, 3), maxshape=(None, None), fillvalue=-1)
    sparse[0, 0], sparse[250, 7], sparse[499, 499] = 1, 2, 3


@theme(THEMES)
def edge_chunks(file, rng):
    for shape, chunks in (((10,), (4,)), ((11, 13), (4, 5)), ((5, 6, 7), (2, 4, 3)), ((3, 3), (5, 5))):
        for filters in ({}, {"compression": 1, "shuffle": True}, {"fletcher32": True}):
            name = "x".join(map(str, shape)) + "-" + ("-".join(filters) or "plain")
            maxshape = tuple(max(s, c) for s, c in zip(shape, chunks))
            file.create_dataset(name, data=numbers(rng, shape, "<i4"), chunks=chunks, maxshape=maxshape, **filters)


@theme(THEMES, since="v110")
def edge_chunks_unfiltered(file, rng):
    """Chunks that cross the extent are stored without filters."""
    set_chunk_opts = libhdf5().H5Pset_chunk_opts
    cases = {
        "fixed": ((11, 13), (4, 5), None),
        "single": ((3, 3), (5, 5), (5, 5)),
        "one-unlimited": ((11, 13), (4, 5), (UNLIMITED, 13)),
        "two-unlimited": ((11, 13), (4, 5), (UNLIMITED, UNLIMITED)),
    }
    for name, (shape, chunks, maxshape) in cases.items():
        plist = dcpl(chunks)
        plist.set_shuffle()
        plist.set_deflate(4)
        assert set_chunk_opts(ctypes_id(plist), 2) >= 0
        create(file, name, numbers(rng, shape, "<i4"), plist, maxshape=maxshape)


def ctypes_id(handle):
    """An HDF5 identifier as the C interface takes it."""
    import ctypes

    return ctypes.c_int64(handle.id)


@theme(THEMES)
def fill_values(file, rng):
    for code in ("<i2", ">u4", "<f4", ">f8", "u1"):
        name = code.replace("<", "le-").replace(">", "be-")
        value = np.dtype(code).type(77)
        file.create_dataset(f"{name}-contiguous", shape=(5,), dtype=code, fillvalue=value)
        file.create_dataset(f"{name}-chunked", shape=(5, 6), dtype=code, chunks=(2, 4), fillvalue=value)
        part = file.create_dataset(f"{name}-part", shape=(9, 9), dtype=code, chunks=(4, 4), fillvalue=value, compression=1)
        part[2:5, 5:] = 3
    for label, time in (("never", h5py.h5d.FILL_TIME_NEVER), ("alloc", h5py.h5d.FILL_TIME_ALLOC), ("ifset", h5py.h5d.FILL_TIME_IFSET)):
        plist = dcpl((4,))
        plist.set_fill_time(time)
        plist.set_fill_value(np.array(-8, "<i4"))
        create(file, f"time-{label}", numbers(rng, (16,), "<i4"), plist)
    file.create_dataset("bool", shape=(5,), dtype=bool, fillvalue=True, chunks=(2,))
    file.create_dataset("fixed-text", shape=(4,), dtype="S6", fillvalue=b"none", chunks=(2,))
    record = np.dtype([("a", "<i4"), ("b", "<f8")])
    file.create_dataset("record", shape=(4,), dtype=record, fillvalue=np.array((3, 0.5), record), chunks=(3,))
    file.create_dataset("resizable", shape=(3,), dtype="<i2", maxshape=(None,), chunks=(4,), fillvalue=6).resize((11,))


@theme(THEMES)
def high_ranks(file, rng):
    file.create_dataset("five", data=numbers(rng, (3, 4, 2, 3, 5), "<i2"), chunks=(2, 2, 2, 2, 2))
    file.create_dataset("eight", data=numbers(rng, (2,) * 8, "<f4"), chunks=(1, 2) * 4, compression=1)
    file.create_dataset("thirty-two", data=numbers(rng, (1,) * 31 + (3,), "<i4"))
    file.create_dataset("wide-chunks", data=numbers(rng, (300, 2), "<i2"), chunks=(299, 1), compression=1)


@theme(THEMES)
def storage_outside_the_file(file, rng):
    """Virtual and external storage next to a dataset that reads."""
    file["plain"] = numbers(rng, (5,), "<i4")
    layout = h5py.VirtualLayout(shape=(10,), dtype="<i4")
    layout[:5] = h5py.VirtualSource(file["plain"])
    file.create_virtual_dataset("virtual", layout, fillvalue=0)
    plist = dcpl()
    plist.set_external(b"/dev/null", 0, 40)
    h5py.h5d.create(file.id, b"external", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((10,)), plist)
