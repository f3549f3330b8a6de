"""What the reference says about files, at every level.

usage: verdicts.py OUTPUT_FOLDER FOLDER_OF_FILES

Writes LEVEL.json for each level: what `medh5 validate --json` prints, byte for byte, for all files in one call.
"""

import subprocess
import sys
from pathlib import Path

LEVELS = ["structural", "semantic", "integrity", "strict"]


def reports(folder: Path, names: list[str], level: str) -> str:
    program = Path(sys.executable).with_name("medh5")
    done = subprocess.run([program, "validate", "--json", "--level", level, *names], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"medh5 validate: {done.stderr}")
    return done.stdout


def main(output: Path, folder: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    names = sorted(path.name for path in folder.iterdir() if ".medh5" in path.name)
    for level in LEVELS:
        (output / f"{level}.json").write_text(reports(folder, names, level))
    print(f"{len(names)} files judged at {len(LEVELS)} levels")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
