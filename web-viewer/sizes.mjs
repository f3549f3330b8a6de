/** Prints what people download: `node sizes.mjs FOLDER`. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? ".";
const kib = (bytes) => `${(bytes.length / 1024).toFixed(0)} KiB`.padStart(9);
for (const name of (await readdir(folder)).sort()) {
  const bytes = await readFile(join(folder, name));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  console.log(`${name.padEnd(28)} raw ${kib(bytes)}  gzip ${kib(gzipSync(bytes, { level: 9 }))}  brotli ${kib(brotli)}`);
}
