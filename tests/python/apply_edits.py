"""Makes the example files of the code pages, and has the reference program judge each of them.

Usage: apply_edits.py FOLDER [CODE...]

Reads every fenced `edit` block of crates/medh5/src/validate/codes/*.md, writes FOLDER/CODE-N.medh5 and compares what
the reference finds with what the page states after the line `---`. Exits 1 when they differ. The verbs:

    base NAME            the sample of make_bases.py to start from
    level LEVEL          validate at this level, not at semantic
    profile NAME         hold the file to this profile too
    set OBJECT@NAME VALUE [as TYPE]     an attribute; VALUE is JSON
    unset OBJECT@NAME
    write OBJECT VALUE [as TYPE]        a dataset; keeps the attributes and the type it had
    shape OBJECT EXTENT...              zeros of this shape, keeping type and attributes
    chunk OBJECT EXTENT...              the same values in chunks of this shape
    cast OBJECT TYPE
    put OBJECT INDEX,... VALUE          one element
    cell COLUMN ROW VALUE               one cell of a clinical table; null empties it
    group OBJECT | delete OBJECT | rename OBJECT OBJECT
    link OBJECT TARGET | alias OBJECT TARGET        a soft link, a second hard link
    meta PATH VALUE | unmeta PATH       a member of the document, PATH as in a location
    text TEXT                           the document as it stands here
    seal | reseal                       stamp all digests and content_id anew, or content_id alone
    file TEXT                           no HDF5 at all: a file with this text
"""

import json
import re
import shutil
import sys
from pathlib import Path

import h5py
import numpy as np
from medh5.validate import validate_file

import make_bases
from seal import seal

