/** A file of 100 MiB through a source that must wait: read once, in bounded memory, and stopped when asked. */

import assert from "node:assert/strict";
import { open as openFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { scratch } from "./program.mjs";

const path = scratch("large/large.medh5");

async function waiting() {
  const handle = await openFile(path);
  const { size } = await handle.stat();
  const read = { bytes: 0, largest: 0 };
  const slice = async (start, end) => {
    const buffer = new Uint8Array(end - start);
    await handle.read(buffer, 0, end - start, start);
    read.bytes += end - start;
    read.largest = Math.max(read.largest, end - start);
    return buffer;
  };
  return { handle, size, read, source: { byteLength: size, slice } };
}

test("validating reads each part little more than once, however often calls are repeated", async () => {
  const { handle, size, read, source } = await waiting();
  const file = await open(source);
  const before = process.memoryUsage().rss;
  const report = await file.validate({ level: "integrity" });
  assert.ok(report.ok, JSON.stringify(report.diagnostics.slice(0, 3)));
  // Scans and digests go over the values separately, and only 64 MiB stay.
  assert.ok(read.bytes < 3.5 * size, `${read.bytes} bytes of ${size}`);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 400 << 20, `${grown >> 20} MiB more`);
  file.close();
  await handle.close();
});

test("a validation stops soon after it is told to, also between two reads", async () => {
  const { readFile } = await import("node:fs/promises");
  const bytes = await readFile(path);
  const started = performance.now();
  const judged = await open(bytes);
  await judged.validate({ level: "integrity" });
  judged.close();
  const whole = performance.now() - started;
  const file = await open(bytes);
  const controller = new AbortController();
  let asked = 0;
  const slices = [];
  let last = performance.now();
  const heartbeat = setInterval(() => {
    slices.push(performance.now() - last);
    last = performance.now();
  }, 1);
  setTimeout(() => {
    asked = performance.now();
    controller.abort();
  }, whole / 4);
  await assert.rejects(() => file.validate({ level: "integrity", signal: controller.signal }), { class: "aborted" });
  const late = performance.now() - asked;
  clearInterval(heartbeat);
  assert.ok(asked > 0, "it was over before it was stopped");
  // How fast the machine is does not matter here: a slice is a small part of the whole, and so is what follows the signal.
  slices.sort((a, b) => a - b);
  const usual = slices[Math.floor(slices.length / 2)];
  assert.ok(late < whole / 3 && usual < whole / 8, `of ${whole} ms: stopped after ${late} ms; slices took ${usual} ms`);
  file.close();
});

test("verifying is sliced, too, and gives the same", async () => {
  const { readFile } = await import("node:fs/promises");
  const { handle, source } = await waiting();
  const [whole, late] = [await open(await readFile(path)), await open(source)];
  assert.deepEqual(await late.verify(), await whole.verify());
  whole.close();
  late.close();
  await handle.close();
});
