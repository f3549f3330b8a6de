"""Measures ours and the reference side by side, interleaved, and writes the table of spec/benchmarks.md.

usage: bench.py FOLDER PROGRAMS TABLE [--quick] [--writing] [--native PROGRAM]

FOLDER holds the samples, made once with the reference. PROGRAMS is the folder with `medh5-lite` and `bench-ours`.
In-process rows time the reference's Python package, a thin layer over its native engine, against `bench-ours`.
PROGRAM is the example `validate_files` of the reference's crate, built with `--release` (it needs CMake for HDF5);
with it, validation is also compared with a reference that starts no Python.
With --writing only the rows of writing and of draws are measured, and put in the place of those in TABLE.
Process rows time whole programs, from start to exit, with their peak memory.
"""

import argparse
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import h5py
import medh5
import numpy as np

import make_volumes

SHAPE = (192, 256, 256)
PROFILES = ("training", "balanced", "archive", "portable")
COHORT, SHARD = 300, 2000
QUICK = {"cohort": 40, "shard": 100}


# The samples.


def phantom(shape, rng) -> np.ndarray:
    """A body with smooth densities and the noise of a CT scan, in Hounsfield units."""
    axes = np.meshgrid(*(np.linspace(-1, 1, n, dtype="f4") for n in shape), indexing="ij", sparse=True)
    inside = axes[1] ** 2 / 0.6 + axes[2] ** 2 / 0.8 <= 1
    smooth = 40 + 30 * np.sin(4 * axes[0]) * np.cos(5 * axes[1]) * np.cos(3 * axes[2])
    noise = rng.normal(0, 12, shape).astype("f4")
    return np.where(inside, smooth + noise, -1000 + noise / 3).astype("i2")


def organs(shape, classes: int, rng) -> dict[int, np.ndarray]:
    """Ellipsoids that overlap where they happen to."""
    axes = np.meshgrid(*(np.arange(n, dtype="f4") for n in shape), indexing="ij", sparse=True)
    masks = {}
    for number in range(1, classes + 1):
        radii = [max(2, n * rng.uniform(0.06, 0.16) * (8 / classes) ** 0.33) for n in shape]
        centre = [rng.uniform(r, n - r) for n, r in zip(shape, radii)]
        masks[number] = sum(((a - c) / r) ** 2 for a, c, r in zip(axes, centre, radii)) <= 1
    return masks


