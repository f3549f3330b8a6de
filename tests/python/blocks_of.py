"""In which blocks the first chunks of a file's Blosc2 datasets are stored, as the C filter wrote them.

usage: blocks_of.py FILE

Prints a JSON object: for each dataset whose only filter is Blosc2 and whose first chunk is there, the extents of the blocks of
that chunk, or null where the chunk is no array.
"""

import json
import struct
import sys

import h5py


def blocks(frame: bytes) -> list[int] | None:
    """The block shape in the `b2nd` layer of a contiguous frame."""
    header = frame[: struct.unpack(">i", frame[12:16])[0]]
    name = header.find(b"\xa4b2nd\xd2")
    if name < 0:
        return None
    (at,) = struct.unpack(">i", header[name + 6 : name + 10])
    # A binary of 32 bits of length: an array of version, number of axes, shape, chunk shape, block shape and more.
    layer = header[at + 5 :]
    axes = layer[2]
    shapes = 3 + 1 + 9 * axes + 1 + 5 * axes + 1
    fields = [layer[shapes + 5 * axis : shapes + 5 * axis + 5] for axis in range(axes)]
    assert layer[shapes - 1] == 0x90 + axes and all(field[0] == 0xD2 for field in fields), layer.hex()
    return [struct.unpack(">i", field[1:])[0] for field in fields]


def main(path: str) -> None:
    found = {}

    def look(name: str, item: object) -> None:
        if not isinstance(item, h5py.Dataset) or not item.chunks or item.id.get_num_chunks() == 0:
            return
        plist = item.id.get_create_plist()
        if [plist.get_filter(number)[0] for number in range(plist.get_nfilters())] == [32026]:
            mask, frame = item.id.read_direct_chunk((0,) * item.ndim)
            found[name] = None if mask else blocks(frame)

    with h5py.File(path) as file:
        file.visititems(look)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
