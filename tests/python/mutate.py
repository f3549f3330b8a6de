"""Makes mutants of the valid files of the published suite, and asks the reference about each at every level.

usage: mutate.py FOLDER SUITE [--count N] [--seed N]

FOLDER gets the mutants, LEVEL.json with the reference's reports, and mutants.json: for each mutant its base,
what was done to it, and whether bytes that a stored digest covers changed. The same seed makes the same
mutations.
"""

import argparse
import json
import shutil
from pathlib import Path

import h5py
import medh5
import numpy as np
import verdicts
from medh5 import integrity
from mutations import annotations, attributes, clinical, datasets, document, geometry, links, transforms
from mutations import integrity as stamps
from mutations.target import NotApplicable, Target

CHAPTERS = [attributes, geometry, datasets, links, annotations, transforms, document, stamps, clinical]
# How often each chapter is chosen, in the same order; and how much more often where a file has much of it.
SHARES = np.array([5, 3, 5, 3, 5, 2, 6, 4, 5])
RICH_IN = {"transforms": (transforms, 5), "clinical": (clinical, 4), "samples": (stamps, 5), "index": (stamps, 2)}
ATTEMPTS = 60


def valid_files(suite: Path) -> list[str]:
    cases = json.loads((suite / "expected.json").read_text())["cases"]
    return sorted(case["file"] for case in cases if case["valid"] and (suite / case["file"]).stat().st_size < 1_000_000)


def sample_root(file: h5py.File, rng) -> h5py.Group:
    samples = file.get("samples")
    if isinstance(samples, h5py.Group) and len(samples):
        return samples[list(samples)[int(rng.integers(len(samples)))]]
    return file


def shares_of(path: Path) -> np.ndarray:
    shares = SHARES.copy()
    with h5py.File(path) as file:
        for name, (chapter, factor) in RICH_IN.items():
            if name in file:
                shares[CHAPTERS.index(chapter)] *= factor
    return shares


def mutate_once(path: Path, rng: np.random.Generator) -> tuple[str, bool]:
    """Applies one operator; gives what it did and whether covered bytes changed."""
    shares = shares_of(path)
    chapter = CHAPTERS[rng.choice(len(CHAPTERS), p=shares / shares.sum())]
    weights = np.array([operator.weight for operator in chapter.OPERATORS])
    chosen = chapter.OPERATORS[rng.choice(len(weights), p=weights / weights.sum())]
    with h5py.File(path, "r+") as file:
        target = Target(file, sample_root(file, rng), rng)
        return f"{chosen.name}: {chosen.run(target)}", target.covered


def restamp(path: Path) -> bool:
    """Recomputes all digests and `content_id`, so that only the mutation itself is left to find."""
    try:
        with medh5.open(path) as sample:
            digests = {name: str(integrity.dataset_digest(sample.root[name])) for name in digested(path)}
        with h5py.File(path, "r+") as file:
            for name, text in digests.items():
                file[name].attrs["digest"] = text
        with medh5.open(path) as sample:
            root = sample.compute_content_id()
        with h5py.File(path, "r+") as file:
            file.attrs["content_id"] = root
    except Exception:
        return False
    return True


def digested(path: Path) -> list[str]:
    names = []
    with h5py.File(path) as file:
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and "digest" in item.attrs else None)
    return names


def make(folder: Path, suite: Path, base: str, number: int, seed: int) -> dict:
    """One mutant. Operators that do not apply, or that h5py refuses half-way, are tried again on a fresh copy."""
    rng = np.random.default_rng([seed, number])
    path = folder / f"{number:05}-{base}"
    for _ in range(ATTEMPTS):
        shutil.copyfile(suite / base, path)
        try:
            done = [mutate_once(path, rng)]
            while rng.random() < 0.15:
                done.append(mutate_once(path, rng))
        except (NotApplicable, KeyError, TypeError, ValueError, OSError, RuntimeError, AttributeError, IndexError):
            continue
        covered = any(covered for _, covered in done)
        if rng.random() < 0.35:
            covered = not restamp(path) and covered
        return {"file": path.name, "base": base, "done": [text for text, _ in done], "covered": covered}
    raise SystemExit(f"no operator applies to {base}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    bases = valid_files(options.suite)
    mutants = [make(options.folder, options.suite, bases[i % len(bases)], i, options.seed) for i in range(options.count)]
    (options.folder / "mutants.json").write_text(json.dumps(mutants, indent=1, ensure_ascii=False))
    verdicts.main(options.folder, options.folder)
    print(f"{len(mutants)} mutants of {len(bases)} files")


if __name__ == "__main__":
    main()
