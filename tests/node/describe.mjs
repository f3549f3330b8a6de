// Describes HDF5 files through h5wasm (libhdf5 as WebAssembly), for comparison with our reading of the same files.
//
// usage: node describe.mjs FILE...
//
// Writes one line of JSON per dataset: file, path, shape, the digest of its elements, and its attributes with theirs. Digests are
// those of tests/python/describe.py: SHA-256 over the elements in C order, numbers little-endian, strings each followed by a NUL.
// Where h5wasm has no array for a type (16-bit floats), the line says `refused`.

import { createHash } from "node:crypto";

import h5wasm from "h5wasm/node";
import { install_local_plugins } from "h5wasm-plugins";

install_local_plugins(await h5wasm.ready);

function digest(value) {
  const state = createHash("sha256");
  if (ArrayBuffer.isView(value)) {
    state.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } else {
    for (const text of [value].flat()) state.update(String(text)).update("\0");
  }
  return state.digest("hex");
}

/** Numbers come as arrays or, alone, as numbers; only texts and arrays have one form. */
function described(entry) {
  try {
    const value = entry.value;
    const comparable = ArrayBuffer.isView(value) || [value].flat().every((one) => typeof one === "string");
    return comparable ? { shape: entry.shape, digest: digest(value) } : { shape: entry.shape };
  } catch (error) {
    return { refused: error.message };
  }
}

function visit(file, group, prefix) {
  for (const name of group.keys()) {
    const path = `${prefix}/${name}`;
    const object = group.get(name);
    if (object instanceof h5wasm.Group) {
      visit(file, object, path);
    } else if (object instanceof h5wasm.Dataset) {
      const attributes = Object.entries(object.attrs).map(([key, attribute]) => [key, described(attribute)]);
      console.log(JSON.stringify({ file, path, ...described(object), attributes: Object.fromEntries(attributes) }));
    }
  }
}

for (const name of process.argv.slice(2)) {
  const file = new h5wasm.File(name, "r");
  visit(name, file, "");
  file.close();
}
