"""Writes a cohort with known problems, and what an audit must find in it.

usage: make_cohort.py FOLDER

The pinned reference writes the samples into FOLDER/files; `expected.json` lists what was planted, by the names of our
checks, and `reference.json` is what the reference's own `dataset check` says of the same files.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import medh5
import numpy as np

SHAPE = (6, 10, 12)
USUAL = [("liver", "Liver", (200, 40, 40, 255)), ("spleen", "Spleen", (40, 200, 40, 255)), ("tumour", "Tumour", (240, 240, 0, 255))]


def label_set(version="1.0.0", classes=None):
    classes = classes or [(i + 1, *entry) for i, entry in enumerate(USUAL)]
    made = [medh5.LabelClass(i, key, name, color=color) for i, key, name, color in classes]
    return medh5.LabelSet("abdomen", version=version, classes=made)


def other_label_set():
    """Liver renamed and recoloured, 2 redefined, tumour moved, bone added; spleen is gone."""
    return label_set("2.0.0", [
        (1, "liver", "Hepar", (1, 2, 3, 255)),
        (2, "lung", "Lung", (40, 200, 40, 255)),
        (7, "tumour", "Tumour", (240, 240, 0, 255)),
        (8, "bone", "Bone", (255, 255, 255, 255)),
    ])


def write(
    path, subject, *, seed, site="north", split="train", fold=None, group=None, sample_id=None, labels=label_set, spacing=(3.0, 0.8, 0.8),
    direction=None, shape=SHAPE, examined=(1, 2, 3), present=(1, 2), deidentified=True, index=True, set_id="main",
):
    rng = np.random.default_rng(seed)
    with medh5.create(path, sample_id=sample_id or path.stem, subject_id=subject, codec="portable") as w:
        w.add_timepoint("baseline", index=0)
        w.add_grid("ct", shape=shape, spacing=spacing, direction=direction, timepoint="baseline", frame_uid="frame")
        w.add_image("CT", rng.integers(-1000, 1000, shape).astype("i2"), grid="ct", modality="CT")
        if labels:
            w.label_set(labels())
            masks = {i: np.zeros(shape, bool) for i in examined}
            for i in set(present) & set(examined):
                masks[i][1 + i % 3, 2:5, 3 : 5 + i % 3] = True
            w.add_segmentation("organs", grid="ct", masks=masks, annotated_classes=list(examined))
            if index:
                w.build_index()
        w.cohort(dataset_id="planted", site_id=site, **({"group_id": group} if group else {}))
        if split:
            w.split(set_id=set_id, partition=split, **({} if fold is None else {"fold": fold}))
        if deidentified:
            w.deidentification(method="synthetic")
        w.commit()


def plant(folder):
    """Each file with the problem that its name tells; returns the names by check."""
    make = lambda name, subject, seed, **more: write(folder / f"{name}.medh5", subject, seed=seed, **more)
    for number in range(1, 7):
        make(f"good-{number}", f"s{number}", number, site="north" if number < 4 else "south", split="train" if number < 5 else "val",
             present=(1, 2, 3) if number == 1 else (1, 2))
    make("rounded-spacing", "s7", 7, spacing=(3.0, 0.80005, 0.8))
    make("thick", "s8", 8, spacing=(5.0, 0.8, 0.8), site="south")
    make("flipped", "s9", 9, direction=np.diag([-1.0, 1.0, 1.0]))
    make("tall", "s10", 10, shape=(9, 10, 12))
    make("labels-2", "s11", 11, labels=other_label_set, examined=(1, 2, 7), present=(1,), site="south")
    make("labels-none", "s12", 12, labels=None)
    make("identified", "s13", 13, deidentified=False)
    make("index-none", "s14", 14, index=False)
    make("index-stale", "s15", 15)
    make("digests-none", "s16", 16, index=False)
    make("digests-some", "s17", 26)
    make("subject-val", "s1", 17, split="val")
    make("fold-0", "s18", 18, fold=0, set_id="folds")
    make("fold-1", "s18", 19, fold=1, set_id="folds")
    make("group-train", "s20", 20, group="family", split="train")
    make("group-test", "s21", 21, group="family", split="test", present=(1, 2))
    make("renamed-copy", "s22", 2, split="test")
    make("test-north", "s23", 23, split="test", present=(2,))
    make("same-name", "s24", 24, sample_id="good-1")
    make("unclaimed", "s25", 25, split=None)
    shutil.copyfile(folder / "good-3.medh5", folder / "copy.medh5")
    (folder / "text.medh5").write_text("not a file of this kind")
    (folder / "cut.medh5").write_bytes((folder / "good-5.medh5").read_bytes()[:3000])
    spoil_index(folder / "index-stale.medh5")
    strip(folder / "digests-none.medh5", "content_id", "images/CT", "annotations/organs/data")
    strip(folder / "digests-some.medh5", "annotations/organs/data")
    members = []
    for number in (1, 2):
        members.append(folder / f"member-{number}.medh5")
        write(members[-1], f"m{number}", seed=30 + number, site="east")
    medh5.pack(members, folder / "shard.medh5c")
    for member in members:
        member.unlink()
    return {
        "unreadable": ["cut", "text"],
        "no-label-set": ["labels-none"],
        "several-label-sets": ["labels-2"],
        "same-sample-id": ["copy", "good-1", "good-3", "same-name"],
        "same-content": ["copy", "good-3"],
        "same-image": ["good-2", "renamed-copy"],
        "no-split-claim": ["unclaimed"],
        "split-conflict": ["fold-0", "fold-1", "good-1", "group-test", "group-train", "subject-val"],
        "content-leak": ["good-2", "renamed-copy"],
        "class-absent-in-partition": ["good-5", "good-6", "group-test", "renamed-copy", "subject-val", "test-north", "fold-0", "fold-1"],
        "spacing-outliers": ["thick"],
        "shape-outliers": ["tall"],
        "orientation-outliers": ["flipped"],
        "no-deidentification": ["identified"],
        "stale-index": ["digests-some", "index-stale"],
        "no-index": ["digests-none", "index-none"],
        "no-digests": ["digests-none", "digests-some"],
    }


def spoil_index(path):
    with h5py.File(path, "r+") as file:
        entry = file["index/organs"]
        digest = entry.attrs["source_digest"]
        entry.attrs["source_digest"] = digest[:-1] + ("0" if digest[-1] != "0" else "1")


def strip(path, *parts):
    """Takes digests away; the names of datasets, or of an attribute of the root."""
    with h5py.File(path, "r+") as file:
        for part in parts:
            owner, name = (file[part], "digest") if part in file else (file, part)
            del owner.attrs[name]


def main(folder):
    files = folder / "files"
    files.mkdir(parents=True)
    expected = plant(files)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1))
    program = Path(sys.executable).with_name("medh5")
    manifest = folder / "manifest.json"
    subprocess.run([program, "dataset", "index", files, "-o", manifest], check=True, capture_output=True)
    found = subprocess.run([program, "dataset", "check", "--json", manifest], capture_output=True, text=True)
    (folder / "reference.json").write_text(found.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
