"""Datatypes: every class, both byte orders, all strings."""

import h5py
import numpy as np

from .theme import Theme, create, numbers, theme

THEMES: list[Theme] = []

NUMBERS = [f"{order}{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8) for order in "<>"]
FLOATS = [f"{order}f{size}" for size in (2, 4, 8) for order in "<>"]


@theme(THEMES)
def numbers_contiguous(file, rng):
    for code in NUMBERS + FLOATS:
        name = code.replace("<", "little-").replace(">", "big-")
        file.create_dataset(name, data=numbers(rng, (7, 5), code))
        file[name].attrs["one"] = numbers(rng, (), code)
        file[name].attrs["row"] = numbers(rng, (3,), code)
        file[name].attrs["matrix"] = numbers(rng, (2, 3), code)
    extremes = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1.7e308])
    file["extremes"] = extremes
    file["half"] = np.array([0x0001, 0x03FF, 0x0400, 0x7C00, 0xFC00, 0x7E01, 0x8000], "u2").view("f2")


@theme(THEMES)
def numbers_chunked(file, rng):
    for code in NUMBERS + FLOATS:
        name = code.replace("<", "little-").replace(">", "big-")
        file.create_dataset(name, data=numbers(rng, (17, 11), code), chunks=(5, 4), shuffle=True, compression=4)


@theme(THEMES)
def booleans_and_enums(file, rng):
    file["flags"] = numbers(rng, (9,), bool)
    file["flag"] = True
    file.attrs["flag"] = np.bool_(False)
    file.attrs["flags"] = np.array([[True, False], [False, True]])
    for base in ("i1", "u1", "<i2", ">i2", "<u4", ">i8"):
        dtype = h5py.enum_dtype({"LOW": 0, "HIGH": 7, "MIDDLE": 3}, basetype=base)
        data = rng.choice(np.array([0, 3, 7], base), 10)
        name = "enum-" + base.replace("<", "le-").replace(">", "be-")
        file.create_dataset(name, data=data, dtype=dtype)
        file.attrs.create(name, data[0], dtype=dtype)
    signed = h5py.h5t.enum_create(h5py.h5t.STD_I16BE)
    signed.enum_insert(b"minus", -5)
    signed.enum_insert(b"plus", 5)
    create(file, "enum-signed", np.array([-5, 5, -5], ">i2"), file_type=signed)


TEXTS = ["", "a", "plain text", "grüße", "日本語のテキスト", " leading and trailing ", "x" * 300, "tab\tline\n"]


@theme(THEMES)
def strings_variable(file, rng):
    for charset in ("ascii", "utf-8"):
        dtype = h5py.string_dtype(charset)
        texts = [t for t in TEXTS if charset == "utf-8" or t.isascii()]
        file.create_dataset(charset, data=texts, dtype=dtype)
        file.create_dataset(charset + "-one", data=texts[2], dtype=dtype)
        file.create_dataset(charset + "-chunked", data=texts * 5, dtype=dtype, chunks=(7,), maxshape=(None,))
        file.create_dataset(charset + "-gzip", data=texts * 5, dtype=dtype, chunks=(16,), compression=1)
        file.create_dataset(charset + "-matrix", data=np.array(texts[:4], object).reshape(2, 2), dtype=dtype)
        file.create_dataset(charset + "-unwritten", shape=(4,), dtype=dtype)
        file.attrs.create(charset, texts[1], dtype=dtype)
        file.attrs.create(charset + "-list", texts, dtype=dtype)
        file.attrs.create(charset + "-empty-list", np.empty(0, object), dtype=dtype)
    for padding in (h5py.h5t.STR_NULLTERM, h5py.h5t.STR_NULLPAD, h5py.h5t.STR_SPACEPAD):
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(h5py.h5t.VARIABLE)
        kind.set_strpad(padding)
        create(file, f"padding-{padding}", np.array([b"ab", b"", b"c d "], h5py.string_dtype("ascii")), file_type=kind)