def write(path: Path, shape, classes: int, codec: str, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    labels = medh5.LabelSet("bench", version="1.0.0", classes=[medh5.LabelClass(i, f"c{i}", f"Class {i}") for i in range(1, classes + 1)])
    part = path.with_suffix(".part.medh5")
    with medh5.create(part, sample_id=path.stem, subject_id=path.stem, codec=codec) as w:
        w.label_set(labels)
        w.add_grid("g", shape=shape, spacing=(1.5, 0.8, 0.8), frame_uid="1.2.3")
        w.add_image("CT", phantom(shape, rng), grid="g", modality="CT", value_type="quantitative", value_units="HU")
        w.add_segmentation("organs", grid="g", masks=organs(shape, classes, rng), encoding="layers")
        w.build_index()
        w.deidentification(method="synthetic")
        w.commit()
    part.rename(path)


def samples(folder: Path, cohort: int, shard: int, quick: bool) -> dict[str, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    found = {profile: folder / f"ct-{profile}.medh5" for profile in PROFILES}
    for profile, path in found.items():
        if not path.exists():
            write(path, SHAPE, 8, profile)
    found["many"] = folder / "many.medh5"
    if not found["many"].exists():
        write(found["many"], SHAPE, 63, "training")
    if not quick:
        found["large"] = folder / "large.medh5"
        if not found["large"].exists():
            write(found["large"], (512, 512, 512), 8, "balanced")
    for name, source in (("unindexed", "training"), ("many-unindexed", "many")):
        found[name] = folder / f"{name}.medh5"
        if not found[name].exists():
            shutil.copyfile(found[source], found[name])
            with h5py.File(found[name], "r+") as file:
                del file["index"]
    found["small"] = folder / "small.medh5"
    if not found["small"].exists():
        write(found["small"], (16, 24, 24), 3, "portable")
    members = folder / f"cohort-{shard}"
    if len(list(members.glob("*.medh5"))) < shard:
        members.mkdir(exist_ok=True)
        for number in range(shard):
            write(members / f"s{number:04}.medh5", (16, 24, 24), 3, "portable", number)
    found["cohort"] = folder / f"cohort-of-{cohort}"
    if not found["cohort"].exists():
        found["cohort"].mkdir()
        for path in sorted(members.glob("*.medh5"))[:cohort]:
            shutil.copyfile(path, found["cohort"] / path.name)
    found["shard"] = folder / f"shard-{shard}.medh5c"
    if not found["shard"].exists():
        medh5.pack(sorted(members.glob("*.medh5")), found["shard"])
    return found


# What is measured in one process.


class Ours:
    """`bench-ours`, kept running; it answers with seconds."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, request: str) -> float:
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer.startswith("error") or not answer:
            raise SystemExit(f"bench-ours: {request}: {answer}")
        return float(answer)


class Reference:
    """The same requests to the reference, in this process."""

    def __init__(self) -> None:
        self.open: dict[str, medh5.Sample] = {}

    def __call__(self, request: str) -> float:
        words = request.split(" ")
        return getattr(self, words[0] + "_")(*words[1:])

    def sample(self, path: str):
        if path not in self.open:
            self.open[path] = medh5.open(path)
        return self.open[path]

    @staticmethod
    def timed(work) -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    def open_(self, path: str) -> float:
        def look():
            with medh5.open(path) as sample:
                sample.document.identity
                for grid in sample.grids.values():
                    grid.shape
                for image in sample.images.values():
                    image.modality, image.grid_id, image.shape
                for annotation in sample.annotations.values():
                    annotation.kind, annotation.class_ids

        return self.timed(look)

    def image_(self, path: str, threads: str) -> float:
        medh5.set_threads(int(threads))
        image = self.sample(path).images["CT"]
        return self.timed(image.read)

    def window_(self, path: str, what: str, size: str, threads: str, seed: str) -> float:
        medh5.set_threads(int(threads))
        sample = self.sample(path)
        shape = sample.images["CT"].shape
        rng = np.random.default_rng(int(seed))
        starts = [int(rng.integers(0, n - min(n, int(size)) + 1)) for n in shape]
        roi = tuple(slice(s, s + min(n, int(size))) for s, n in zip(starts, shape))
        if what == "image":
            return self.timed(lambda: sample.images["CT"].read(roi))
        return self.timed(lambda: sample.annotations["organs"].dense(roi=roi))

    def draw_(self, path: str, seed: str) -> float:
        sampler = medh5.PatchSampler(64, strategy="foreground")
        sample = self.sample(path)
        return self.timed(lambda: sampler.draw(sample, "organs", int(seed)))

    def first_(self, path: str, size: str, seed: str) -> float:
        medh5.set_threads(1)

        def first():
            with medh5.open(path) as sample:
                patch = medh5.PatchSampler(int(size), strategy="foreground").draw(sample, "organs", int(seed))
                sample.images["CT"].read(patch.slices)
                sample.annotations["organs"].dense(roi=patch.slices)

        return self.timed(first)


@dataclass
class Row:
    name: str
    ours: float
    reference: float
    aim: str
    memory: str = ""
    work: float = 0.0

    @property
    def ratio(self) -> float:
        return self.reference / self.ours


def in_process(name: str, request, aim: str, ours: Ours, reference: Reference, repeats: int) -> Row:
    """Medians of interleaved runs; the first of each is not counted."""
    times = {ours: [], reference: []}
    for turn in range(repeats + 1):
        for side in (ours, reference) if turn % 2 else (reference, ours):
            seconds = side(request(turn))
            if turn:
                times[side].append(seconds)
    return Row(name, statistics.median(times[ours]), statistics.median(times[reference]), aim)


def in_process_rows(paths, programs: Path, repeats: int, draws_only: bool = False) -> list[Row]:
    ours, reference = Ours(programs / "bench-ours"), Reference()
    rows = []

    def add(name, request, aim, repeats=repeats):
        if draws_only and "draw" not in name:
            return
        print(f"  {name}", flush=True)
        rows.append(in_process(name, request, aim, ours, reference, repeats))

    for profile in PROFILES:
        add(f"open and metadata, {profile}", lambda _: f"open {paths[profile]}", ">= 10")
    for profile in PROFILES:
        for threads in (1, 2):
            add(f"whole image, {profile}, {threads} thread(s)", lambda _: f"image {paths[profile]} {threads}", ">= 1.5" if threads == 1 else "", max(3, repeats // 3))
    for profile in PROFILES:
        for what, aim in (("image", ">= 1.5"), ("labels", ">= 3")):
            for size in (64, 96):
                for threads in (1, 2):
                    add(f"{size}^3 of {what}, {profile}, {threads} thread(s)",
                        lambda turn: f"window {paths[profile]} {what} {size} {threads} {turn}", aim if threads == 1 else "")
    add("64^3 of labels, 63 classes, 1 thread(s)", lambda turn: f"window {paths['many']} labels 64 1 {turn}", ">= 3")
    add("foreground draw, 8 classes", lambda turn: f"draw {paths['training']} {turn}", ">= 5")
    add("foreground draw, 63 classes", lambda turn: f"draw {paths['many']} {turn}", ">= 5")
    if "large" in paths:
        add("foreground draw, 512^3", lambda turn: f"draw {paths['large']} {turn}", ">= 5")
        add("open and metadata, 512^3", lambda _: f"open {paths['large']}", ">= 10")
    for name, path in (("8 classes", "unindexed"), ("63 classes", "many-unindexed")):
        add(f"foreground draw without index, {name}", lambda turn: f"draw {paths[path]} {turn}", "", max(3, repeats // 3))
    add("open to first 64^3 patch", lambda turn: f"first {paths['training']} 64 {turn}", "")
    return rows


# What is measured as whole programs.


LAUNCHER = """
import os, sys, time
for line in sys.stdin:
    command = line.rstrip().split("\\t")
    null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    spent = usage.ru_utime + usage.ru_stime
    print(time.perf_counter() - start, spent, usage.ru_maxrss << 10, os.waitstatus_to_exitcode(status), flush=True)
"""


class Launcher:
    """Starts programs from a small process: a child's peak memory is never below that of its parent."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-S", "-c", LAUNCHER]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, command) -> tuple[float, float, int]:
        """Seconds, those of processors, and the peak memory in bytes of a program, whose verdict does not matter."""
        self.process.stdin.write("\t".join(map(str, command)) + "\n")
        self.process.stdin.flush()
        seconds, spent, peak, code = self.process.stdout.readline().split()
        if code not in ("0", "1"):
            raise SystemExit(f"{command[:4]}: exit {code}")
        return float(seconds), float(spent), int(peak)


def as_process(name: str, ours, reference, aim: str, repeats: int, run: Launcher) -> Row:
    print(f"  {name}", flush=True)
    times, spent, memory = ([], []), ([], []), [0, 0]
    for turn in range(repeats):
        for side in (0, 1) if turn % 2 else (1, 0):
            seconds, processor, peak = run((ours, reference)[side])
            times[side].append(seconds)
            spent[side].append(processor)
            memory[side] = max(memory[side], peak)
    peaks = " / ".join(f"{value / 2**20:.0f}" for value in memory)
    # The kernel counts in steps, so that the smallest programs may seem to take no time at all.
    work = statistics.median(spent[1]) / max(statistics.median(spent[0]), 0.001)
    return Row(name, statistics.median(times[0]), statistics.median(times[1]), aim, peaks, work)


def process_rows(paths, programs: Path, repeats: int) -> list[Row]:
    ours, reference = programs / "medh5-lite", Path(sys.executable).with_name("medh5")

    def validate(files, level, ours_options=(), reference_options=()):
        tail = ["--level", level, "--json", *files]
        return [ours, "validate", *ours_options, *tail], [reference, "validate", *reference_options, *tail]

    launcher = Launcher()
    few = max(3, repeats // 3)
    rows = []

    def add(name, commands, aim, repeats):
        rows.append(as_process(name, *commands, aim, repeats, launcher))

    for level in ("structural", "semantic"):
        add(f"validate one small file, {level}", validate([paths["small"]], level, ["--jobs", "1"]), ">= 10", repeats)
    for level in ("structural", "semantic", "integrity"):
        threads = (["--jobs", "2"], ["--threads", "2"])
        add(f"validate 12.6 Mvoxel, {level}, 2 threads", validate([paths["balanced"]], level, *threads), ">= 10", few)
        if "large" in paths:
            add(f"validate 512^3, {level}, 2 threads", validate([paths["large"]], level, *threads), ">= 10", 2)
    cohort = sorted(paths["cohort"].glob("*.medh5"))
    for level in ("structural", "semantic"):
        # Short enough to be repeated as often as one file: a second core that is busy elsewhere shows here first.
        two_jobs = validate(cohort, level, ["--jobs", "2"], ["--workers", "2"])
        add(f"validate {len(cohort)} files, {level}, 2 jobs", two_jobs, ">= 20", repeats)
        add(f"validate {len(cohort)} files, {level}, 1 job", validate(cohort, level, ["--jobs", "1"]), "", few)
    shard = validate([paths["shard"]], "semantic", ["--jobs", "2"], ["--threads", "2"])
    add(f"validate {paths['shard'].stem}, semantic, 2 jobs", shard, ">= 10", few)
    return rows


def writing_rows(paths, programs: Path, repeats: int, folder: Path) -> list[Row]:
    """Two threads on both sides; the smaller file goes with each row of a profile."""
    ours, reference = programs / "medh5-lite", Path(sys.executable).with_name("medh5")
    out = folder / "written"
    out.mkdir(exist_ok=True)
    launcher = Launcher()
    rows = []

    volumes = {}
    for name, array in (("ct", phantom(SHAPE, np.random.default_rng(1))), ("liver", organs(SHAPE, 1, np.random.default_rng(2))[1].astype("u1"))):
        volumes[name] = out / f"{name}.nii"
        # Slowest axis first becomes x, y, z of NIfTI.
        make_volumes.write(volumes[name], array.T, sform=np.diag([0.8, 0.8, 1.5, 1])[:3])
    given = ["--image", f"CT={volumes['ct']}", "--mask", f"liver={volumes['liver']}", "--subject-id", "p", "--json"]
    for profile in PROFILES:
        targets = [out / f"created-{side}.medh5" for side in ("ours", "reference")]
        sides = [
            [ours, "create", targets[0], *given, "--codec", profile, "--jobs", "2", "--force"],
            [reference, "convert", "from-nifti", targets[1], *given, "--codec", profile, "--threads", "2"],
        ]
        few = 3 if profile == "archive" else max(3, repeats // 3)
        rows.append(as_process(f"create 12.6 Mvoxel, {profile}", *sides, "", few, launcher))
        rows[-1].name += f" ({targets[0].stat().st_size / targets[1].stat().st_size - 1:+.2%} in size)"

    def add(name: str, verb: str, tail: list, few: int) -> None:
        sides = [[program, verb, *threads, "--json", *tail] for program, threads in ((ours, ("--jobs", "2")), (reference, ("--threads", "2")))]
        rows.append(as_process(name, *sides, ">= 2" if verb == "recompress" else "", few, launcher))

    for profile in PROFILES:
        source = paths["training" if profile == "balanced" else "balanced"]
        target = out / f"{profile}.medh5"
        few = 3 if profile == "archive" else max(3, repeats // 3)
        add(f"recompress 12.6 Mvoxel to {profile}", "recompress", [source, "--profile", profile, "--out", target], few)
        size = {}
        for side, program in (("ours", ours), ("reference", reference)):
            subprocess.run([program, "recompress", source, "--profile", profile, "--out", target], check=True, capture_output=True)
            size[side] = target.stat().st_size
        rows[-1].name += f" ({size['ours'] / size['reference'] - 1:+.2%} in size)"
    for name, source in (("12.6 Mvoxel", "balanced"), ("512^3", "large")):
        if source in paths:
            targets = [out / f"indexed-{side}.medh5" for side in ("ours", "reference")]
            for target in targets:
                shutil.copyfile(paths[source], target)
            sides = [[program, "index", "build", *threads, "--json", target] for program, threads, target in ((ours, ("--jobs", "2"), targets[0]), (reference, ("--threads", "2"), targets[1]))]
            rows.append(as_process(f"index build, {name}", *sides, ">= 2", 2 if source == "large" else max(3, repeats // 3), launcher))
    members = sorted((folder / paths["shard"].stem.replace("shard", "cohort")).glob("*.medh5"))
    packed = out / "packed.medh5c"
    add(f"pack {len(members)}", "pack", [*members, "--out", packed], max(3, repeats // 3))
    shutil.rmtree(out)
    return rows


def native_rows(paths, programs: Path, native: Path, repeats: int) -> list[Row]:
    """One thread each: the reference's crate leaves threads to its callers."""
    launcher = Launcher()
    cohort = sorted(paths["cohort"].glob("*.medh5"))
    inputs = {"one small file": [paths["small"]], f"{len(cohort)} files": cohort, "12.6 Mvoxel": [paths["balanced"]], paths["shard"].stem: [paths["shard"]]}
    rows = []
    for name, files in inputs.items():
        for level in ("structural", "semantic", "integrity"):
            ours = [programs / "medh5-lite", "validate", "--jobs", "1", "--level", level, "--json", *files]
            few = repeats if name == "one small file" else max(3, repeats // 3)
            rows.append(as_process(f"validate {name}, {level}", ours, [native, level, *files], "", few, launcher))
    return rows


# The table.


def shown(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def table(rows: list[Row], of_programs: bool) -> str:
    extra = " processor time, ratio | memory, MiB: ours / reference |" if of_programs else ""
    lines = [f"| | ours | reference | ratio | aim |{extra}", "| --- | --- | --- | --- | --- |" + (" --- | --- |" if of_programs else "")]
    for row in rows:
        more = f" {row.work:.1f} | {row.memory} |" if of_programs else ""
        lines.append(f"| {row.name} | {shown(row.ours)} | {shown(row.reference)} | {row.ratio:.1f} | {row.aim} |{more}")
    return "\n".join(lines)


def document(inside: list[Row], whole: list[Row], writing: list[Row], native: list[Row], repeats: int) -> str:
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    return f"""# Benchmarks

Made by `cargo xtask bench` on {datetime.date.today()}: {cpu}, {os.cpu_count()} cores, {platform.system()}, medh5
{medh5.__version__} with HDF5 in its native module, ours built with `--release`. Medians of {repeats} interleaved runs (a
third of that for the long ones), with files in the page cache. A ratio above 1 means that ours is faster. Aims are those the
project set itself; those that are missed are discussed at the end.

Samples are written by the reference: a CT-like image of 192x256x256 int16 with noise and eight overlapping classes in layers, in
all codec profiles; the same with 63 classes; 512^3; small files of 16x24x24.

## In one process

{table(inside, False)}

## As programs

The reference is `medh5`, which starts Python. The ratio of processor time says how much less work is done; with a processor for
each thread, the ratio of time exceeds it where ours works in parallel.

{table(whole, True)}

## Writing, as programs

Two threads on both sides. Both verify what they recompressed before they end; ours also reads back what it packed. `create` makes a
sample of one NIfTI volume and a mask, against `convert from-nifti`.

{table(writing, True)}
""" + native_section(native)


def native_section(rows: list[Row]) -> str:
    if not rows:
        return ""
    return f"""
## Against the reference's native crate

medh5 2.2.5 from crates.io, built with `--release` and a static HDF5; one thread on both sides.

{table(rows, True)}
"""


def kept(path: Path) -> str:
    """The browser's section, which another program makes, and what people wrote under the tables."""
    old = path.read_text() if path.exists() else ""
    headings = ["\n## In the browser", "\n## Where an aim is missed"]
    return next((old[old.index(heading) :] for heading in headings if heading in old), "")


def with_writing(text: str, draws: list[Row], writing: list[Row]) -> str:
    """The document with these rows in the place of what it has."""
    for row in draws:
        line = table([row], False).splitlines()[-1]
        known = re.compile(rf"^\| {re.escape(row.name)} \|.*$", re.M)
        if known.search(text):
            text = known.sub(lambda _: line, text)
        else:
            last = list(re.finditer(r"^\| foreground draw.*\n", text, re.M))[-1]
            text = text[: last.end()] + line + "\n" + text[last.end() :]
    section = re.compile(r"(\n## Writing, as programs\n.*?\n)(\| \|.*?)(?=\n\n)", re.S)
    return section.sub(lambda found: found[1] + table(writing, True), text)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--quick", action="store_true", help="small cohorts and few repetitions; prints only")
    parser.add_argument("--native", type=Path, help="the reference's example program `validate_files`")
    parser.add_argument("--writing", action="store_true", help="only rows of writing and draws")
    options = parser.parse_args()
    sizes = QUICK if options.quick else {"cohort": COHORT, "shard": SHARD}
    print("samples", flush=True)
    paths = samples(options.folder, **sizes, quick=options.quick)
    repeats = 3 if options.quick else 15
    if options.writing:
        draws = in_process_rows(paths, options.programs, repeats, draws_only=True)
        writing = writing_rows(paths, options.programs, repeats, options.folder)
        print(table(draws, False), table(writing, True), sep="\n\n")
        if not options.quick:
            options.table.write_text(with_writing(options.table.read_text(), draws, writing))
        return
    inside = in_process_rows(paths, options.programs, repeats)
    whole = process_rows(paths, options.programs, repeats)
    writing = writing_rows(paths, options.programs, repeats, options.folder)
    native = native_rows(paths, options.programs, options.native, repeats) if options.native else []
    text = document(inside, whole, writing, native, repeats)
    print(text)
    if not options.quick:
        options.table.write_text(text + kept(options.table))


if __name__ == "__main__":
    main()
