"""Links and groups: missing, dangling, soft, doubled, outside, deep, oddly named."""

import h5py
import numpy as np

from .target import CHAPTERS, NotApplicable, Operator, operator

OPERATORS: list[Operator] = []


@operator(OPERATORS, weight=3)
def delete_member(t):
    item = t.member()
    name = item.name
    del t.file[name]
    return f"{name} deleted"


@operator(OPERATORS, weight=2)
def delete_chapter(t):
    name = t.pick(n for n in (*CHAPTERS, "index", "clinical") if n in t.root)
    what = t.pick(["delete", "empty", "dangle", "text"])
    del t.root[name]
    if what == "empty":
        t.root.create_group(name)
    elif what == "dangle":
        t.root[name] = h5py.SoftLink("/nowhere")
    elif what == "text":
        t.root[name] = "text"
    return f"{name}: {what}"


@operator(OPERATORS, weight=2)
def dangle(t):
    name = t.pick(t.datasets() + t.members()).name
    if t.chance(0.5):
        del t.file[name]
    else:
        name = name.rsplit("/", 1)[0] + "/dangling"
    t.file[name] = h5py.SoftLink("/nowhere/at/all")
    return f"{name} dangles"


@operator(OPERATORS, weight=3)
def move_behind_soft_link(t):
    item = t.pick(t.datasets() + t.members())
    name = item.name
    new = t.pick(["aaa_moved", "zzz_moved", "index_moved"])
    if new in t.root:
        raise NotApplicable
    t.root.move(name[len(t.root.name.rstrip("/")) + 1 :], new)
    t.file[name] = h5py.SoftLink(t.root[new].name)
    return f"{name} is a soft link to {new}"


@operator(OPERATORS, weight=3)
def second_hard_link(t):
    item = t.pick(t.datasets() + t.members())
    parent = t.pick([item.parent, t.root, t.root[t.pick(n for n in CHAPTERS if isinstance(t.root.get(n), h5py.Group))]])
    name = t.pick(["aaa", "zzz", "alias"])
    if name in parent:
        raise NotApplicable
    parent[name] = item
    return f"{parent.name}/{name} is {item.name} again"


@operator(OPERATORS)
def hard_link_cycle(t):
    group = t.pick(m for m in t.members() if isinstance(m, h5py.Group))
    group["loop"] = t.pick([group, t.root, group.parent])
    return f"{group.name}/loop leads back"


@operator(OPERATORS)
def soft_link_inside(t):
    a, b = t.pick(t.datasets()), t.pick(t.datasets())
    if a.name == b.name:
        raise NotApplicable
    name = a.name
    del t.file[name]
    t.file[name] = h5py.SoftLink(b.name)
    return f"{name} is a soft link to {b.name}"


@operator(OPERATORS)
def leave_the_file(t):
    what = t.pick(["external", "virtual", "raw"])
    where = t.pick([t.root, t.root.require_group("extra")])
    if what == "external":
        where["outside"] = h5py.ExternalLink("elsewhere.h5", "/x")
    elif what == "virtual":
        layout = h5py.VirtualLayout(shape=(4,), dtype="i4")
        layout[:] = h5py.VirtualSource(".", "/x", shape=(4,))
        where.create_virtual_dataset("outside", layout)
    else:
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_external(b"/dev/null", 0, 16)
        h5py.h5d.create(where.id, b"outside", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((4,)), plist)
    return f"{where.name}/outside is {what}"


@operator(OPERATORS)
def nest(t):
    depth = t.pick([3, 62, 63, 64, 65, 66, 70])
    group = t.root
    for level in range(depth):
        group = group.create_group("d" if level else "deep")
    return f"groups nested {depth} deep"


NAMES = ["meta", "has space", "slash\\", "é", "x" * 128, "x" * 129, ".", "a.b-c_d", "UPPER", "日本", "-", "0"]


@operator(OPERATORS, weight=2)
def rename_member(t):
    item = t.member()
    new = t.pick(n for n in NAMES if n != ".")
    if new in item.parent:
        raise NotApplicable
    old = item.name
    t.file.move(old, item.parent.name + "/" + new)
    return f"{old} is called {new[:20]}"


@operator(OPERATORS)
def add_member(t):
    chapter = t.pick(n for n in (*CHAPTERS, "index") if isinstance(t.root.get(n), h5py.Group))
    name = t.pick(["added", "Added-1", "bad name"])
    if name in t.root[chapter]:
        raise NotApplicable
    what = t.pick(["group", "dataset", "type", "text"])
    if what == "group":
        t.root[chapter].create_group(name)
    elif what == "dataset":
        t.root[chapter][name] = np.zeros((3, 3), "f4")
    elif what == "type":
        t.root[chapter][name] = np.dtype("f4")
    else:
        t.root[chapter][name] = "text"
    return f"{chapter}/{name} added: {what}"


@operator(OPERATORS)
def copy_member(t):
    item = t.member()
    name = item.name.rsplit("/", 1)[1] + "_copy"
    if name in item.parent:
        raise NotApplicable
    item.parent.copy(item, name)
    return f"{item.name} copied"


@operator(OPERATORS)
def extension_group(t):
    if "x_vendor" in t.root:
        raise NotApplicable
    group = t.root.create_group("x_vendor")
    group["table"] = np.arange(5)
    group["records"] = np.zeros(2, np.dtype([("a", "i4")]))
    group.attrs["note"] = "ours"
    return "an extension group"
