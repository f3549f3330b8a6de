"""The document in `/meta`: as text, as a tree, and by its own rules."""

import json

import h5py
import numpy as np

from .target import NotApplicable, Operator, Target, operator

OPERATORS: list[Operator] = []


def nodes(value, path=()):
    """All (container, key, path) of a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(items):
        yield value, key, (*path, key)
        yield from nodes(child, (*path, key))


def any_node(t: Target, document):
    return t.pick(nodes(document))


@operator(OPERATORS, weight=6)
def delete_node(t):
    document = t.document()
    container, key, path = any_node(t, document)
    del container[key]
    t.write_document(document)
    return f"/meta {path} deleted"


VALUES = [None, True, 0, -1, 1, 2.5, 1e300, 2**70, "", "text", "2020-01-01", "2020-01-01T00:00:00Z", [], {}, ["a"], {"a": 1}, [1, 1]]


@operator(OPERATORS, weight=10)
def change_node(t):
    document = t.document()
    container, key, path = any_node(t, document)
    value = t.pick(VALUES)
    container[key] = value
    t.write_document(document)
    return f"/meta {path} = {value!r}"


@operator(OPERATORS, weight=3)
def add_node(t):
    document = t.document()
    objects = [document] + [c[k] for c, k, _ in nodes(document) if isinstance(c[k], dict)]
    name = t.pick(["unknown", "x_vendor", "id", "name", "sha256", "uri", "splits", "quality", "extra", "cohort", "acquisition", "codes"])
    t.pick(objects)[name] = t.pick(VALUES)
    t.write_document(document)
    return f"/meta: {name} added"


@operator(OPERATORS, weight=3)
def duplicate_item(t):
    document = t.document()
    lists = [c[k] for c, k, _ in nodes(document) if isinstance(c[k], list) and c[k]]
    chosen = t.pick(lists)
    chosen.append(json.loads(json.dumps(chosen[0])))
    t.write_document(document)
    return "/meta: an item of a list twice"


@operator(OPERATORS, weight=5)
def label_set(t):
    document = t.document()
    labels = document.get("label_set")
    if not isinstance(labels, dict) or not labels.get("classes"):
        raise NotApplicable
    cls = t.pick(labels["classes"])
    how = t.pick(["id", "key", "parents", "codes", "relations", "form", "skeletons", "sha256", "color", "drop"])
    if how == "id":
        cls["id"] = t.pick([0, 65535, 65536, -1, 1, 2, 99, "1", 2.0])
    elif how == "key":
        cls["key"] = t.pick(["", "Upper", "a b", labels["classes"][0]["key"], "x" * 200])
    elif how == "parents":
        cls["parents"] = t.pick([[cls["id"]], [99], [labels["classes"][0]["id"]], [0], ["x"]])
    elif how == "codes":
        cls["codes"] = t.pick([[], [{"system": "SNOMED-CT", "code": "1"}], [{"system": "X"}], [{}]])
    elif how == "relations":
        labels["relations"] = [{"type": t.pick(["part_of", "excludes", "odd"]), "subject": cls["id"], "object": t.pick([1, 2, 99])}]
    elif how == "form":
        labels["form"] = t.pick(["inline", "ref", "other"])
    elif how == "skeletons":
        labels["skeletons"] = [{"id": "s", "joints": ["a"], "edges": [[0, 1]]}]
    elif how == "sha256":
        labels["sha256"] = "0" * 64
    elif how == "color":
        cls["color"] = t.pick([[1, 2, 3], [0, 0, 0, 300], "red"])
    else:
        labels["classes"].remove(cls)
    t.write_document(document)
    return f"/meta label_set: {how}"


@operator(OPERATORS, weight=4)
def timepoints(t):
    document = t.document()
    points = document.get("timepoints")
    if not isinstance(points, list) or not points:
        raise NotApplicable
    point = t.pick(points)
    how = t.pick(["id", "index", "days", "date", "add", "empty", "drop"])
    if how == "id":
        point["id"] = t.pick(["", "a b", "tp0", "meta", "new", points[0].get("id")])
    elif how == "index":
        point["index"] = t.pick([-1, 0, 1, 5, 1.0, "0"])
    elif how == "days":
        point["days_from_baseline"] = t.pick([-30, 0, 90, 1.5, "x"])
    elif how == "date":
        point["date"] = t.pick(["2020-01-01", "2020-1-1", "yesterday", "2020-01-01T00:00:00Z"])
    elif how == "add":
        points.append({"id": "added", "index": len(points)})
    elif how == "drop":
        points.remove(point)
    else:
        points.clear()
    t.write_document(document)
    return f"/meta timepoints: {how}"


@operator(OPERATORS, weight=3)
def provenance(t):
    document = t.document()
    record = document.setdefault("provenance", {"agents": [{"id": "a1", "type": "software", "name": "s"}], "activities": []})
    if not isinstance(record, dict):
        raise NotApplicable
    activities = record.setdefault("activities", [])
    if not activities:
        activities.append({"id": "act1", "type": "annotation", "agent": "a1"})
    activity = t.pick(activities)
    how = t.pick(["agent", "type", "started", "ended", "id", "agents", "agent-type", "prov"])
    if how == "agent":
        activity["agent"] = t.pick(["nobody", "", 1])
    elif how == "type":
        activity["type"] = t.pick(["import", "magic", "review"])
    elif how in ("started", "ended"):
        activity[how] = t.pick(["2020-01-01T00:00:00Z", "2020-01-01", "2020-01-01t10:00:00.5+02:00", "2020-13-45T99:99:99Z", "now"])
    elif how == "id":
        activity["id"] = t.pick(["", "renamed", activities[0]["id"]])
    elif how == "agents":
        record["agents"] = []
    elif how == "agent-type" and record.get("agents"):
        record["agents"][0]["type"] = t.pick(["person", "robot"])
    else:
        item = t.member("annotations", "images", "transforms")
        item.attrs["prov"] = t.pick([activity["id"], "nobody"])
    t.write_document(document)
    return f"/meta provenance: {how}"


@operator(OPERATORS, weight=3)
def curation(t):
    document = t.document()
    how = t.pick(["splits", "quality", "deidentification", "drop-deidentification", "identity", "cohort"])
    if how == "splits":
        one = {"set_id": "folds", "partition": "train", "manifest_sha256": "a" * 64}
        document["splits"] = t.pick([
            [one],
            [one, one | {"partition": "test"}],
            [one, one | {"manifest_sha256": "b" * 64}],
            [one | {"partition": "nonsense"}],
            [one | {"assigned_at": "now"}],
            [{"scheme": "a", "partition": "train"}],
            {"a": "train"},
        ])
    elif how == "quality":
        document["quality"] = t.pick([{"q1": {"rating": 3}}, {"q1": {"status": "approved"}}, {"q1": 3}])
        if t.chance(0.7):
            t.member("annotations", "images").attrs["quality"] = t.pick(["q1", "q2"])
    elif how == "deidentification":
        document["deidentification"] = t.pick([{}, {"method": "x", "date": "2020"}, {"method": ""}, "yes"])
    elif how == "drop-deidentification":
        document.pop("deidentification", None)
    elif how == "identity":
        document["identity"] = t.pick([{}, {"sample_id": ""}, {"sample_id": 3, "subject_id": "s"}, {"sample_id": "s", "subject_id": "p", "sex": "M"}])
    else:
        document["cohort"] = t.pick([{}, {"site": "a"}, {"dataset": 1}])
    t.write_document(document)
    return f"/meta: {how}"


TEXTS = {
    "invalid": lambda s: s[:-1],
    "trailing": lambda s: s + " x",
    "whitespace": lambda s: "\n\t " + s + " \n",
    "byte-order-mark": lambda s: "\ufeff" + s,
    "nan": lambda s: s[:-1] + ', "x": NaN}',
    "infinity": lambda s: s[:-1] + ', "x": [-Infinity, Infinity]}',
    "overflow": lambda s: s[:-1] + ', "x": 1e999}',
    "duplicate-key": lambda s: s[:-1] + ', "identity": {"sample_id": "again", "subject_id": "s"}}',
    "lone-surrogate": lambda s: s[:-1] + ', "x": "\\ud800"}',
    "pair": lambda s: s[:-1] + ', "x": "\\ud83d\\ude00"}',
    "nested-120": lambda s: s[:-1] + ', "x": ' + "[" * 120 + "]" * 120 + "}",
    "nested-130": lambda s: s[:-1] + ', "x": ' + "[" * 130 + "]" * 130 + "}",
    "array": lambda s: "[1]",
    "number": lambda s: "3",
    "empty": lambda s: "",
    "control": lambda s: s.replace('"', '"\x01', 1),
    "big-integer": lambda s: s[:-1] + ', "x": 123456789012345678901234567890}',
    "empty-object": lambda s: "{}",
}


@operator(OPERATORS, weight=5)
def change_text_of_meta(t):
    name = t.pick(TEXTS)
    text = t.root["meta"][()].decode()
    t.write_text(TEXTS[name](text))
    return f"/meta text: {name}"


@operator(OPERATORS, weight=2)
def store_meta_differently(t):
    text = t.root["meta"][()]
    how = t.pick(["fixed", "vector", "null", "bytes", "number", "group", "missing", "latin", "vector-two", "soft"])
    del t.root["meta"]
    if how == "fixed":
        t.root["meta"] = np.bytes_(text)
    elif how == "vector":
        t.root.create_dataset("meta", data=[text], dtype=h5py.string_dtype())
    elif how == "vector-two":
        t.root.create_dataset("meta", data=[text, text], dtype=h5py.string_dtype())
    elif how == "null":
        t.root["meta"] = h5py.Empty(h5py.string_dtype())
    elif how == "bytes":
        t.root["meta"] = np.frombuffer(text, "u1")
    elif how == "number":
        t.root["meta"] = 5
    elif how == "group":
        t.root.create_group("meta")
    elif how == "latin":
        t.root.create_dataset("meta", data=text[:-1] + b', "x": "\xff"}', dtype=h5py.string_dtype("ascii"))
    elif how == "soft":
        t.root.create_dataset("zzz_meta", data=text, dtype=h5py.string_dtype())
        t.root["meta"] = h5py.SoftLink(t.root["zzz_meta"].name)
    return f"/meta stored as {how}"
