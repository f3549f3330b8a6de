"""Superblocks, their extensions, user blocks, file space."""

import ctypes
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from .theme import Theme, libhdf5, numbers, theme

THEMES: list[Theme] = []


def content(file, rng):
    """A little of everything, so that a wrong superblock shows."""
    content_of_fixed_extent(file, rng)
    file.create_dataset("growing", data=numbers(rng, (20,), "<i2"), chunks=(3,), maxshape=(None,))


def content_of_fixed_extent(file, rng):
    file["plain"] = numbers(rng, (6, 5), "<i4")
    file["group/chunked"] = numbers(rng, (3,), "<f8")
    file.create_dataset("gzip", data=numbers(rng, (20, 20), "<i2"), chunks=(7, 7), compression=1)
    file["text"] = ["one", "two"]
    for i in range(12):
        file["group"].attrs[f"a{i}"] = i
        file[f"many/{i}"] = i


@theme(THEMES, options={"userblock_size": 512})
def userblock_512(file, rng):
    content(file, rng)


def write_userblock(path: Path, rng) -> None:
    with open(path, "r+b") as file:
        file.write(b"#!/bin/sh\necho a user block\n")


@theme(THEMES, options={"userblock_size": 4096}, after=write_userblock)
def userblock_4096(file, rng):
    content(file, rng)


@theme(THEMES, options={"fs_strategy": "page", "fs_page_size": 4096})
def space_paged(file, rng):
    content(file, rng)


@theme(THEMES, options={"fs_strategy": "fsm", "fs_persist": True})
def space_persistent(file, rng):
    content(file, rng)
    del file["many/3"], file["plain"]


@theme(THEMES, options={"fs_strategy": "none"})
def space_unmanaged(file, rng):
    content(file, rng)


@theme(THEMES, options={"meta_block_size": 64, "alignment_threshold": 128, "alignment_interval": 1024})
def aligned(file, rng):
    content(file, rng)


@dataclass
class LowLevelTheme(Theme):
    """A file made with creation properties that h5py does not wrap."""

    prepare: object = None

    def write(self, path, version, rng):
        fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        low = {"earliest": h5py.h5f.LIBVER_EARLIEST, "v108": h5py.h5f.LIBVER_V18, "v110": h5py.h5f.LIBVER_V110,
               "v112": h5py.h5f.LIBVER_V112, "v114": h5py.h5f.LIBVER_V114, "latest": h5py.h5f.LIBVER_LATEST}[version]
        fapl.set_libver_bounds(low, h5py.h5f.LIBVER_LATEST)
        self.prepare(fcpl, fapl)
        fid = h5py.h5f.create(str(path).encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl)
        with h5py.File(fid) as file:
            self.fill(file, rng)


def small_trees(fcpl, fapl):
    """Non-default node sizes: superblock 1, or the B-tree message of the extension."""
    assert libhdf5().H5Pset_istore_k(ctypes.c_int64(fcpl.id), 7) >= 0
    assert libhdf5().H5Pset_sym_k(ctypes.c_int64(fcpl.id), 3, 5) >= 0


def four_byte_offsets(fcpl, fapl):
    """Unlimited extents are left out: libhdf5 2.0 does not read its own."""
    fcpl.set_sizes(4, 4)


def latest_without_extension(fcpl, fapl):
    """Metadata in large aligned blocks leaves gaps between structures."""
    fapl.set_meta_block_size(65536)


def shared_messages(fcpl, fapl):
    """Datatypes and attributes above 30 bytes go to the file's shared-message table."""
    library = libhdf5()
    library.H5Pset_shared_mesg_nindexes(ctypes.c_int64(fcpl.id), 1)
    library.H5Pset_shared_mesg_index(ctypes.c_int64(fcpl.id), 0, 0x1F, 30)


THEMES += [
    LowLevelTheme("node-sizes", content, prepare=small_trees),
    LowLevelTheme("four-byte-offsets", content_of_fixed_extent, prepare=four_byte_offsets),
    LowLevelTheme("large-metadata-blocks", content, prepare=latest_without_extension),
    LowLevelTheme("shared-messages", content, prepare=shared_messages, since="v108"),
]