PAGES = Path(__file__).parents[2] / "crates/medh5/src/validate/codes"
BLOCK = re.compile(r"^```edit\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def value_of(text):
    """A JSON value with an optional `as TYPE`, as NumPy sees it."""
    text, _, dtype = text.partition(" as ")
    value = json.loads(text, parse_constant=float)
    texts = value if isinstance(value, list) else [value]
    if texts and all(isinstance(item, str) for item in texts):
        return np.array(value, dtype=make_bases.TEXT)
    return np.array(value, dtype=dtype or None)


def keep(parent, name, **creation):
    """Replaces a dataset, keeping its attributes."""
    kept = dict(parent[name].attrs) if name in parent else {}
    if name in parent:
        del parent[name]
    fresh = parent.create_dataset(name, **creation)
    for attribute, value in kept.items():
        fresh.attrs[attribute] = value


def set_attribute(file, where, value):
    owner, _, name = where.partition("@")
    value = value_of(value)
    if value.dtype == object and value.ndim == 0:
        file[owner].attrs[name] = value.item()
    else:
        file[owner].attrs.create(name, value, dtype=value.dtype)


def unset_attribute(file, where):
    owner, _, name = where.partition("@")
    del file[owner].attrs[name]


def write(file, name, value):
    array = value_of(value)
    if name in file and " as " not in value and array.dtype != object:
        array = array.astype(file[name].dtype)
    keep(file, name, data=array)


def put(file, name, index, value):
    file[name][tuple(int(part) for part in index.split(","))] = value_of(value)


def cell(file, name, row, value):
    """Rewrites one column of a clinical table, mask included."""
    table, _, column = name.rpartition("/")
    group, row, value = file[table], int(row), json.loads(value, parse_constant=float)
    stored = group[column]
    if isinstance(stored, h5py.Group):
        text, offsets = stored["data"][()].tobytes(), stored["offsets"][()].astype(int)
        cells = [text[low:high].decode() for low, high in zip(offsets, offsets[1:])]
    else:
        cells = stored[()].tolist()
    mask = group.get(f"valid/{column}")
    valid = mask[()] if mask is not None else [1] * len(cells)
    cells = [value if at == row else cell if used else None for at, (cell, used) in enumerate(zip(cells, valid))]
    del group[column]
    if mask is not None:
        del group[f"valid/{column}"]
    make_bases.add_column(group, column, cells)


def change_document(file, path, change):
    document = json.loads(file["meta"][()])
    *parents, last = path.split("/")
    owner = document
    for step in parents:
        owner = owner[int(step) if isinstance(owner, list) else step]
    change(owner, int(last) if isinstance(owner, list) else last)
    text(file, json.dumps(document))


def set_member(owner, name, value):
    if isinstance(owner, list) and name == len(owner):
        owner.append(value)
    else:
        owner[name] = value


def text(file, document):
    del file["meta"]
    file.create_dataset("meta", data=document, dtype=make_bases.TEXT)


def roots(file):
    return list(file["samples"].values()) if "samples" in file else [file]


def extents(words):
    return tuple(int(word) for word in words.split())


VERBS = {
    "set": (2, set_attribute),
    "unset": (1, unset_attribute),
    "write": (2, write),
    "shape": (2, lambda file, name, shape: keep(file, name, shape=extents(shape), dtype=file[name].dtype)),
    "chunk": (2, lambda file, name, shape: keep(file, name, data=file[name][()], chunks=extents(shape), compression=4)),
    "cast": (2, lambda file, name, dtype: keep(file, name, data=file[name][()].astype(dtype))),
    "put": (3, put),
    "cell": (3, cell),
    "group": (1, lambda file, name: file.create_group(name)),
    "delete": (1, lambda file, name: file.pop(name)),
    "rename": (2, lambda file, old, new: file.move(old, new)),
    "link": (2, lambda file, name, target: file.__setitem__(name, h5py.SoftLink(target))),
    "alias": (2, lambda file, name, target: file.__setitem__(name, file[target])),
    "meta": (2, lambda file, path, value: change_document(file, path, lambda o, n: set_member(o, n, json.loads(value)))),
    "unmeta": (1, lambda file, path: change_document(file, path, lambda owner, name: owner.pop(name))),
    "text": (1, text),
    "seal": (0, lambda file: [seal(root) for root in roots(file)]),
    "reseal": (0, lambda file: [seal(root, digests=False) for root in roots(file)]),
}


class Example:
    """One edit block of a page."""

    def __init__(self, code, number, block):
        edits, _, expected = block.partition("---\n")
        lines = [line.partition(" ")[::2] for line in edits.splitlines()]
        self.name = f"{code}-{number}"
        self.base = next(rest for verb, rest in lines if verb == "base")
        self.level = next((rest for verb, rest in lines if verb == "level"), "semantic")
        self.profiles = [rest for verb, rest in lines if verb == "profile"]
        self.edits = [(verb, rest) for verb, rest in lines if verb not in ("base", "level", "profile")]
        self.expected = sorted(expected.splitlines())

    def make(self, folder):
        base = next((folder / "bases").glob(f"{self.base}.medh5*"))
        path = folder / f"{self.name}{base.suffix}"
        if self.edits and self.edits[0][0] == "file":
            path.write_text(self.edits[0][1])
            return path
        shutil.copy(base, path)
        with h5py.File(path, "r+", libver="v110") as file:
            for verb, rest in self.edits:
                count, action = VERBS[verb]
                action(file, *rest.split(" ", count - 1)[:count])
        return path

    def differs(self, path):
        """Whether the reference disagrees with the page; says how."""
        report = validate_file(str(path), level=self.level, profiles=self.profiles)
        found = sorted(f"{item.code} @ {item.location}" for item in report.diagnostics)
        if found == self.expected:
            return False
        print(f"{self.name}: the page says {self.expected}, the reference {found}", file=sys.stderr)
        for item in report.diagnostics:
            print(f"    {item}", file=sys.stderr)
        return True


def examples(codes):
    for page in sorted(PAGES.glob("*.md")):
        if not codes or page.stem in codes:
            for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1):
                yield Example(page.stem, number, block)


def main():
    folder, codes = Path(sys.argv[1]), sys.argv[2:]
    (folder / "bases").mkdir(parents=True, exist_ok=True)
    for make in make_bases.BASES:
        make_bases.write(make, folder / "bases")
    differing = [example.name for example in examples(codes) if example.differs(example.make(folder))]
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
