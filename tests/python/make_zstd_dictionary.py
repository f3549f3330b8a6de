"""Writes tests/fixtures/zstd: a formatted Zstandard dictionary, and a frame that needs it.

usage: make_zstd_dictionary.py FOLDER

Run by hand with zstandard 0.25.0; its output is kept.
"""

import sys
from pathlib import Path

import zstandard

WORDS = [b"liver", b"spleen", b"left kidney", b"right kidney", b"aorta", b"pancreas", b"stomach"]


def sentence(i: int) -> bytes:
    return b"".join(b"class %d: %s, %d voxels; " % (j, WORDS[(i + j * j) % 7], i * j) for j in range(12))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    dictionary = zstandard.train_dictionary(1024, [sentence(i) for i in range(400)])
    content = sentence(1000)
    frame = zstandard.ZstdCompressor(level=5, dict_data=dictionary).compress(content)
    (folder / "dictionary.bin").write_bytes(dictionary.as_bytes())
    (folder / "frame.bin").write_bytes(frame)
    (folder / "content.txt").write_bytes(content)
    print(len(dictionary.as_bytes()), len(frame), len(content), zstandard.__version__)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
