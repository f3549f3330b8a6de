"""Tells whether libhdf5 finds in a copy what is in its original.

usage: same_content.py PAIRS

PAIRS is a file with one JSON list [original, copy] a line. Writes one line per difference; nothing when all pairs are alike.
Compared are links and which of them lead to one object, attributes, datatypes and whether they are committed, extents
with their maxima, storage, chunks as they are stored, filters, fill values with their times, and elements.
"""

import json
import sys
from pathlib import Path

import h5py
import hdf5plugin  # noqa: F401  (registers the filters)
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o, h5s, h5t


class Pair:
    """Two files that are walked together."""

    def __init__(self, name: str, original, copy) -> None:
        self.name = name
        self.seen: dict[int, tuple[str, int]] = {}
        self.visit("/", h5o.open(original, b"/"), h5o.open(copy, b"/"))

    def differ(self, path: str, what: str, ours, theirs) -> None:
        print(f"{self.name}: {path}: {what}: {str(ours)[:200]} in the copy, {str(theirs)[:200]} in the original")

    def same(self, path: str, what: str, ours, theirs) -> bool:
        if ours != theirs:
            self.differ(path, what, ours, theirs)
        return ours == theirs

    def visit(self, path: str, original, copy) -> None:
        place, copied = h5o.get_info(original).addr, h5o.get_info(copy).addr
        if place in self.seen:
            first, expected = self.seen[place]
            self.same(path, f"same object as {first}", copied, expected)
            return
        self.seen[place] = (path, copied)
        if not self.same(path, "kind", type(copy).__name__, type(original).__name__):
            return
        self.same(path, "hard links", h5o.get_info(copy).rc, h5o.get_info(original).rc)
        self.attributes(path, original, copy)
        if isinstance(original, h5g.GroupID):
            self.links(path, original, copy)
        elif isinstance(original, h5d.DatasetID):
            self.dataset(path, original, copy)
        else:
            self.same(path, "type", copy.equal(original), True)

    def links(self, path: str, original, copy) -> None:
        names = [sorted(names_of(group)) for group in (copy, original)]
        if not self.same(path, "links", *names):
            return
        for name in names[0]:
            info = original.links.get_info(name)
            if not self.same(path, f"kind of link {name}", copy.links.get_info(name).type, info.type):
                continue
            if info.type == h5l.TYPE_HARD:
                below = path.rstrip("/") + "/" + name.decode("utf-8", "replace")
                self.visit(below, h5o.open(original, name), h5o.open(copy, name))
            else:
                self.same(path, f"target of {name}", copy.links.get_val(name), original.links.get_val(name))

    def attributes(self, path: str, original, copy) -> None:
        names = [sorted(attribute_names(each)) for each in (copy, original)]
        if not self.same(path, "attributes", *names):
            return
        for name in names[0]:
            here = f"{path}: attribute {name}"
            ours, theirs = h5a.open(copy, name), h5a.open(original, name)
            self.types(here, theirs.get_type(), ours.get_type())
            if self.extents(here, theirs.get_space(), ours.get_space()):
                self.elements(here, theirs, ours)

    def types(self, path: str, original, copy) -> None:
        self.same(path, "type", copy.equal(original), True)
        self.same(path, "committed type", bool(copy.committed()), bool(original.committed()))

    def extents(self, path: str, original, copy) -> bool:
        kinds = [space.get_simple_extent_type() for space in (copy, original)]
        if not self.same(path, "kind of extent", *kinds) or kinds[0] != h5s.SIMPLE:
            return kinds[0] != h5s.NULL
        return self.same(path, "extent", copy.get_simple_extent_dims(True), original.get_simple_extent_dims(True)) and self.same(
            path, "shape", copy.shape, original.shape
        )

    def dataset(self, path: str, original, copy) -> None:
        self.types(path, original.get_type(), copy.get_type())
        has_elements = self.extents(path, original.get_space(), copy.get_space())
        ours, theirs = copy.get_create_plist(), original.get_create_plist()
        self.same(path, "storage", ours.get_layout(), theirs.get_layout())
        filters = [[plist.get_filter(i) for i in range(plist.get_nfilters())] for plist in (ours, theirs)]
        # Names of filters are the reader's, unless it does not know them.
        self.same(path, "filters", *[[f[:3] for f in each] for each in filters])
        self.same(path, "fill time", ours.get_fill_time(), theirs.get_fill_time())
        if theirs.fill_value_defined() == h5d.FILL_VALUE_USER_DEFINED and not is_variable(original.get_type()):
            self.same(path, "fill value", fill_value(copy), fill_value(original))
        if theirs.get_layout() == h5d.CHUNKED:
            self.same(path, "chunks", ours.get_chunk(), theirs.get_chunk())
            if not is_variable(original.get_type()):
                self.chunks(path, original, copy)
        if has_elements:
            self.elements(path, original, copy)

    def chunks(self, path: str, original, copy) -> None:
        stored = [stored_chunks(dataset) for dataset in (copy, original)]
        if None in stored or not self.same(path, "stored chunks", sorted(stored[0]), sorted(stored[1])):
            return
        for offset in stored[1]:
            ours, theirs = copy.read_direct_chunk(offset)[1], original.read_direct_chunk(offset)[1]
            if ours != theirs:
                self.differ(path, f"bytes of chunk {offset}", ours[:20], theirs[:20])

    def elements(self, path: str, original, copy) -> None:
        try:
            theirs = read(original)
        except OSError as error:
            if not any(word in str(error) for word in ("filter", "Can't", "can't", "unable")):
                raise
            return
        ours = read(copy)
        if not alike(ours, theirs):
            self.differ(path, "elements", ours, theirs)


