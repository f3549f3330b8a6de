/** The audit in Node: the same as the program, byte for byte, whatever the order of the files. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { audit } from "../dist/index.js";
import { program, scratch } from "./program.mjs";

const folder = scratch("cohort/files");
const paths = readdirSync(folder)
  .sort()
  .map((name) => join(folder, name));

async function* inputs(names) {
  for (const name of names) yield { name, source: readFileSync(name) };
}

test("the audit is the program's in every form", async () => {
  const run = audit(inputs([...paths].reverse()));
  let events = 0;
  for await (const { filesDone, entries } of run) {
    events += 1;
    assert.equal(filesDone, events);
    assert.ok(entries.length > 0);
  }
  assert.equal(events, paths.length);
  assert.equal(await run.report("json"), program("audit", "--json", folder));
  const summary = await run.summary();
  assert.equal(summary.totals.samples, paths.length + 1);
  for (const form of ["csv", "samples", "html"]) assert.ok((await run.report(form)).includes("good-1.medh5"), form);
  await assert.rejects(() => run.report("pdf"), { class: "request" });
  await run.close();
});

test("what was surveyed before an audit was given up counts", async () => {
  const controller = new AbortController();
  const run = audit(inputs(paths), { signal: controller.signal });
  await assert.rejects(
    async () => {
      for await (const { filesDone } of run) if (filesDone === 3) controller.abort();
    },
    { class: "aborted" },
  );
  assert.equal((await run.summary()).totals.samples, 3);
});

test("a source that fails is a file that could not be read", async () => {
  const broken = { byteLength: 5000, slice: () => Promise.reject(new Error("the disk is gone")) };
  const run = audit([{ name: "gone.medh5", source: broken }]);
  for await (const event of run) assert.equal(event.name, "gone.medh5");
  const { totals, checks } = await run.summary();
  assert.deepEqual([totals.samples, totals.unreadable], [1, 1]);
  assert.equal(checks[0].outcome, "found");
});
