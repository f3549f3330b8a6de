"""How the datasets of a file are stored, in chunks.

usage: storage_of.py FILE

Prints a JSON object: for each dataset in chunks its shape, chunk, filters and their values in one text.
"""

import json
import sys

import h5py


def main(path: str) -> None:
    found = {}

    def look(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and item.chunks:
            plist = item.id.get_create_plist()
            filters = [plist.get_filter(i)[:3] for i in range(plist.get_nfilters())]
            found[name] = f"{item.shape} in {item.chunks}: {filters}"

    with h5py.File(path) as file:
        file.visititems(look)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