def names_of(group) -> list[bytes]:
    names: list[bytes] = []
    group.links.iterate(names.append)
    return names


def attribute_names(object_id) -> list[bytes]:
    return [h5a.open(object_id, index=i).name for i in range(h5a.get_num_attrs(object_id))]


def is_variable(kind) -> bool:
    cls = kind.get_class()
    if cls == h5t.COMPOUND:
        return any(is_variable(kind.get_member_type(i)) for i in range(kind.get_nmembers()))
    if cls == h5t.ARRAY:
        return is_variable(kind.get_super())
    return cls == h5t.VLEN or (cls == h5t.STRING and kind.is_variable_str())


def fill_value(dataset) -> bytes:
    """The fill value, where h5py can convert it."""
    try:
        return np.asarray(h5py.Dataset(dataset).fillvalue).tobytes()
    except (OSError, RuntimeError, TypeError):
        return b""


def stored_chunks(dataset) -> list[tuple] | None:
    """None where libhdf5 mixes up the axes when it lists chunks: those of an extensible array along a later axis."""
    shape, maxima = dataset.shape, dataset.get_space().get_simple_extent_dims(True)
    if maxima.count(h5s.UNLIMITED) == 1 and maxima[0] != h5s.UNLIMITED:
        return None
    if 0 in shape:
        return []
    found = [dataset.get_chunk_info(i).chunk_offset for i in range(dataset.get_num_chunks())]
    return [offset for offset in found if all(at < size for at, size in zip(offset, shape))]


def read(source):
    """Every element: bytes as stored for fixed sizes, objects of Python otherwise."""
    kind = source.get_type()
    shape = source.get_space().shape
    if not is_variable(kind):
        array = np.zeros(shape, f"V{kind.get_size()}")
        if array.size:
            if isinstance(source, h5a.AttrID):
                source.read(array, mtype=kind)
            else:
                source.read(h5s.ALL, h5s.ALL, array, mtype=kind)
        return array.tobytes()
    if isinstance(source, h5a.AttrID):
        array = np.empty(shape, source.dtype)
        if array.size:
            source.read(array)
        return array
    return h5py.Dataset(source)[()]


def alike(ours, theirs) -> bool:
    if isinstance(theirs, np.ndarray):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return False
        if theirs.dtype.names:
            return all(alike(ours[name], theirs[name]) for name in theirs.dtype.names)
        if theirs.dtype.kind == "O":
            return all(alike(a, b) for a, b in zip(ours.ravel(), theirs.ravel()))
        return ours.tobytes() == theirs.tobytes()
    if isinstance(theirs, np.void) and theirs.dtype.names:
        return all(alike(ours[name], theirs[name]) for name in theirs.dtype.names)
    if isinstance(theirs, np.generic):
        return ours.tobytes() == theirs.tobytes()
    return ours == theirs


def main(pairs: Path) -> None:
    for line in pairs.read_text().splitlines():
        original, copy = json.loads(line)
        with h5py.File(original, "r") as theirs, h5py.File(copy, "r") as ours:
            Pair(Path(original).name, theirs.id, ours.id)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
