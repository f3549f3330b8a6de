"""Writes HDF5 files as other programs write them: every theme below with every writer version.

usage: make_interop.py FOLDER

A file is called THEME-VERSION.h5. Objects outside our subset (virtual, external, szip) sit in ordinary
files; describe.py marks them. Same input, same bytes: values come from a generator seeded with the file's name.
"""

import sys
import zlib
from pathlib import Path

import h5py
import numpy as np

from interop import attributes, filters, layouts, links, superblocks, types

VERSIONS = ["earliest", "v108", "v110", "v112", "v114", "latest"]


def themes():
    """All (name, writer, options of h5py.File)."""
    for module in (types, layouts, filters, links, attributes, superblocks):
        for theme in module.THEMES:
            yield theme


def write(folder: Path, name: str, version: str, theme) -> None:
    path = folder / f"{name}-{version}.h5"
    rng = np.random.default_rng(zlib.crc32(path.name.encode()))
    theme.write(path, version, rng)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for theme in themes():
        for version in VERSIONS:
            if theme.runs_with(version):
                write(folder, theme.name, version, theme)
                written += 1
    print(f"{written} files by h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
