"""Versions, kinds, profiles, digests, the sampling index."""

import h5py
import numpy as np

from .target import NotApplicable, Operator, operator

OPERATORS: list[Operator] = []

VERSIONS = ["1.0", "1.1", "1.2", "1.3", "1", "1.", "1.x", "1.0.0", "1.0 ", " 1.0", "01.0", "2.0", "", "x", "1.99", 1, 1.0, ["1.0"]]


@operator(OPERATORS, weight=5)
def version(t):
    value = t.pick(VERSIONS)
    t.root.attrs["medh5_version"] = value
    return f"medh5_version = {value!r}"


@operator(OPERATORS, weight=2)
def kind(t):
    value = t.pick(["sample", "collection", "", "thing", 3])
    t.root.attrs["medh5_kind"] = value
    return f"medh5_kind = {value!r}"


KNOWN = ["core", "seg", "det", "cls", "reg", "curation", "multiscale", "training", "longitudinal", "clinical"]


@operator(OPERATORS, weight=4)
def profiles(t):
    values = [str(v) for v in np.atleast_1d(t.root.attrs.get("medh5_profiles", []))]
    how = t.pick(["add", "add", "add", "drop", "unknown", "empty", "double"])
    if how == "add":
        values.append(t.pick(KNOWN))
    elif how == "drop":
        values = values[:-1]
    elif how == "unknown":
        values.append("unknown")
    elif how == "empty":
        values = []
    else:
        values += values
    t.root.attrs["medh5_profiles"] = np.array(values, dtype=object) if values else np.empty(0, "i8")
    return f"medh5_profiles: {how}"


@operator(OPERATORS, weight=5)
def digest(t):
    d = t.pick(d for d in t.datasets() if "digest" in d.attrs)
    text = str(d.attrs["digest"])
    how = t.pick(["drop", "damage", "upper", "short", "algorithm", "empty", "list", "null", "number"])
    values = {
        "damage": text[:-1] + ("0" if text[-1] != "0" else "1"),
        "upper": text.upper(),
        "short": text[:-2],
        "algorithm": text.replace("sha256", "md5"),
        "empty": "",
        "list": [text],
        "null": h5py.Empty(h5py.string_dtype()),
        "number": 5,
    }
    del d.attrs["digest"]
    if how != "drop":
        d.attrs["digest"] = values[how]
    return f"{d.name}@digest: {how}"


@operator(OPERATORS)
def drop_all_digests(t):
    for d in t.datasets():
        if "digest" in d.attrs and not d.name.startswith("/clinical"):
            del d.attrs["digest"]
    return "no digests"


@operator(OPERATORS, weight=3)
def content_id(t):
    text = str(t.root.attrs.get("content_id", "sha256:" + "0" * 64))
    how = t.pick(["drop", "damage", "upper", "list", "algorithm", "empty", "number"])
    values = {"damage": text[:-1] + "z", "upper": text.upper(), "list": [text], "algorithm": "md5:00", "empty": "", "number": 4}
    t.root.attrs.pop("content_id", None) if how == "drop" else t.root.attrs.__setitem__("content_id", values[how])
    return f"content_id: {how}"


@operator(OPERATORS, weight=2)
def digest_algo(t):
    value = t.pick(["sha256", "sha512", "blake2b", "md5", "", 5])
    t.root.attrs["digest_algo"] = value
    return f"digest_algo = {value!r}"


@operator(OPERATORS, weight=4)
def index(t):
    if not isinstance(t.root.get("index"), h5py.Group) or not len(t.root["index"]):
        raise NotApplicable
    entry = t.root["index"][t.pick(t.root["index"])]
    how = t.pick(["source", "drop-source", "rename", "tables", "empty", "dataset", "coords"])
    if how == "source":
        entry.attrs["source_digest"] = "sha256:" + "0" * 64
    elif how == "drop-source":
        del entry.attrs["source_digest"]
    elif how == "rename":
        t.root.move(entry.name.lstrip("/"), "index/nobody")
    elif how == "tables":
        del entry["class_ids"]
    elif how == "empty":
        del t.root["index"]
        t.root.create_group("index")
    elif how == "dataset":
        name = entry.name
        del t.file[name]
        t.file[name] = np.zeros(3)
    else:
        del entry["fg_coords"]
    return f"index: {how}"


@operator(OPERATORS, weight=2)
def covered_annotation_of_index(t):
    if "index" not in t.root:
        raise NotApplicable
    name = t.pick(n for n in t.root["index"] if n in t.root["annotations"])
    a = t.root["annotations"][name]
    a.attrs[t.pick(["prov", "closure", "task", "class_ids"])] = t.pick(["x", np.array([1], "u2")])
    return f"{a.name}: an attribute that the index may depend on"


@operator(OPERATORS, weight=6)
def collection(t):
    """The outer layer of a collection, and one member's root."""
    if t.file.attrs.get("medh5_kind") != "collection" or "samples" not in t.file:
        raise NotApplicable
    key = t.pick(t.file["samples"])
    member = t.file["samples"][key]
    how = t.pick(["rename", "outer", "inner", "no-id", "no-profiles", "dataset", "dangle", "kind", "empty", "gone", "copy", "bare"])
    if how == "rename":
        t.file.move(member.name, "/samples/" + t.pick(["a b", "meta", "x" * 256, "é"]))
    elif how == "outer":
        t.file.attrs["medh5_version"] = t.pick(VERSIONS)
    elif how == "inner":
        member.attrs["medh5_version"] = t.pick(VERSIONS)
    elif how == "no-id":
        member.attrs.pop("content_id", None)
    elif how == "no-profiles":
        member.attrs.pop("medh5_profiles", None)
    elif how == "dataset":
        t.file["samples"]["data"] = np.zeros(3)
    elif how == "dangle":
        t.file["samples"]["dangling"] = h5py.SoftLink("/nowhere")
    elif how == "kind":
        member.attrs["medh5_kind"] = t.pick(["collection", "other"])
    elif how == "empty":
        for name in list(t.file["samples"]):
            del t.file["samples"][name]
    elif how == "gone":
        del t.file["samples"]
    elif how == "copy":
        t.file["samples"]["again"] = member
    else:
        t.file["samples"].create_group("bare")
    return f"collection: {how}"
