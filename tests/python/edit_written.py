"""Lets libhdf5 change files that we wrote, and checks that it finds everything afterwards.

usage: edit_written.py FILE...

Every group gets links and attributes, enough to fill up or convert what is there, and loses some; every chunked dataset that can
grow grows; elements are written again. Then the file is opened anew and compared with what it should hold.
Writes one line per difference.
"""

import sys
from pathlib import Path

import h5py
import numpy as np

from same_content import alike, read


def groups_of(file) -> dict[str, h5py.Group]:
    found = {"/": file["/"]}
    file.visititems(lambda name, item: found.update({"/" + name: item}) if isinstance(item, h5py.Group) else None)
    return found


def attributes_of(item) -> dict:
    return {key: read(item.attrs.get_id(key)) for key in item.attrs}


def edit(path: Path, libver: str) -> dict:
    expected: dict = {"links": {}, "attributes": {}, "data": {}}
    with h5py.File(path, "r+", libver=libver) as file:
        datasets: dict[str, h5py.Dataset] = {}
        file.visititems(lambda name, item: datasets.update({"/" + name: item}) if isinstance(item, h5py.Dataset) else None)
        for name, group in groups_of(file).items():
            for number in range(12):
                group[f"added {number}"] = h5py.SoftLink(f"/nowhere/{number}")
                group.attrs[f"added {number}"] = np.arange(number * 9)
            doomed = [key for key in group if isinstance(group.get(key, getlink=True), h5py.SoftLink)][::3]
            for key in doomed:
                del group[key]
            for key in list(group.attrs)[::4]:
                del group.attrs[key]
            expected["links"][name] = sorted(group)
            expected["attributes"][name] = attributes_of(group)
        for name, dataset in datasets.items():
            dataset.attrs["added"] = "text of an edit"
            if dataset.dtype.kind in "iuf" and dataset.size:
                if dataset.chunks and dataset.maxshape != dataset.shape:
                    dataset.resize([min(n + 5, m or n + 5) for n, m in zip(dataset.shape, dataset.maxshape)])
                dataset[...] = dataset[...][..., ::-1] if dataset.shape else dataset[()]
                expected["data"][name] = dataset[...]
    return expected


def check(path: Path, expected: dict) -> None:
    def differ(what: str) -> None:
        print(f"{path.name}: {what}")

    with h5py.File(path, "r") as file:
        for name, links in expected["links"].items():
            if sorted(file[name]) != links:
                differ(f"links of {name}")
            found = attributes_of(file[name])
            if sorted(found) != sorted(expected["attributes"][name]):
                differ(f"attributes of {name}")
            for key, value in expected["attributes"][name].items():
                if key in found and not alike(found[key], value):
                    differ(f"attribute {key} of {name}")
        for name, data in expected["data"].items():
            if file[name][...].tobytes() != data.tobytes():
                differ(f"elements of {name}")


def main(files: list[Path]) -> None:
    for number, path in enumerate(files):
        check(path, edit(path, "latest" if number % 2 else "earliest"))


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
