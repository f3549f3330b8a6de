"""Clinical tables of format 1.1: cells, columns, masks, bounds, links, the descriptor."""

import json

import h5py
import numpy as np

from .target import NotApplicable, Operator, Target, operator, replace

OPERATORS: list[Operator] = []


def clinical(t: Target) -> h5py.Group:
    group = t.root.get("clinical")
    if not isinstance(group, h5py.Group):
        raise NotApplicable
    return group


def table(t: Target) -> h5py.Group:
    group = clinical(t)
    return group[t.pick(n for n in ("events", "documents", "links") if isinstance(group.get(n), h5py.Group))]


def read_text(column: h5py.Group) -> list[bytes]:
    data, offsets = column["data"][()].tobytes(), [int(o) for o in column["offsets"][()]]
    return [data[a:b] for a, b in zip(offsets, offsets[1:])]


def write_text(column: h5py.Group, cells: list[bytes]) -> None:
    """Stores other cells; the old digests stay, so these are mutations too."""
    replace(column["data"], np.frombuffer(b"".join(cells), "u1"))
    replace(column["offsets"], np.cumsum([0, *map(len, cells)]).astype("u8"))


def text_column(t: Target) -> h5py.Group:
    group = table(t)
    return t.pick(group[n] for n in group if isinstance(group[n], h5py.Group) and "offsets" in group[n])


def number_column(t: Target) -> h5py.Dataset:
    group = table(t)
    found = [group[n] for n in group if isinstance(group[n], h5py.Dataset) and group[n].size]
    return t.pick(found)


CELLS = [
    b"", b"unknown", b"observation", b"condition", b"procedure", b"medication", b"completed", b"entered-in-error", b"period",
    b"instant", b"tp0", b"tp9", b"event", b"document", b"timepoint", b"instance", b"annotation", b"supersedes",
    b"supports", b"e1", b"d1", b"\xff\xfe", b"with\0nul", b"en", b"text/plain", "é".encode(), b"x" * 300,
]


@operator(OPERATORS, weight=10)
def text_cell(t):
    column = text_column(t)
    cells = read_text(column)
    if not cells:
        raise NotApplicable
    row = int(t.rng.integers(len(cells)))
    cells[row] = t.pick(CELLS + cells)
    write_text(column, cells)
    return f"{column.name}[{row}] = {cells[row][:30]!r}"


@operator(OPERATORS, weight=8)
def number_cell(t):
    d = number_column(t)
    data = d[()]
    row = int(t.rng.integers(data.size))
    if data.dtype.kind == "f":
        data[row] = t.pick([np.nan, np.inf, -0.0, 1.5])
    else:
        limits = np.iinfo(data.dtype)
        data[row] = t.pick([limits.min, limits.max, 0, 1, min(int(data[row]) + 1, limits.max), max(int(data[row]) - 1, limits.min)])
    d[...] = data
    return f"{d.name}[{row}] = {data[row]}"


@operator(OPERATORS, weight=4)
def mask_cell(t):
    group = table(t)
    if not isinstance(group.get("valid"), h5py.Group) or not len(group["valid"]):
        raise NotApplicable
    d = group["valid"][t.pick(group["valid"])]
    data = d[()]
    row = int(t.rng.integers(data.size))
    data[row] = t.pick([0, 1, 2])
    d[...] = data
    return f"{d.name}[{row}] = {data[row]}"


@operator(OPERATORS, weight=4)
def column(t):
    group = table(t)
    name = t.pick(n for n in group if n != "valid")
    how = t.pick(["delete", "short", "dangle", "rename", "unknown", "big-endian", "extra-member", "retype", "mask", "unmask", "as-text"])
    item = group[name]
    if how == "delete":
        del group[name]
    elif how == "short" and isinstance(item, h5py.Dataset):
        replace(item, item[:-1])
    elif how == "short":
        write_text(item, read_text(item)[:-1])
    elif how == "dangle":
        del group[name]
        group[name] = h5py.SoftLink("/nowhere")
    elif how == "rename":
        group.move(name, "renamed")
    elif how == "unknown":
        group["added_column"] = np.zeros(3, "i8")
    elif how == "big-endian" and isinstance(item, h5py.Dataset):
        replace(item, item[()].astype(item.dtype.newbyteorder(">")))
    elif how == "extra-member" and isinstance(item, h5py.Group):
        item["more"] = np.zeros(2)
    elif how == "retype" and isinstance(item, h5py.Dataset):
        replace(item, item[()].astype("i4"))
    elif how == "mask":
        group.require_group("valid").require_dataset(t.pick([name, "nothing"]), (2,), "u1")
    elif how == "unmask" and isinstance(group.get("valid"), h5py.Group) and name in group["valid"]:
        del group["valid"][name]
    elif how == "as-text":
        del group[name]
        group.create_dataset(name, data=["a", "b"], dtype=h5py.string_dtype())
    else:
        raise NotApplicable
    return f"{group.name}/{name}: {how}"


@operator(OPERATORS, weight=3)
def offsets(t):
    d = text_column(t)["offsets"]
    data = d[()]
    data[int(t.rng.integers(data.size))] = t.pick([0, 1, 10**6])
    d[...] = data
    return f"{d.name} changed"


@operator(OPERATORS, weight=2)
def attribute(t):
    items = [clinical(t)]
    items[0].visititems(lambda _, item: items.append(item))
    item = t.pick(items)
    item.attrs[t.pick(["note", "digest", "kind", "units"])] = t.pick(["x", 3])
    return f"{item.name} has another attribute"


@operator(OPERATORS, weight=4)
def descriptor(t):
    group = clinical(t)
    document = json.loads(group["meta"][()])
    how = t.pick(["delete", "change", "add", "invalid", "shift", "gone"])
    if how == "delete":
        del document[t.pick(document)]
    elif how == "change":
        clock = document.get("clock", {})
        clock[t.pick(["id", "unit", "reference", "origin_description"])] = t.pick(["", "us", "absolute", "shifted", 3, None])
    elif how == "add":
        document[t.pick(["unknown", "schema", "terminologies"])] = t.pick(["medh5.clinical/2", 1, []])
    elif how == "shift":
        document["clock"] = document.get("clock", {}) | {"reference": "shifted", "shift_us": t.pick([0, "withheld", -5])}
    del group["meta"]
    if how != "gone":
        text = json.dumps(document) if how != "invalid" else "{"
        group.create_dataset("meta", data=text, dtype=h5py.string_dtype())
    return f"/clinical/meta: {how}"


@operator(OPERATORS, weight=2)
def member(t):
    group = clinical(t)
    how = t.pick(["add-group", "add-dataset", "drop", "table-as-dataset"])
    name = t.pick(n for n in ("events", "documents", "links", "meta") if n in group)
    if how == "add-group":
        group.require_group("notes")
    elif how == "add-dataset":
        group.require_dataset("numbers", (3,), "i4")
    else:
        del group[name]
        if how == "table-as-dataset":
            group[name] = np.zeros(3)
    return f"/clinical: {how} {name}"


@operator(OPERATORS)
def undeclare(t):
    clinical(t)
    values = [str(v) for v in np.atleast_1d(t.root.attrs["medh5_profiles"]) if v != "clinical"]
    t.root.attrs["medh5_profiles"] = np.array(values, dtype=object)
    return "the clinical profile is not declared"