@theme(THEMES)
def strings_fixed(file, rng):
    paddings = {
        "terminated": h5py.h5t.STR_NULLTERM,
        "null-padded": h5py.h5t.STR_NULLPAD,
        "space-padded": h5py.h5t.STR_SPACEPAD,
    }
    for charset, cset in (("ascii", h5py.h5t.CSET_ASCII), ("utf-8", h5py.h5t.CSET_UTF8)):
        for padding, strpad in paddings.items():
            for size in (1, 6, 33):
                kind = h5py.h5t.C_S1.copy()
                kind.set_size(size)
                kind.set_strpad(strpad)
                kind.set_cset(cset)
                values = [text.encode()[: size - 1] for text in ("", "a", "b c", "pqrstuvwxyz" * 3)]
                filler = b" " if padding == "space-padded" else b"\0"
                data = np.array([value.ljust(size, filler) for value in values], f"S{size}")
                name = f"{charset}-{padding}-{size}"
                create(file, name, data, file_type=kind)
                attribute = h5py.h5a.create(file.id, name.encode(), kind, h5py.h5s.create_simple((4,)))
                attribute.write(data, mtype=kind)
    file.create_dataset("numpy", data=np.array([b"one", b"three", b""], "S5"))
    file.create_dataset("chunked", data=np.array([b"%04d" % i for i in range(40)], "S4"), chunks=(6,), compression=2)


@theme(THEMES)
def compounds(file, rng):
    record = np.dtype([("x", "<f4"), ("y", ">i8"), ("tag", "S3"), ("v", "<u2", (2, 2))])
    data = np.zeros(6, record)
    data["x"], data["y"], data["tag"] = rng.normal(size=6), rng.integers(-9, 9, 6), b"abc"
    data["v"] = rng.integers(0, 99, (6, 2, 2))
    file["record"] = data
    file["nested"] = np.zeros(3, np.dtype([("id", "i4"), ("inner", record), ("flag", "?")]))
    file.create_dataset("chunked", data=np.tile(data, 8), chunks=(7,), shuffle=True, compression=1)
    file.attrs["record"] = data[0]
    padded = np.dtype({"names": ["a", "b"], "formats": ["u1", "<f8"], "offsets": [0, 8], "itemsize": 24})
    file["padded"] = np.zeros(4, padded)
    complex_kind = np.dtype([("r", "<f8"), ("i", "<f8")])
    file["complex"] = np.zeros(4, complex_kind)
    text = np.dtype([("name", h5py.string_dtype()), ("n", "i4")])
    file["with-text"] = np.array([("one", 1), ("two", 2)], text)


@theme(THEMES)
def arrays_opaque_bitfields(file, rng):
    inner = np.dtype(("<i2", (3, 2)))
    create(file, "array", numbers(rng, (4, 3, 2), "<i2"), file_type=None)
    file.create_dataset("array-type", shape=(4,), dtype=inner)[...] = numbers(rng, (4, 3, 2), "<i2")
    file.create_dataset("array-big", shape=(2, 2), dtype=np.dtype((">f8", (2,))))[...] = rng.normal(size=(2, 2, 2))
    tagged = h5py.h5t.create(h5py.h5t.OPAQUE, 5)
    tagged.set_tag(b"five bytes")
    create(file, "opaque", np.frombuffer(rng.bytes(15), "V5"), file_type=tagged)
    for name, kind in (("bits-8", h5py.h5t.STD_B8LE), ("bits-16", h5py.h5t.STD_B16BE), ("bits-64", h5py.h5t.STD_B64LE)):
        size = kind.get_size()
        space = h5py.h5s.create_simple((6,))
        dset = h5py.h5d.create(file.id, name.encode(), kind, space)
        dset.write(h5py.h5s.ALL, h5py.h5s.ALL, numbers(rng, (6,), f"u{size}"), mtype=kind)


