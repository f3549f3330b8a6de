"""Describes HDF5 files through libhdf5, for comparison with our reading of the same files.

usage: describe.py OUTPUT_FOLDER FILE...

For each FILE writes OUTPUT_FOLDER/NAME.jsonl: one line per object, in the order of a depth-first walk over
hard links sorted by the bytes of their names. tests/src/oracles/describe.rs builds the same lines from our
reader; every convention of the text below has its twin there.

  object, kind     first path by which the walk met it; group, dataset or datatype
  links            [name, "hard" path | "soft" target | "external" [file, path] | "other"]
  attributes       [name, type, shape, digest]
  type, shape, storage, chunk, filters, digest, windows       of a dataset

A digest is SHA-256 over the elements in C order: numbers little-endian, strings each followed by a NUL, anything
else as stored. It is null where there is nothing to compare: null dataspaces, and elements that hold heap
addresses. "refused" means that libhdf5 or this project reads no elements of this storage.
"""

import hashlib
import json
import sys
import zlib
from pathlib import Path

import h5py
import hdf5plugin  # noqa: F401  (registers the filters)
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o, h5s, h5t

REFUSED_FILTERS = {4}
WINDOWS = 4


# Types as text.


def order_of(kind) -> str:
    return {h5t.ORDER_LE: "<", h5t.ORDER_BE: ">"}.get(kind.get_order(), "?")


def is_ieee(kind) -> bool:
    fields = {2: (15, 10, 5, 0, 10), 4: (31, 23, 8, 0, 23), 8: (63, 52, 11, 0, 52)}
    bias = {2: 15, 4: 127, 8: 1023}
    size = kind.get_size()
    return size in fields and kind.get_fields() == fields[size] and kind.get_ebias() == bias[size] and kind.get_precision() == 8 * size


PADDINGS = {h5t.STR_NULLTERM: "terminated", h5t.STR_NULLPAD: "null", h5t.STR_SPACEPAD: "space"}
CHARSETS = {h5t.CSET_ASCII: "ascii", h5t.CSET_UTF8: "utf8"}


def describe_integer(kind) -> str:
    size = kind.get_size()
    sign = "i" if kind.get_sign() == h5t.SGN_2 else "u"
    part = "" if kind.get_precision() == 8 * size else f"[{kind.get_offset()}+{kind.get_precision()}]"
    return f"{sign}{size}{order_of(kind)}{part}"


def member_name(kind, index: int) -> str:
    name = kind.get_member_name(index)
    return name.decode("utf-8", "replace")


def describe_type(kind) -> str:
    cls, size = kind.get_class(), kind.get_size()
    if cls == h5t.INTEGER:
        return describe_integer(kind)
    if cls == h5t.FLOAT:
        return f"f{size}{order_of(kind)}" if is_ieee(kind) else f"other-float{size}"
    if cls == h5t.STRING:
        length = "*" if kind.is_variable_str() else size
        return f"text[{length}],{PADDINGS[kind.get_strpad()]},{CHARSETS[kind.get_cset()]}"
    if cls == h5t.BITFIELD:
        return f"bits{size}{order_of(kind)}"
    if cls == h5t.OPAQUE:
        return f"opaque{size}:{kind.get_tag().decode()}"
    if cls == h5t.COMPOUND:
        members = sorted(
            (kind.get_member_offset(i), member_name(kind, i), describe_type(kind.get_member_type(i)))
            for i in range(kind.get_nmembers())
        )
        if holds_addresses(kind):
            # libhdf5 tells the size of such members in memory, not in the file.
            return "{" + ",".join(f"{name}:{text}" for _, name, text in members) + "}"
        return "{" + ",".join(f"{name}@{offset}:{text}" for offset, name, text in members) + f"}}{size}"
    if cls == h5t.REFERENCE:
        return f"reference{size}"
    if cls == h5t.ENUM:
        members = sorted((kind.get_member_value(i), member_name(kind, i)) for i in range(kind.get_nmembers()))
        return f"enum({describe_type(kind.get_super())}){{" + ",".join(f"{n}={v}" for v, n in members) + "}"
    if cls == h5t.VLEN:
        return f"sequence({describe_type(kind.get_super())})"
    if cls == h5t.ARRAY:
        dims = ",".join(map(str, kind.get_array_dims()))
        return f"[{dims}]{describe_type(kind.get_super())}"
    return "other"


