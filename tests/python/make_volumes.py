"""Writes volumes as people have them, NIfTI by its header's bytes and NumPy arrays: an oblique CT, masks, series.

usage: make_volumes.py FOLDER
"""

import gzip
import struct
import sys
from pathlib import Path

import numpy as np

CODES = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "u2": 512}
OBLIQUE = np.array([[-0.8, 0.0, -0.6 * 1.5, 10.0], [0.0, 0.9, 0.0, -20.5], [-0.6, 0.0, 0.8 * 1.5, 30.25]])


def header(array, *, sform=None, qform=None, pixdim=(1, 1, 1, 1), units=2, slope=0.0, order="<", toffset=0.0):
    """A NIfTI-1 header of 352 bytes for *array*, whose axes are (x, y, z[, t])."""
    dim = [array.ndim, *array.shape] + [1] * (7 - array.ndim)
    out = bytearray(352)
    put = lambda at, form, *values: struct.pack_into(order + form, out, at, *values)
    put(0, "i", 348)
    put(40, "8h", *dim)
    put(70, "2h", CODES[array.dtype.str[1:]], array.dtype.itemsize * 8)
    put(76, "8f", *([1.0, *pixdim] + [0.0] * (7 - len(pixdim))))
    put(108, "3f", 352.0, slope, -7.0 if slope else 0.0)
    out[123] = units
    put(136, "f", toffset)
    put(252, "2h", 1 if qform is not None else 0, 1 if sform is not None else 0)
    if qform is not None:
        put(256, "6f", *qform)
    if sform is not None:
        put(280, "12f", *np.asarray(sform, float).ravel())
    out[344:348] = b"n+1\0"
    return bytes(out)


def write(path: Path, array, **options) -> None:
    order = options.get("order", "<")
    array = array.astype(array.dtype.newbyteorder(order))
    data = header(array, **options) + array.tobytes(order="F")
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)


def main(folder: Path) -> None:
    rng = np.random.default_rng(3)
    ct = rng.integers(-1000, 2000, (17, 13, 11)).astype("i2")
    write(folder / "ct.nii", ct, sform=OBLIQUE)
    write(folder / "ct.nii.gz", ct, sform=OBLIQUE)
    write(folder / "big_endian.nii", ct, sform=OBLIQUE, order=">")
    write(folder / "scaled.nii.gz", ct, sform=OBLIQUE, slope=2.5)
    write(folder / "micrometres.nii.gz", ct, sform=OBLIQUE, units=3)
    write(folder / "turned.nii.gz", ct, qform=(0.0, 0.0, 0.70710678, 5, 6, 7), pixdim=(1, 2, 3))
    liver = np.zeros(ct.shape, "u1")
    liver[2:9, 3:9, 2:8] = 1
    tumour = np.zeros(ct.shape, "u1")
    tumour[4:6, 4:6, 4:6] = 255
    write(folder / "liver.nii.gz", liver, sform=OBLIQUE)
    write(folder / "tumour.nii.gz", tumour, sform=OBLIQUE)
    series = rng.random((7, 6, 5, 4)).astype("f4")
    write(folder / "cine.nii.gz", series, sform=OBLIQUE, pixdim=(1, 1, 1, 0.5), units=2 | 8, toffset=1.0)
    write(folder / "values.nii.gz", series, sform=OBLIQUE)
    # What must be refused.
    moved = OBLIQUE.copy()
    moved[0, 3] += 1
    write(folder / "moved.nii.gz", liver, sform=moved)
    write(folder / "labels.nii.gz", (liver * 2 + (tumour > 0)).astype("u1"), sform=OBLIQUE)
    write(folder / "nowhere.nii.gz", ct)
    sheared = OBLIQUE.copy()
    sheared[1, 0] = 0.2
    write(folder / "sheared.nii.gz", ct, sform=sheared)
    (folder / "short.nii").write_bytes((folder / "ct.nii").read_bytes()[:2000])
    np.save(folder / "ct.npy", np.ascontiguousarray(ct.transpose(2, 1, 0)))
    np.save(folder / "liver.npy", np.ascontiguousarray(liver.transpose(2, 1, 0) > 0))
    np.save(folder / "fortran.npy", ct)
    np.save(folder / "fortran_order.npy", np.asfortranarray(ct))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
