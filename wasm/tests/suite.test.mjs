/** The package in Node: the same report as the program, byte for byte, for every file of the published suite. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { codes, explain, Medh5Error, open, validate, version } from "../dist/index.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const suite = join(root, "target/scratch/suite");
const files = readdirSync(suite).filter((name) => /\.medh5c?$/.test(name)).sort();

/** What the program prints for one file; it ends with 1 when there are findings. */
function program(path, level) {
  try {
    return execFileSync("cargo", ["run", "--quiet", "--package", "medh5-lite-cli", "--", "validate", "--json", "--level", level, path], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout;
  }
}

test("every file of the suite gives the program's report", async () => {
  assert.ok(files.length >= 175, `${files.length} files`);
  const paths = files.map((name) => join(suite, name));
  const all = JSON.parse(programAll(paths));
  for (const [at, path] of paths.entries()) {
    const file = await open(readFileSync(path), { name: path });
    const text = await file.validateToJson({ level: "integrity" });
    file.close();
    assert.deepEqual(JSON.parse(text), [all[at]], path);
  }
});

function programAll(paths) {
  try {
    return execFileSync("cargo", ["run", "--quiet", "--package", "medh5-lite-cli", "--", "validate", "--json", "--level", "integrity", ...paths], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout;
  }
}

test("one report is the program's, byte for byte", async () => {
  const path = join(suite, "clinical-worked-example.medh5");
  const file = await open(readFileSync(path), { name: path });
  assert.equal(await file.validateToJson({ level: "strict" }), program(path, "strict"));
  file.close();
});

test("bytes that come late change nothing", async () => {
  const bytes = readFileSync(join(suite, "training-index.medh5"));
  let reads = 0;
  const late = { byteLength: bytes.length, slice: async (start, end) => (reads++, bytes.subarray(start, end)) };
  const [direct, awaited] = [await open(bytes, { name: "x" }), await open(late, { name: "x" })];
  for (const call of ["summary", "meta", "tree", "index", "verify", "validateToJson", "fingerprint"]) {
    assert.deepEqual(await awaited[call](), await direct[call](), call);
  }
  assert.ok(reads > 0);
  direct.close();
  awaited.close();
});

test("planes, masks and draws come as typed arrays", async () => {
  const file = await open(readFileSync(join(suite, "training-index.medh5")));
  const summary = await file.summary();
  const plane = await file.slice({ image: summary.images[0].id, axis: 0, index: 0 });
  assert.equal(plane.data.length, plane.shape.reduce((n, extent) => n * extent, 1));
  const [entry] = await file.index();
  const found = entry.classes.find(({ voxel_count }) => voxel_count > 0);
  const voxel = await file.draw(entry.annotation, found.class_id, 7n);
  assert.deepEqual(voxel, await file.draw(entry.annotation, found.class_id, 7));
  const masks = await file.masks(entry.annotation, voxel, [1, 1, 1]);
  assert.equal(masks.masks[masks.classIds.indexOf(found.class_id)], 1, "the drawn voxel belongs to its class");
  file.close();
});

test("failures are errors of one kind", async () => {
  await assert.rejects(() => validate(new Uint8Array(0), { level: "deep" }), (error) => error instanceof Medh5Error && error.class === "request");
  const file = await open(new TextEncoder().encode("not a file of this kind"));
  await assert.rejects(() => file.summary(), (error) => error instanceof Medh5Error && error.class === "malformed" && error.message.length > 10);
  const report = await file.validate();
  assert.deepEqual(report.diagnostics.map(({ code }) => code), ["E001"]);
  await assert.rejects(() => file.validate({ signal: AbortSignal.abort() }), { class: "aborted" });
});

test("codes, pages and versions are there without a file", async () => {
  const all = await codes();
  assert.equal(new Set(all.map(({ code }) => code)).size, all.length);
  assert.match(await explain("E202"), /## How to repair/);
  assert.equal((await version()).name, "medh5-lite");
});
