"""What an operator works on, and how operators are declared."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import h5py
import numpy as np

CHAPTERS = ("grids", "images", "annotations", "transforms")


class NotApplicable(Exception):
    """This file has nothing for this operator to work on."""


@dataclass
class Target:
    """One sample inside an open file, and the source of chance."""

    file: h5py.File
    root: h5py.Group
    rng: np.random.Generator
    covered: bool = False
    """Set by an operator that changed bytes which a stored digest covers."""

    done: list[str] = field(default_factory=list)

    # Choosing.

    def pick(self, options):
        options = list(options)
        if not options:
            raise NotApplicable
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def members(self, *chapters: str) -> list:
        """The groups and datasets of some chapters."""
        found = []
        for chapter in chapters or CHAPTERS:
            group = self.root.get(chapter)
            if isinstance(group, h5py.Group):
                found += [group[name] for name in group if isinstance(group.get(name), (h5py.Group, h5py.Dataset))]
        return found

    def member(self, *chapters: str):
        return self.pick(self.members(*chapters))

    def annotation(self, *kinds: str):
        return self.pick(a for a in self.members("annotations") if not kinds or a.attrs.get("kind") in kinds)

    def datasets(self, *chapters: str) -> list[h5py.Dataset]:
        """All datasets below some children of the root."""
        found = []

        def visit(_, item):
            if isinstance(item, h5py.Dataset):
                found.append(item)

        for chapter in chapters or (*CHAPTERS, "index", "clinical"):
            group = self.root.get(chapter)
            if isinstance(group, h5py.Group):
                group.visititems(visit)
        return found

    def column(self, annotation, name: str) -> h5py.Dataset:
        if not isinstance(annotation, h5py.Group) or not isinstance(annotation.get(name), h5py.Dataset):
            raise NotApplicable
        return annotation[name]

    # The document.

    def document(self) -> dict:
        meta = self.root.get("meta")
        try:
            document = json.loads(meta[()])
        except Exception as error:
            raise NotApplicable from error
        if not isinstance(document, dict):
            raise NotApplicable
        return document

    def write_text(self, text) -> None:
        """Replaces `/meta`; its bytes are covered by `content_id`."""
        del self.root["meta"]
        dtype = h5py.string_dtype()
        self.root.create_dataset("meta", data=text, dtype=dtype)
        # In a file of a later minor version another `content_id` is only a warning.
        known = str(self.root.attrs.get("medh5_version")) in ("1.0", "1.1", "1.2")
        self.covered = self.covered or (known and "content_id" in self.root.attrs)

    def write_document(self, document) -> None:
        before = json.loads(self.root["meta"][()])
        if document == before:
            raise NotApplicable
        self.write_text(json.dumps(document, ensure_ascii=False))


def replace(dataset: h5py.Dataset, data, **options) -> h5py.Dataset:
    """Another dataset in the same place, with the same attributes."""
    parent, name = dataset.parent, dataset.name.rsplit("/", 1)[1]
    attributes = {key: dataset.attrs[key] for key in dataset.attrs}
    del parent[name]
    new = parent.create_dataset(name, data=data, **options)
    for key, value in attributes.items():
        new.attrs[key] = value
    return new


@dataclass
class Operator:
    name: str
    run: Callable[[Target], str]
    weight: float


def operator(operators: list[Operator], weight: float = 1.0):
    """Registers the decorated function. It changes the target and says what it did, or raises NotApplicable."""

    def register(run):
        operators.append(Operator(run.__name__, run, weight))
        return run

    return register