def holds_addresses(kind) -> bool:
    """Whether elements point into a heap of the file, or of memory once read."""
    cls = kind.get_class()
    if cls == h5t.COMPOUND:
        return any(holds_addresses(kind.get_member_type(i)) for i in range(kind.get_nmembers()))
    if cls in (h5t.ARRAY, h5t.VLEN):
        return cls == h5t.VLEN or holds_addresses(kind.get_super())
    return cls == h5t.REFERENCE or (cls == h5t.STRING and kind.is_variable_str())


# Values as digests.


def is_number(kind) -> bool:
    cls = kind.get_class()
    if cls == h5t.ENUM:
        return is_number(kind.get_super())
    return (cls == h5t.INTEGER and kind.get_size() in (1, 2, 4, 8)) or (cls == h5t.FLOAT and is_ieee(kind))


def number_dtype(kind) -> np.dtype:
    """In the stored byte order: between orders libhdf5 2.0 forgets the sign of some integers of fewer bits."""
    if kind.get_class() == h5t.ENUM:
        return number_dtype(kind.get_super())
    letter = "f" if kind.get_class() == h5t.FLOAT else ("i" if kind.get_sign() == h5t.SGN_2 else "u")
    return np.dtype(f"{order_of(kind)}{letter}{kind.get_size()}")


def memory_type(kind):
    """The type that elements are read as: whole numbers, anything else as stored."""
    if kind.get_class() == h5t.ENUM:
        memory = h5t.enum_create(h5t.py_create(number_dtype(kind)))
        for i in range(kind.get_nmembers()):
            memory.enum_insert(kind.get_member_name(i), kind.get_member_value(i))
        return memory
    return h5t.py_create(number_dtype(kind)) if is_number(kind) else kind


def digest(chunks) -> str:
    state = hashlib.sha256()
    for chunk in chunks:
        state.update(chunk)
    return state.hexdigest()


def strings(values) -> list[bytes]:
    out = []
    for value in values.ravel():
        value = b"" if value is None or (isinstance(value, int) and value == 0) else value
        out.append(value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value))
    return out


def cut(value: bytes, kind) -> bytes:
    if kind.get_strpad() == h5t.STR_NULLTERM:
        return value.split(b"\0", 1)[0]
    return value.rstrip(b"\0")


def element_digest(kind, shape, read) -> str | None:
    """`read(array, type)` fills an array of `shape` with elements of the given memory type."""
    if kind.get_class() == h5t.STRING and kind.is_variable_str():
        array = np.empty(shape, h5py.string_dtype(CHARSETS[kind.get_cset()].replace("utf8", "utf-8")))
        read(array, h5t.py_create(array.dtype))
        return digest(value + b"\0" for value in strings(array))
    if holds_addresses(kind):
        return None
    if is_number(kind):
        array = np.zeros(shape, number_dtype(kind))
        read(array, memory_type(kind))
        return digest([array.astype(array.dtype.newbyteorder("<")).tobytes()])
    array = np.zeros(shape, f"V{kind.get_size()}")
    read(array, kind)
    if kind.get_class() == h5t.STRING:
        return digest(cut(bytes(value.tobytes()), kind) + b"\0" for value in array.ravel())
    return digest([array.tobytes()])


def shape_of(space):
    return None if space.get_simple_extent_type() == h5s.NULL else list(space.shape)


def describe_attribute(object_id, name: bytes):
    attribute = h5a.open(object_id, name)
    kind, space = attribute.get_type(), attribute.get_space()
    shape = shape_of(space)

    def read(array, memory):
        if array.size:
            attribute.read(array, mtype=memory)

    value = None if shape is None else element_digest(kind, tuple(shape), read)
    return [name.decode("utf-8", "replace"), describe_type(kind), shape, value]


def describe_attributes(object_id) -> list:
    names = sorted(h5a.open(object_id, index=i).name for i in range(h5a.get_num_attrs(object_id)))
    return [describe_attribute(object_id, name) for name in sorted(names)]


# Datasets.

