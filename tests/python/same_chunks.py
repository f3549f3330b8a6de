"""Compares stored chunks byte for byte.

usage: same_chunks.py FOLDER ORIGINALS...

For each file of FOLDER the original of the same name is in one of the other folders. Ends with status 1 at the first difference.
"""

import sys
from pathlib import Path

import h5py


def stored(path: Path) -> dict[str, object]:
    found: dict[str, object] = {}

    def look(name: str, item: object) -> None:
        if not isinstance(item, h5py.Dataset):
            return
        if item.chunks is None:
            found[name] = item[()].tobytes() if item.dtype.kind != "O" and item.shape is not None else str(item[()])
            return
        for i in range(item.id.get_num_chunks()):
            place = item.id.get_chunk_info(i)
            mask, chunk = item.id.read_direct_chunk(place.chunk_offset)
            found[f"{name} {place.chunk_offset}"] = (mask, bytes(chunk))

    with h5py.File(path) as file:
        file.visititems(look)
    return found


def main(folder: Path, originals: list[Path]) -> None:
    count = 0
    for path in sorted(folder.iterdir()):
        original = next(place / path.name for place in originals if (place / path.name).exists())
        if stored(path) != stored(original):
            sys.exit(f"{path}: other chunks than {original}")
        count += 1
    print(f"{count} files with the same chunks")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
