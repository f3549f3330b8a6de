"""Prepares samples for an amendment, or amends them as the test of ours does.

usage: amend_sample.py extend|amend SAMPLE

extend: adds what only its writer understands: groups, attributes, links. amend: adds two boxes with the reference.
"""

import sys

import h5py
import medh5


def extend(path: str) -> None:
    with h5py.File(path, "r+") as file:
        group = file.create_group("x_org_example_notes")
        group.attrs["unknown"] = [1.5, 2.5]
        group.create_dataset("table", data=[[1, 2], [3, 4]], chunks=(1, 2), compression="gzip")
        group["alias"] = group["table"]
        group["pointer"] = h5py.SoftLink("/images")
        group.create_dataset("words", data=["a", "ü"], dtype=h5py.string_dtype())
        file["grids/ct"].attrs["x_example"] = "kept"
        file["annotations/organs"].attrs["x_example"] = True


def amend(path: str) -> None:
    with medh5.amend(path) as writer:
        writer.add_boxes("found", [[[0.5, 3.5], [1, 2], [3, 4]], [[2, 4], [0, 5], [1, 6]]], [1, 2], grid="ct", scores=[0.5, 1])
        writer.commit()


{"extend": extend, "amend": amend}[sys.argv[1]](sys.argv[2])
