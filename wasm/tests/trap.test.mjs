/** What ends an instance of the module ends one call, not the package: memory that runs out, to begin with. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { audit, init, Medh5Error, open, validate } from "../dist/index.js";
import { limited, PAGE } from "./memory.mjs";
import { root, scratch } from "./program.mjs";

const large = readFileSync(scratch("large/large.medh5"));
const small = readFileSync(join(scratch("suite"), "core-minimal.medh5"));

/** A module that may not use more than 64 MiB. */
before(() => init(limited(readFileSync(join(root, "wasm/dist/medh5_lite_wasm_bg.wasm")), (64 << 20) / PAGE)));

/** Asks for all elements of the largest image at once: 100 MiB and more. */
async function tooMuch(file) {
  const { images } = await file.summary();
  return file.readRegion(`/images/${images[0].id}`);
}

test("memory that runs out is one error, and everything goes on", async () => {
  const before = await open(small, { name: "before" });
  const expected = await before.validateToJson();
  const file = await open(large);
  await assert.rejects(() => tooMuch(file), (error) => error instanceof Medh5Error && error.code === "LITE_TRAP" && error.class === "internal");
  // The file that failed, one that was open, and a new one.
  assert.ok((await file.summary()).images.length > 0);
  assert.equal(await before.validateToJson(), expected);
  assert.ok((await validate(small)).ok);
  file.close();
  before.close();
});

test("an audit survives it, too", async () => {
  const run = audit([{ name: "a.medh5", source: small }, { name: "b.medh5", source: small }]);
  for await (const { filesDone } of run) {
    if (filesDone !== 1) continue;
    const file = await open(large);
    await assert.rejects(() => tooMuch(file), { code: "LITE_TRAP" });
  }
  assert.equal((await run.summary()).totals.samples, 2);
  await run.close();
});