@theme(THEMES)
def odd_numbers(file, rng):
    """Numbers that fill only part of their bytes, and floats that are not IEEE."""
    for name, base, precision, offset in (("twelve", h5py.h5t.STD_I16LE, 12, 0), ("twenty", h5py.h5t.STD_U32BE, 20, 3)):
        kind = base.copy()
        kind.set_precision(precision)
        kind.set_offset(offset)
        signed = kind.get_sign() == h5py.h5t.SGN_2
        low, high = (-(1 << precision - 1), 1 << precision - 1) if signed else (0, 1 << precision)
        create(file, name, rng.integers(low, high, 20).astype("i4"), file_type=kind)
    wide = h5py.h5t.IEEE_F64LE.copy()
    wide.set_size(12)
    space = h5py.h5s.create_simple((3,))
    h5py.h5d.create(file.id, b"wide", wide, space).write(h5py.h5s.ALL, h5py.h5s.ALL, rng.normal(size=3))
    file.create_dataset("long-double", data=np.array([1.5, -2.25, 3e300], np.longdouble))
    bfloat = h5py.h5t.IEEE_F32LE.copy()
    bfloat.set_fields(15, 7, 8, 0, 7)
    bfloat.set_size(2)
    bfloat.set_ebias(127)
    h5py.h5d.create(file.id, b"bfloat", bfloat, space).write(h5py.h5s.ALL, h5py.h5s.ALL, rng.normal(size=3))


@theme(THEMES)
def references_and_sequences(file, rng):
    file["target"] = numbers(rng, (5, 4), "<i4")
    group = file.create_group("group")
    refs = np.array([file["target"].ref, group.ref, file.ref], object)
    file.create_dataset("objects", data=refs, dtype=h5py.ref_dtype)
    file.create_dataset("regions", shape=(2,), dtype=h5py.regionref_dtype)
    file["regions"][0] = file["target"].regionref[1:3, :2]
    file.attrs["object"] = group.ref
    sequences = file.create_dataset("sequences", shape=(4,), dtype=h5py.vlen_dtype("<i4"))
    for row in range(4):
        sequences[row] = np.arange(row * 3, dtype="<i4")
    file["group"].attrs.create("sequence", np.array([1.5, 2.5]), dtype="<f8")


@theme(THEMES)
def null_scalar_empty(file, rng):
    file["null"] = h5py.Empty("<f4")
    file["null-text"] = h5py.Empty(h5py.string_dtype())
    file.attrs["null"] = h5py.Empty("<i8")
    file["scalar"] = np.float32(2.5)
    file["scalar-text"] = "one"
    for shape in ((0,), (3, 0), (0, 0, 4)):
        name = "empty-" + "x".join(map(str, shape))
        file.create_dataset(name, shape=shape, dtype="<i2")
        file.create_dataset(name + "-chunked", shape=shape, dtype="<i2", chunks=(1,) * len(shape), maxshape=(None,) * len(shape))
        file.attrs[name] = np.empty(shape, "<u4")


@theme(THEMES)
def committed_types(file, rng):
    file["types/number"] = np.dtype(">f4")
    file["types/record"] = np.dtype([("a", "<i4"), ("b", "<f8")])
    file["types/text"] = h5py.string_dtype("ascii", 7)
    file["types/choice"] = h5py.enum_dtype({"NO": 0, "YES": 1, "MAYBE": 2}, basetype="u1")
    file["types/number"].attrs["note"] = "a type with an attribute"
    for name in ("number", "record", "choice"):
        file.create_dataset(name, shape=(6,), dtype=file["types/" + name])
        file[name].attrs.create("shared", np.zeros((), file[name].dtype), dtype=file["types/" + name])
    file["number"][:] = rng.normal(size=6)
    file["choice"][:] = [0, 1, 2, 2, 1, 0]
    file.create_dataset("text", shape=(2,), dtype=file["types/text"])
