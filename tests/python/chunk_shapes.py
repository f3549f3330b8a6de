"""Asks the reference for chunk shapes, with the cache share given.

usage: chunk_shapes.py

Reads a line of JSON per question from standard input and answers each with one line: `{"shape", "patch" or null,
"itemsize", "share"}` for data of spatial axes, `{"shape", "itemsize"}` for data without a grid.
"""

import json
import sys

from medh5 import storage


def main() -> None:
    for line in sys.stdin:
        ask = json.loads(line)
        if "share" in ask:
            kinds = ["spatial"] * len(ask["shape"])
            found = storage.optimize_chunks(
                ask["shape"], kinds, ask["patch"], itemsize=ask["itemsize"], l3_bytes=ask["share"]
            )
        else:
            kind = {1: "u1", 2: "u2", 4: "f4", 8: "f8"}[ask["itemsize"]]
            found = storage.dataset_layout(ask["shape"], kind, role="aux")["chunks"]
        print(json.dumps(list(found)))


if __name__ == "__main__":
    main()
