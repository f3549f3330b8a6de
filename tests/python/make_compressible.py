"""Makes small files with much in them: samples whose bulk data are large enough to be re-encoded, and hardly take room.

usage: make_compressible.py FOLDER

One sample per codec profile of the reference, and `filters.medh5`: its images are the same, each under other filters of h5py and
hdf5plugin that readers may meet.
"""

import shutil
import sys
from pathlib import Path

import h5py
import hdf5plugin
import medh5
import numpy as np

SHAPE = (24, 40, 48)
FILTERS = {
    "lzf": {"compression": "lzf"},
    "shuffle_lzf": {"compression": "lzf", "shuffle": True},
    "zstd": dict(hdf5plugin.Zstd(clevel=5)),
    "lz4": dict(hdf5plugin.LZ4()),
    "bitshuffle": dict(hdf5plugin.Bitshuffle(cname="none")),
    "bitshuffle_lz4": dict(hdf5plugin.Bitshuffle(cname="lz4")),
    "bitshuffle_zstd": dict(hdf5plugin.Bitshuffle(cname="zstd")),
    "blosc": dict(hdf5plugin.Blosc(cname="lz4hc", clevel=5, shuffle=hdf5plugin.Blosc.BITSHUFFLE)),
    "blosc2_zlib": dict(hdf5plugin.Blosc2(cname="zlib", clevel=6)),
    "fletcher32": {"fletcher32": True},
    "deflate_fletcher32": {"compression": "gzip", "compression_opts": 9, "shuffle": True, "fletcher32": True},
    "scale_offset": {"scaleoffset": 0},
    "plain": {},
}


def values(seed: int) -> np.ndarray:
    found = np.zeros(SHAPE, "i2")
    found[seed % 7 : 12, 5:30, 3 + seed :] = seed + 1
    found[0, 0, :8] = range(8)
    return found


def write(path: Path, codec: str, images: list[str]) -> None:
    labels = medh5.LabelSet("small", version="1.0.0", classes=[medh5.LabelClass(i, f"c{i}", f"Class {i}") for i in (1, 2)])
    masks = {1: values(3) == 4, 2: values(5) > 0}
    with medh5.create(path, sample_id="s", subject_id="p", codec=codec) as w:
        w.label_set(labels)
        w.add_grid("g", shape=SHAPE, spacing=(1, 1, 1), frame_uid="1.2")
        for seed, name in enumerate(images):
            w.add_image(name, values(seed), grid="g", modality="CT", value_type="quantitative", value_units="HU")
        w.add_segmentation("organs", grid="g", masks=masks, encoding="layers")
        w.build_index(max_coords=20)
        w.deidentification(method="synthetic")
        w.commit()


folder = Path(sys.argv[1])
for profile in ("training", "balanced", "archive", "portable"):
    write(folder / f"{profile}.medh5", profile, ["CT"])
path = folder / "filters.medh5"
write(path, "portable", list(FILTERS))
with h5py.File(path, "r+") as file:
    for name, how in FILTERS.items():
        old = file["images"][name]
        data, attributes = old[()], dict(old.attrs)
        del file["images"][name]
        new = file["images"].create_dataset(name, data=data, chunks=(7, 40, 48), **how)
        for key, value in attributes.items():
            new.attrs[key] = value
# Without the space that the images took before.
with h5py.File(path) as old, h5py.File(folder / "packed.medh5", "w", libver=("v110", "latest")) as new:
    for key, value in old.attrs.items():
        new.attrs[key] = value
    for name in old:
        old.copy(name, new)
shutil.move(folder / "packed.medh5", path)