STORAGE = {h5d.COMPACT: "compact", h5d.CONTIGUOUS: "contiguous", h5d.CHUNKED: "chunked", h5d.VIRTUAL: "virtual"}


def some_windows(shape, seed: str) -> list[dict]:
    """A few boxes inside `shape`, some with steps; the same for the same seed."""
    if not shape or 0 in shape:
        return []
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    windows = []
    for number in range(WINDOWS):
        box = {"start": [], "shape": [], "step": []}
        for size in shape:
            step = int(rng.integers(1, 4)) if number % 2 else 1
            start = int(rng.integers(0, size))
            count = int(rng.integers(1, (size - 1 - start) // step + 2))
            box["start"].append(start)
            box["shape"].append(count)
            box["step"].append(step)
        windows.append(box)
    return windows


def read_window(dataset, kind, window) -> str | None:
    shape = tuple(window["shape"])
    space = dataset.get_space()
    space.select_hyperslab(tuple(window["start"]), shape, tuple(window["step"]))
    target = h5s.create_simple(shape)
    return element_digest(kind, shape, lambda array, memory: dataset.read(target, space, array, mtype=memory))


def describe_dataset(dataset, path: str) -> dict:
    kind, space, plist = dataset.get_type(), dataset.get_space(), dataset.get_create_plist()
    shape = shape_of(space)
    storage = STORAGE[plist.get_layout()]
    if plist.get_external_count():
        storage = "external"
    filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
    out = {
        "type": describe_type(kind),
        "shape": shape,
        "storage": storage,
        "chunk": list(plist.get_chunk()) if storage == "chunked" else None,
        "filters": filters,
    }
    if storage in ("virtual", "external") or REFUSED_FILTERS & set(filters):
        return out | {"refused": True}

    def read(array, memory):
        if array.size:
            dataset.read(h5s.ALL, h5s.ALL, array, mtype=memory)

    out["digest"] = None if shape is None else element_digest(kind, tuple(shape), read)
    out["windows"] = []
    if out["digest"]:
        for window in some_windows(shape, path):
            out["windows"].append(window | {"digest": read_window(dataset, kind, window)})
    return out


# The walk.


class Walk:
    """All objects of a file, each once."""

    def __init__(self, file_id) -> None:
        self.lines: list[dict] = []
        self.seen: dict[int, str] = {}
        self.visit(h5o.open(file_id, b"/"), "/")

    def visit(self, object_id, path: str) -> str:
        address = h5o.get_info(object_id).addr
        if address in self.seen:
            return self.seen[address]
        self.seen[address] = path
        line = {"object": path}
        self.lines.append(line)
        if isinstance(object_id, h5g.GroupID):
            line["kind"] = "group"
            line["links"] = self.links(object_id, path)
        elif isinstance(object_id, h5d.DatasetID):
            line["kind"] = "dataset"
            line.update(describe_dataset(object_id, path))
        else:
            line["kind"] = "datatype"
            line["type"] = describe_type(object_id)
            return path
        line["attributes"] = describe_attributes(object_id)
        return path

    def links(self, group, path: str) -> list:
        names: list[bytes] = []
        group.links.iterate(names.append)
        return [self.link(group, path, name) for name in sorted(names)]

    def link(self, group, path: str, name: bytes) -> list:
        text = name.decode("utf-8", "replace")
        info = group.links.get_info(name)
        if info.type == h5l.TYPE_HARD:
            return [text, "hard", self.visit(h5o.open(group, name), path.rstrip("/") + "/" + text)]
        if info.type == h5l.TYPE_SOFT:
            return [text, "soft", group.links.get_val(name).decode("utf-8", "replace")]
        if info.type == h5l.TYPE_EXTERNAL:
            return [text, "external", [part.decode("utf-8", "replace") for part in group.links.get_val(name)]]
        return [text, "other", None]


def describe(path: Path, output: Path) -> None:
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        output.write_text(json.dumps({"unreadable": str(error)}) + "\n")
        return
    with file:
        lines = Walk(file.id).lines
    output.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def main(folder: Path, files: list[Path]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        describe(path, folder / (path.name + ".jsonl"))
    print(f"{len(files)} files described by h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
