/** Prints what people download: `node sizes.mjs FOLDER`. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The module, with all codecs, after brotli. A page that takes long to load is not tried twice. */
const MOST_BYTES = 700 * 1024;

const folder = process.argv[2] ?? ".";
const kib = (bytes) => `${(bytes.length / 1024).toFixed(0)} KiB`.padStart(9);
for (const name of (await readdir(folder)).sort()) {
  const bytes = await readFile(join(folder, name));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  if (name.endsWith(".wasm") && brotli.length > MOST_BYTES) {
    console.error(`${name} is larger than ${MOST_BYTES / 1024} KiB`);
    process.exitCode = 1;
  }
  console.log(`${name.padEnd(28)} raw ${kib(bytes)}  gzip ${kib(gzipSync(bytes, { level: 9 }))}  brotli ${kib(brotli)}`);
}
