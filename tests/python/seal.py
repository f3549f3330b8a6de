"""Digests and `content_id`, computed independently of every program under test (MEDH5 1.0 section 13)."""

import hashlib
import json

import h5py
import numpy as np

ATTESTED_GROUPS = ("grids", "images", "annotations", "transforms")

ATTESTED_ATTRIBUTES = {
    "": "medh5_version medh5_kind medh5_profiles",
    "grids": "shape axis_names axis_kinds spacing origin direction coord_system units timepoint frame_uid time_values "
    "time_units chunk_hint patch_hint",
    "images": "grid modality value_type channel_names rescale_slope rescale_intercept value_units window_center "
    "window_width valid_mask prov levels downsample_factors downsample_method grid_levels",
    "annotations": "kind task grid timepoints space frame_uid class_ids annotated_class_ids closure ignore_id "
    "ignore_mask prov quality derived_from scope scope_ids multilabel normalized threshold skeleton",
    "transforms": "kind from_frame to_frame from_grid to_grid units invertible inverse_id prov metrics field_grid "
    "vector_space interpolation extrapolation cp_grid order components",
}


def datasets(group, prefix="", seen=None):
    """Every dataset over hard links, each once, by its first path in byte order."""
    seen = set() if seen is None else seen
    for name in sorted(group, key=str.encode):
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            continue
        child = group[name]
        address = h5py.h5o.get_info(child.id).addr
        if address in seen:
            continue
        seen.add(address)
        if isinstance(child, h5py.Dataset):
            yield prefix + name, child
        elif isinstance(child, h5py.Group):
            yield from datasets(child, f"{prefix}{name}/", seen)


def dataset_digest(path, dataset, algorithm="sha256"):
    """The digest of one dataset under its sample-relative path."""
    dtype, payload = canonical(dataset)
    extents = ",".join(str(extent) for extent in dataset.shape)
    header = b"".join(part.encode() + b"\0" for part in (path, dtype, extents))
    return f"{algorithm}:{hashlib.new(algorithm, header + payload).hexdigest()}"


def canonical(dataset):
    """The type's name and the bytes that the digest covers."""
    if h5py.check_string_dtype(dataset.dtype):
        cells = np.atleast_1d(dataset[()]).ravel()
        return "|O", b"".join(bytes(cell) + b"\0" for cell in cells)
    little = dataset.dtype.newbyteorder("<")
    return little.str, dataset[()].astype(little).tobytes()


def attribute_value(value):
    """An attribute as the value that canonical JSON shows."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def attribute_line(path, item, names, algorithm):
    listed = {name: attribute_value(item.attrs[name]) for name in names.split() if name in item.attrs}
    text = json.dumps(listed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"@{path}\t{algorithm}:{hashlib.new(algorithm, text.encode()).hexdigest()}"


def content_id(root, algorithm="sha256"):
    """The root over the digests as stored, the document's bytes and the attested attributes."""
    lines = [
        f"{path}\t{dataset.attrs['digest']}"
        for path, dataset in datasets(root)
        if "digest" in dataset.attrs and not path.startswith("index/")
    ]
    document = [f"meta\t{hashlib.new(algorithm, root['meta'][()]).hexdigest()}"] if "meta" in root else []
    attributes = [attribute_line("", root, ATTESTED_ATTRIBUTES[""], algorithm)]
    for group in ATTESTED_GROUPS:
        for name in root.get(group, {}):
            path = f"{group}/{name}"
            attributes.append(attribute_line(path, root[path], ATTESTED_ATTRIBUTES[group], algorithm))
    blocks = (sorted(lines, key=str.encode), document, sorted(attributes, key=str.encode))
    text = "".join(f"{line}\n" for block in blocks for line in block)
    return f"{algorithm}:{hashlib.new(algorithm, text.encode()).hexdigest()}"


def source_digest(root, annotation, algorithm="sha256"):
    """What a sampling-index entry remembers of its annotation."""
    group = root[f"annotations/{annotation}"]
    lines = "".join(f"{name}\t{group[name].attrs['digest']}\n" for name in sorted(group, key=str.encode))
    return f"{algorithm}:{hashlib.new(algorithm, lines.encode()).hexdigest()}"


def seal(root, digests=True):
    """Stamps `content_id`, and before it the digest of every dataset that has one coming."""
    if digests:
        for path, dataset in datasets(root):
            if path != "meta" and not path.startswith("index/"):
                dataset.attrs["digest"] = dataset_digest(path, dataset)
    for name in root.get("index", {}):
        root[f"index/{name}"].attrs["source_digest"] = source_digest(root, name)
    root.attrs["content_id"] = content_id(root)
