"""Names the first differences in the content of two samples: attributes that `content_id` covers, digests, the document.

usage: compare_content.py ONE OTHER
"""

import sys

import h5py


def content(path: str) -> dict:
    found = {}
    with h5py.File(path) as file:
        found["meta"] = file["meta"][()]
        for name in ("medh5_version", "medh5_profiles"):
            found[name] = repr(file.attrs[name])

        def visit(name, node):
            if name.startswith("index"):
                return
            for key, value in node.attrs.items():
                found[f"{name}@{key}"] = repr(value) + str(getattr(value, "dtype", ""))
            if isinstance(node, h5py.Dataset) and name != "meta":
                found[name] = f"{node.shape} {node.dtype}"

        file.visititems(visit)
    return found


one, other = content(sys.argv[1]), content(sys.argv[2])
for name in sorted(one.keys() | other.keys()):
    if one.get(name) != other.get(name):
        print(f"{name}: {str(one.get(name))[:150]} / {str(other.get(name))[:150]}")
