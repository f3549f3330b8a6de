"""The container that Blosc2 test cases are kept in: three files in one folder.

`cases.txt` has a line per case: name, kind, place and length in `stored.bin`, place and length in
`decoded.bin`, element size, shape joined by `x`. Kinds: `filter` is the payload of an HDF5 chunk under
filter 32026, `frame` a frame on its own, `chunk` a lone chunk (of Blosc1 or Blosc2).
"""

from pathlib import Path


class CaseWriter:
    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.lines: list[str] = []
        self.stored = bytearray()
        self.decoded: bytearray = bytearray()
        self.known: dict[bytes, int] = {}

    def add(self, name: str, kind: str, stored: bytes, decoded: bytes, element_size: int, shape) -> None:
        if decoded not in self.known:
            self.known[decoded] = len(self.decoded)
            self.decoded += decoded
        place = self.known[decoded]
        dims = "x".join(str(n) for n in shape)
        self.lines.append(
            f"{name} {kind} {len(self.stored)} {len(stored)} {place} {len(decoded)} {element_size} {dims}"
        )
        self.stored += stored

    def close(self) -> None:
        (self.folder / "cases.txt").write_text("\n".join(self.lines) + "\n")
        (self.folder / "stored.bin").write_bytes(self.stored)
        (self.folder / "decoded.bin").write_bytes(self.decoded)
