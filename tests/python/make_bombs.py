"""Writes small samples that cost a careless reader much time or memory.

usage: make_bombs.py FOLDER

All of them are a clean sample, spoiled with h5py. What each is out for is said beside it.
"""

import json
import shutil
import sys
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

SAMPLE = Path(__file__).parents[1] / "fixtures/samples/clean.medh5"
TEXT = h5py.string_dtype()
DEFLATE = {"compression": "gzip", "compression_opts": 9, "shuffle": True}
BLOSC2 = dict(hdf5plugin.Blosc2(cname="zstd", clevel=9))


def replace(parent: h5py.Group, name: str, shape, dtype, chunks, options, data=None) -> h5py.Dataset:
    """A dataset of another shape with the same attributes."""
    attributes = dict(parent[name].attrs)
    del parent[name]
    dataset = parent.create_dataset(name, shape, dtype, chunks=chunks, data=data, **options)
    dataset.attrs.update(attributes)
    return dataset


def replace_image(file: h5py.File, shape, chunks, options, stored: bool) -> None:
    file["grids/ct"].attrs["shape"] = np.array(shape)
    replace(file["images"], "CT", shape, "i2", chunks, options, np.zeros(shape, "i2") if stored else None)


def change_document(file: h5py.File, change) -> None:
    document = json.loads(file["meta"][()])
    change(document)
    del file["meta"]
    file.create_dataset("meta", data=json.dumps(document), dtype=TEXT)


# Groups.


def million_links(file):
    """A group with a million links: its B-tree is deep, and every name is read."""
    group = file.create_group("extensions/many")
    for number in range(1_000_000):
        group.id.links.create_soft(b"%d" % number, b"/images/CT")


def hundred_thousand_objects(file):
    """Headers add up in memory."""
    group = file.create_group("extensions/many")
    for number in range(100_000):
        h5py.h5g.create(group.id, b"%d" % number)


def many_bad_images(file):
    """Several findings for each of 50,000 images."""
    for number in range(50_000):
        h5py.h5g.create(file["images"].id, b"bad name %d" % number)


# The document.


def million_findings(file):
    """Two flaws in each of half a million timepoints."""
    change_document(file, lambda document: document.update(timepoints=[{"id": 0, "index": -1}] * 500_000))


def long_chain_of_classes(file):
    """Each of 65,000 classes is a part of the one before it: who walks up from each walks two billion steps."""

    def change(document):
        parents = [{}] + [{"parent_id": number} for number in range(1, 65_000)]
        classes = [{"id": number, "key": f"k{number}", "name": f"n{number}", **parent} for number, parent in enumerate(parents, 1)]
        document["label_set"]["classes"] = classes

    change_document(file, change)


def deep_document(file):
    """Values inside one another, as deep as they are read, each of them wrong."""

    def change(document):
        value = list(range(100_000))
        for _ in range(100):
            value = {"x": value}
        document["timepoints"] = value

    change_document(file, change)


# Volumes.


def large_chunk(file):
    """One chunk of 512 MiB, stored in half a MiB."""
    replace_image(file, (256, 1024, 1024), (256, 1024, 1024), DEFLATE, stored=True)


def several_large_chunks(file):
    """Chunks of 32 MiB, which threads decode at the same time."""
    replace_image(file, (128, 1024, 1024), (16, 1024, 1024), DEFLATE, stored=True)


def large_blosc2_chunks(file):
    """Chunks of 256 MiB that are nothing but zeros."""
    replace_image(file, (512, 1024, 1024), (128, 1024, 1024), BLOSC2, stored=True)


def nothing_stored(file):
    """2^40 voxels, none of which is stored."""
    replace_image(file, (1 << 14, 1 << 13, 1 << 13), (64, 64, 64), DEFLATE, stored=False)


def little_stored(file):
    """16 GiB, which real volumes may have, of which nothing is stored."""
    replace_image(file, (2048, 2048, 2048), (64, 64, 64), DEFLATE, stored=False)


def many_empty_images(file):
    """Each within bounds: 200 images of floats, which are looked through for whether integers would do."""
    attributes = dict(file["images/CT"].attrs)
    for number in range(200):
        dataset = file["images"].create_dataset(f"F{number}", (16, 500, 500), "f4", chunks=(16, 64, 64))
        dataset.attrs.update(attributes)


# Annotations.


def ten_million_boxes(file):
    """Columns of zeros: 600 MiB of them."""
    boxes, rows = file["annotations/findings"], 10_000_000
    replace(boxes, "boxes", (rows, 3, 2), "f8", (100_000, 3, 2), DEFLATE, np.zeros((rows, 3, 2)))
    replace(boxes, "class_ids", (rows,), "u2", (100_000,), DEFLATE, np.zeros(rows, "u2"))
    replace(boxes, "scores", (rows,), "f4", (100_000,), DEFLATE, np.zeros(rows, "f4"))


def overlapping_layers(file):
    """Forty layers of random classes: nearly every pair of a thousand classes meets somewhere."""
    classes = [{"id": number, "key": f"k{number}", "name": f"n{number}"} for number in range(1, 1000)]
    change_document(file, lambda document: document["label_set"].update(classes=classes))
    organs = file["annotations/organs"]
    values = np.random.default_rng(1).integers(0, 1000, (40, 16, 32, 32)).astype("u2")
    replace(organs, "data", values.shape, "u2", (1, 16, 32, 32), {}, values)
    organs["layer_class_ids"] = np.append(np.arange(1, 1000, dtype="u2"), np.uint16(0)).reshape(40, 25)
    organs.attrs["kind"] = "layers"
    organs.attrs["class_ids"] = np.arange(1, 1000, dtype="u2")
    organs.attrs["annotated_class_ids"] = np.arange(1, 1000, dtype="u2")


def contours_inside_one_another(file):
    """Sixty thousand triangles around one point: whose role depends on how many others enclose it."""
    count = 60_000
    contours = file.create_group("annotations/contours")
    contours.attrs.update(dict(file["annotations/findings"].attrs))
    contours.attrs["kind"] = "contours"
    size = np.repeat(np.arange(1, count + 1), 3).astype("f8")
    corners = np.tile([[0, 1.0, 0], [0, -1.0, -1.0], [0, -1.0, 1.0]], (count, 1)) * size[:, None]
    columns = {
        "vertices": corners,
        "contour_offsets": np.arange(0, 3 * count + 1, 3, dtype="i8"),
        "contour_class_ids": np.ones(count, "u2"),
        "contour_plane": np.zeros((count, 2), "i8"),
        "contour_role": (np.arange(count)[::-1] % 2).astype("u1"),
    }
    for name, values in columns.items():
        contours.create_dataset(name, data=values, chunks=True, compression="gzip")


def write(folder: Path, bomb) -> None:
    path = folder / (bomb.__name__.replace("_", "-") + ".medh5")
    shutil.copy(SAMPLE, path)
    with h5py.File(path, "r+", libver="latest") as file:
        bomb(file)


BOMBS = [
    million_links, hundred_thousand_objects, many_bad_images, million_findings, long_chain_of_classes, deep_document,
    large_chunk, several_large_chunks, large_blosc2_chunks, nothing_stored, little_stored, many_empty_images, ten_million_boxes,
    overlapping_layers, contours_inside_one_another,
]


def main(folder: Path) -> None:
    for bomb in BOMBS:
        write(folder, bomb)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
