/** The package in Node: the same report as the program, byte for byte, for every file of the published suite. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { codes, explain, Medh5Error, open, validate, version, writeReport } from "../dist/index.js";
import { program, scratch } from "./program.mjs";

const suite = scratch("suite");
const files = readdirSync(suite).filter((name) => /\.medh5c?$/.test(name)).sort();
const paths = files.map((name) => join(suite, name));

/** Our reports on the whole suite, once. */
let judged;
before(async () => {
  judged = await Promise.all(
    paths.map(async (path) => {
      const bytes = readFileSync(path);
      return { report: await validate(bytes, { name: path, level: "integrity" }), byteLength: bytes.length };
    }),
  );
});

test("every form of the report on the whole suite is the program's, byte for byte", async () => {
  assert.ok(files.length >= 175, `${files.length} files`);
  for (const form of ["json", "jsonl", "audit", "sarif", "junit", "github", "csv", "markdown", "html"]) {
    const ours = (await writeReport(form, judged)).join("");
    assert.ok(ours === program("validate", "--format", form, "--level", "integrity", ...paths), form);
  }
});

test("one report is the program's, byte for byte", async () => {
  const path = join(suite, "clinical-worked-example.medh5");
  const file = await open(readFileSync(path), { name: path });
  assert.equal(await file.validateToJson({ level: "strict" }), program("validate", "--json", "--level", "strict", path));
  file.close();
});

test("what is selected and ignored is the program's, too", async () => {
  for (const [options, args] of [
    [{ select: ["W9", "e1"] }, ["--select", "W9,e1"]],
    [{ ignore: ["E"] }, ["--ignore", "E"]],
    [{ select: ["E"], ignore: ["E10"] }, ["--select", "E", "--ignore", "E10"]],
  ]) {
    for (const name of ["E102-non-orthonormal.medh5", "core-minimal.medh5"]) {
      const path = join(suite, name);
      const file = await open(readFileSync(path), { name: path });
      assert.equal(await file.validateToJson({ level: "strict", ...options }), program("validate", "--json", "--level", "strict", ...args, path), name);
      file.close();
    }
  }
  await assert.rejects(() => validate(new Uint8Array(0), { ignore: ["X1"] }), (error) => error.class === "request" && /no code begins with/.test(error.message));
});

test("findings are told as they are made", async () => {
  const path = join(suite, "E102-non-orthonormal.medh5");
  const told = [];
  const report = await validate(readFileSync(path), { level: "strict", onFinding: (finding) => told.push(finding) });
  const key = ({ code, location }) => `${code} ${location}`;
  assert.ok(told.length > 0);
  assert.deepEqual(told.map(key).sort(), report.diagnostics.map(key).sort());
});

test("bytes that come late change nothing", async () => {
  const bytes = readFileSync(join(suite, "training-index.medh5"));
  let reads = 0;
  const late = { byteLength: bytes.length, slice: async (start, end) => (reads++, bytes.subarray(start, end)) };
  const [direct, awaited] = [await open(bytes, { name: "x" }), await open(late, { name: "x" })];
  for (const call of ["summary", "meta", "tree", "index", "verify", "validateToJson", "survey", "fingerprint"]) {
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
