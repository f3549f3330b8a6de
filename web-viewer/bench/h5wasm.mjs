/** The other side: libhdf5 compiled to WebAssembly with its Blosc2 plug-in, which reads the same file in place. */

import h5wasm from "./h5wasm/dist/esm/hdf5_hl.js";
import { install_plugins } from "./h5wasm-plugins/index.mjs";

const start = performance.now();
const module = await h5wasm.ready;
await install_plugins(module, ["blosc2"]);
const { FS } = module;
FS.mkdir("/work");
postMessage({ ready: performance.now() - start });

onmessage = ({ data: { id, file } }) => {
  const begun = performance.now();
  FS.mount(FS.filesystems.WORKERFS, { files: [file] }, "/work");
  const opened = new h5wasm.File(`/work/${file.name}`, "r");
  const result = {};
  // What our summary tells: the document, and the attributes of grids, images and annotations.
  opened.get("meta").value;
  for (const chapter of ["grids", "images", "annotations"]) {
    const group = opened.get(chapter);
    for (const name of group.keys()) for (const attribute of Object.values(group.get(name).attrs)) attribute.value;
  }
  result.metadata = performance.now() - begun;
  const image = opened.get(`images/${opened.get("images").keys()[0]}`);
  const at = Math.floor(image.shape[0] / 2);
  result.sum = image.slice([[at, at + 1], [], []]).reduce((sum, value) => sum + value, 0);
  result.all = performance.now() - begun;
  opened.close();
  FS.unmount("/work");
  postMessage({ id, result });
};
