"""Attributes: compact, dense, huge."""

import h5py
import numpy as np

from .theme import Theme, numbers, theme

THEMES: list[Theme] = []


@theme(THEMES)
def attributes_compact(file, rng):
    file.attrs["integer"] = 5
    file.attrs["float"] = 2.5
    file.attrs["text"] = "some text"
    file.attrs["texts"] = ["a", "bc", ""]
    file.attrs["bytes"] = np.bytes_(b"raw bytes")
    file.attrs["matrix"] = np.eye(3)
    file.attrs["grüße"] = "name in UTF-8"
    dset = file.create_dataset("data", data=numbers(rng, (2,), "<i2"))
    dset.attrs["long"] = numbers(rng, (700,), "<f8")
    dset.attrs["text"] = "y" * 5000


@theme(THEMES)
def attributes_dense(file, rng):
    some = file.create_group("some")
    for i in range(20):
        some.attrs[f"number-{i}"] = i
        some.attrs[f"text-{i}"] = "t" * i
    many = file.create_dataset("many", data=0)
    for i in range(400):
        many.attrs[f"a{i:04}"] = numbers(rng, (i % 5,), "<i4")
    for i in range(0, 400, 3):
        del many.attrs[f"a{i:04}"]


@theme(THEMES, since="v108")
def attributes_huge(file, rng):
    for name in ("one", "two"):
        group = file.create_group(name)
        group.attrs["huge"] = numbers(rng, (12_000,), "<f8")
        group.attrs["small"] = 1
    for i in range(12):
        file["two"].attrs[f"huge-{i}"] = numbers(rng, (9_000 + i,), "<f8")
    file["two"].attrs["texts"] = ["word"] * 9000


@theme(THEMES)
def attributes_rewritten(file, rng):
    for i in range(6):
        file.attrs[f"a{i}"] = "first"
    for i in range(6):
        file.attrs[f"a{i}"] = numbers(rng, (20 * i,), "<i4")
    del file.attrs["a3"]
    dset = file.create_dataset("data", data=1.5)
    for i in range(7):
        dset.attrs["same"] = "x" * (i * 40)
    dset.attrs.modify("scalar", np.int16(3))
