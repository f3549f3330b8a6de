"""Groups and links: compact, dense, symbol tables; hard, soft, external."""

import h5py

from .theme import Theme, numbers, theme

THEMES: list[Theme] = []


@theme(THEMES)
def links_of_all_kinds(file, rng):
    file["data"] = numbers(rng, (4,), "<i4")
    group = file.create_group("group")
    group["again"] = file["data"]
    group["self"] = group
    group["up"] = file
    file["soft"] = h5py.SoftLink("/group/again")
    file["soft-relative"] = h5py.SoftLink("group/again")
    file["soft-dangling"] = h5py.SoftLink("/nowhere/at/all")
    file["soft-loop-a"] = h5py.SoftLink("/soft-loop-b")
    file["soft-loop-b"] = h5py.SoftLink("/soft-loop-a")
    file["soft-to-group"] = h5py.SoftLink("/group")
    file["external"] = h5py.ExternalLink("other-file.h5", "/some/path")
    group["external-self"] = h5py.ExternalLink("links.h5", "/data")
    for name in ("a b", "grüße", "日本", ".hidden", "UPPER", "x" * 300):
        group.create_group(name)
    file.create_group("empty")


@theme(THEMES)
def links_dense(file, rng):
    some = file.create_group("some")
    for i in range(40):
        some[f"member-{i:03}"] = numbers(rng, (2,), "<i2")
    some["soft"] = h5py.SoftLink("member-003")
    some["external"] = h5py.ExternalLink("elsewhere.h5", "/")
    shared = file.create_dataset("shared", data=1)
    many = file.create_group("many")
    for i in range(1200):
        many[f"{i:05}-{'long' * (i % 7)}"] = shared


@theme(THEMES)
def links_deleted(file, rng):
    group = file.create_group("group")
    for i in range(30):
        group[f"d{i}"] = numbers(rng, (3,), "<i2")
    for i in range(0, 30, 2):
        del group[f"d{i}"]
    small = file.create_group("small")
    for i in range(6):
        small.create_group(f"g{i}")
    del small["g1"], small["g4"]
    small["g1"] = numbers(rng, (2,), "<i2")
    small.move("g2", "moved")


@theme(THEMES, options={"track_order": True})
def links_in_creation_order(file, rng):
    for name in ("zebra", "apple", "mango"):
        file[name] = numbers(rng, (2,), "<i2")
    group = file.create_group("group", track_order=True)
    for i in reversed(range(25)):
        group[f"n{i:02}"] = numbers(rng, (2,), "<i2")
    for i in reversed(range(15)):
        group.attrs[f"a{i:02}"] = i
    dset = file.create_dataset("ordered", data=numbers(rng, (3,), "<i2"), track_order=True)
    for i in reversed(range(4)):
        dset.attrs[f"b{i}"] = float(i)


@theme(THEMES)
def links_deep(file, rng):
    group = file
    for depth in range(50):
        group = group.create_group(f"level-{depth}")
    group["bottom"] = numbers(rng, (3,), "<f4")


@theme(THEMES)
def links_phase_change(file, rng):
    plist = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
    plist.set_attr_phase_change(3, 2)
    group = h5py.Group(h5py.h5g.create(file.id, b"early-dense", gcpl=plist))
    for i in range(6):
        group.attrs[f"a{i}"] = i
        group[f"l{i}"] = numbers(rng, (1,), "u1")
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_attr_phase_change(2, 1)
    dcpl.set_obj_track_times(True)
    dset = h5py.h5d.create(file.id, b"timed", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((2,)), dcpl)
    h5py.Dataset(dset).attrs["one"] = 1


def edit(path, rng):
    """Opens the finished file again with the oldest format, as h5py does by default."""
    with h5py.File(path, "a") as file:
        file["added/deeper"] = numbers(rng, (4, 4), "<i4")
        file["added"].attrs["text"] = "added later"
        file["kept"].attrs["second"] = 2.5
        file["kept-group"]["new"] = numbers(rng, (2,), "u1")
        file.create_dataset("added-chunked", data=numbers(rng, (20, 20), "<f4"), chunks=(6, 6), compression=1)
        del file["doomed"]
        file["grown"].resize((90,))
        file["grown"][50:] = 1


@theme(THEMES, after=edit)
def edited_by_default_h5py(file, rng):
    file["kept"] = numbers(rng, (5,), "<i4")
    file["kept"].attrs["first"] = "x"
    file["doomed"] = numbers(rng, (500,), "<i4")
    file.create_group("kept-group")["old"] = numbers(rng, (2,), "u1")
    file.create_dataset("grown", data=numbers(rng, (10,), "<i4"), chunks=(8,), maxshape=(None,))
