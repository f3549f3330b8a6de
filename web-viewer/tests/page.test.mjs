/** The page in a real browser: the suite's verdicts, folders, links, stopping, offline, and that nothing leaves the page. */

import assert from "node:assert/strict";
import { copyFile, cp, mkdir, open, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { limited, PAGE } from "../../wasm/tests/memory.mjs";
import { serve } from "../serve.mjs";
import { dropped, filesInput, held, listen, opened, pageFolder, pictured, program, root, scratch, settled, suite, taken, verdict } from "./browser.mjs";

const report = async (page) => JSON.parse(await taken(page, "json"));

test("the whole suite as a folder gives the expected codes, and nothing leaves the page", async () => {
  const { page, seen } = await opened();
  await dropped(page, suite);
  await settled(page);
  await pictured(page, "verdicts");
  const reports = new Map((await report(page)).map((one) => [one.path.replace(/^.*\//, ""), one]));
  const expected = JSON.parse(await readFile(join(suite, "expected.json"), "utf8"));
  let compared = 0;
  for (const wanted of expected.cases) {
    const found = reports.get(wanted.file);
    assert.ok(found, JSON.stringify(wanted));
    if (wanted.level !== "semantic") continue;
    const set = (severity) => [...new Set(found.diagnostics.filter((one) => one.severity === severity).map(({ code }) => code))].sort();
    assert.deepEqual([set("error"), set("warning")], [[...wanted.expect_errors].sort(), [...wanted.expect_warnings].sort()], found.path);
    compared += 1;
  }
  assert.ok(compared > 100, `${compared} cases`);
  // The same files by the same names give the program the same bytes.
  const names = [...reports.values()].map(({ path }) => path);
  await symlink(suite, join(held.folder, dirname(names[0])));
  for (const form of ["json", "jsonl", "sarif", "html", "csv", "markdown", "junit"]) {
    assert.ok((await taken(page, form)) === program(held.folder, "validate", "--format", form, ...names), form);
  }
  assert.deepEqual(seen.requests.filter((url) => !url.startsWith(held.address) && !/^(blob|data):/.test(url)), []);
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("250 files, a broken one among them, are all counted", async () => {
  const folder = join(held.folder, "many");
  await mkdir(join(folder, ".hidden"), { recursive: true });
  const good = join(suite, "core-minimal.medh5");
  for (let i = 0; i < 250; i += 1) await copyFile(good, join(folder, `${String(i).padStart(3, "0")}.medh5`));
  await writeFile(join(folder, "100.medh5"), "not a file of this kind");
  await writeFile(join(folder, "notes.txt"), "x");
  await copyFile(good, join(folder, "CAPITALS.MEDH5"));
  await copyFile(good, join(folder, ".hidden", "left-out.medh5"));
  // A browser lists a dropped folder 100 entries at a time, a chosen one at once.
  for (const open of [(page) => dropped(page, folder), (page) => page.setInputFiles("input[webkitdirectory]", folder)]) {
    const { page } = await opened();
    await open(page);
    await settled(page);
    assert.match(await verdict(page), /^Incomplete.*251 files: 250 passed, 0 failed, 1 unreadable/);
    assert.match(await page.textContent(".drop [role=status]"), /251 of them MEDH5/);
    await page.close();
  }
});

test("a file of 3 GiB opens without being copied", async () => {
  const path = join(held.folder, "large.medh5");
  await copyFile(join(suite, "core-minimal.medh5"), path);
  const handle = await open(path, "r+");
  await handle.truncate(3 * 2 ** 30);
  await handle.close();
  const { page } = await opened();
  await page.setInputFiles(filesInput, path);
  await settled(page);
  assert.match(await verdict(page), /1 file: 1 passed/);
  const read = await page.textContent("footer");
  const [, amount, unit] = /Read so far: ([\d.]+) (\w+) of 3\.0 GiB/.exec(read) ?? assert.fail(read);
  assert.ok(unit === "bytes" || (unit === "KiB" && Number(amount) < 1024), read);
  await page.close();
});

test("a code explains itself", async () => {
  const { page } = await opened();
  await page.setInputFiles(filesInput, join(suite, "E102-non-orthonormal.medh5"));
  await settled(page);
  await page.locator("label:has-text('Show') select").selectOption("findings");
  await page.click("button:text-is('E102')");
  await page.waitForSelector("dialog >> text=How to repair");
  await pictured(page, "explanation");
  await page.close();
});

test("links: with ranges, without them, without permission, and to nothing", async () => {
  const remote = await listen(serve(suite, { cors: true }));
  const whole = await listen(serve(suite, { cors: true, ranges: false }));
  const closed = await listen(serve(suite));
  const tried = async (link) => {
    const { page } = await opened(`${held.address}?url=${encodeURIComponent(link)}`);
    await settled(page);
    const text = [await verdict(page), await page.locator(".table .verdict").first().getAttribute("title")].join(" ");
    await page.close();
    return text;
  };
  assert.match(await tried(`${remote}/core-minimal.medh5`), /1 file: 1 passed/);
  assert.match(await tried(`${whole}/core-minimal.medh5`), /cannot send parts of a file, so all of \d+ bytes would have to be downloaded/);
  assert.match(await tried(`${closed}/core-minimal.medh5`), /does not allow this page to read/);
  assert.match(await tried(`${remote}/none.medh5`), /There is no file at/);
});

test("stopping keeps what is done and is never green", async () => {
  const folder = join(held.folder, "stop");
  await mkdir(folder);
  for (let i = 0; i < 400; i += 1) await copyFile(join(suite, "clinical-worked-example.medh5"), join(folder, `${i}.medh5`));
  const { page } = await opened();
  await page.setInputFiles("input[webkitdirectory]", folder);
  await page.click("button:text-is('stop')");
  await settled(page);
  assert.match(await verdict(page), /^Stopped: \d+ of 400 files were not checked/);
  assert.equal(await page.locator(".summary.passed").count(), 0);
  await page.close();
});

test("the page works again without a network", async () => {
  const context = await held.browser.newContext();
  const { page } = await opened(held.address, context);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await (await caches.open("medh5-lite")).keys()).length >= 6);
  await page.reload();
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector("input[type=file]", { state: "attached" });
  await page.setInputFiles(filesInput, join(suite, "core-minimal.medh5"));
  await settled(page);
  assert.match(await verdict(page), /1 file: 1 passed/);
  await context.close();
});

test("the single file opens from the disk", async () => {
  const { page, seen } = await opened(`file://${join(pageFolder, "medh5-lite.html")}`);
  await page.setInputFiles(filesInput, join(suite, "core-minimal.medh5"));
  await settled(page);
  assert.match(await verdict(page), /1 file: 1 passed/);
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  assert.deepEqual(seen.requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
  await page.close();
});

test("the package alone, in a page and in a worker, gives the program's report", async () => {
  const site = await listen(serve(join(root, "wasm")));
  const page = await held.browser.newPage();
  await page.route(`${site}/bare`, (route) => route.fulfill({ contentType: "text/html", body: "<input type=file>" }));
  await page.goto(`${site}/bare`);
  await page.setInputFiles("input", join(suite, "clinical-worked-example.medh5"));
  const reports = await page.evaluate(async () => {
    const [file] = document.querySelector("input").files;
    const { open } = await import("/dist/index.js");
    const opened = await open(file);
    const here = await opened.validateToJson({ level: "strict" });
    const code = `import { open } from "${location.origin}/dist/index.js";
      onmessage = async ({ data }) => postMessage(await (await open(data)).validateToJson({ level: "strict" }));
      postMessage("ready");`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    const answer = () => new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
    await answer();
    worker.postMessage(file);
    return [here, await answer()];
  });
  const expected = program(suite, "validate", "--json", "--level", "strict", "clinical-worked-example.medh5");
  assert.ok(reports.every((one) => one === expected));
  await page.close();
});

test("all of a file is downloaded only after a yes", async () => {
  const whole = await listen(serve(suite, { cors: true, ranges: false }));
  const { page, seen } = await opened(`${held.address}?url=${encodeURIComponent(`${whole}/core-minimal.medh5`)}`);
  await page.click("button:text-is('download all of it')");
  await page.waitForFunction(() => /^Passed/.test(document.querySelector(".summary strong")?.textContent ?? ""));
  assert.equal(await page.locator("button:text-is('download all of it')").count(), 0);
  assert.match(await page.textContent("footer"), /\d+ requests? for parts of the linked file; nothing else was sent/);
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("a link typed into the page is opened with its origin let in, and no other", async () => {
  const [remote, other] = [await listen(serve(suite, { cors: true })), await listen(serve(suite, { cors: true }))];
  const { page, seen } = await opened();
  await page.fill("input[name=link]", `${remote}/core-minimal.medh5`);
  await page.press("input[name=link]", "Enter");
  await settled(page);
  assert.match(await verdict(page), /1 file: 1 passed/);
  assert.deepEqual(seen.violations, []);
  const reached = await page.evaluate((link) => fetch(link).then(() => true, () => false), `${other}/core-minimal.medh5`);
  assert.equal(reached, false, "another origin could be reached");
  await page.close();
});

test("stopping ends the work on a large file at once", async () => {
  const { page } = await opened();
  await page.locator("label:has-text('Level') select").selectOption("integrity");
  await page.setInputFiles(filesInput, scratch("large/large.medh5"));
  await page.waitForSelector("text=checking");
  const late = await page.evaluate(async () => {
    const start = performance.now();
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "stop").click();
    while (!/^Stopped/.test(document.querySelector(".summary strong")?.textContent ?? "")) await new Promise((done) => setTimeout(done, 1));
    return performance.now() - start;
  });
  // The worker is gone with the click; how fast the machine is does not matter here.
  const started = performance.now();
  await page.click("text=check again");
  await page.waitForSelector("text=checking");
  await settled(page);
  const whole = performance.now() - started;
  assert.ok(late < whole / 3, `stopped after ${late} ms, the whole takes ${whole} ms`);
  await page.close();
});

test("a file that uses up the memory takes no other with it", async () => {
  const folder = join(held.folder, "little-memory");
  await cp(pageFolder, folder, { recursive: true });
  const name = "medh5_lite_wasm_bg.wasm";
  await writeFile(join(folder, name), limited(await readFile(join(pageFolder, name)), (12 << 20) / PAGE));
  const { page } = await opened(`${await listen(serve(folder))}/`);
  await page.locator("label:has-text('Level') select").selectOption("integrity");
  const good = ["core-minimal", "training-index", "clinical-worked-example"].map((one) => join(suite, `${one}.medh5`));
  await page.setInputFiles(filesInput, [good[0], scratch("large/large.medh5"), good[1], good[2]]);
  await settled(page);
  assert.match(await verdict(page), /^Incomplete.*4 files: 3 passed, 0 failed, 1 unreadable/);
  assert.match(await page.locator(".verdict.unreadable").getAttribute("title"), /stopped unexpectedly.*Other files are not affected/);
  await page.close();
});

test("100,000 findings neither freeze the page nor fill it", async () => {
  const folder = join(held.folder, "findings");
  await mkdir(folder);
  for (let i = 0; i < 4; i += 1) await copyFile(scratch("bombs/many-bad-images.medh5"), join(folder, `${i}.medh5`));
  const { page } = await opened();
  await page.setInputFiles("input[webkitdirectory]", folder);
  await settled(page);
  const [, count] = /; (\d+) errors/.exec(await verdict(page)) ?? [];
  assert.ok(Number(count) >= 100_000, count);
  await page.locator("label:has-text('Show') select").selectOption("findings");
  await page.waitForSelector("[role=table][aria-label=Findings] .row");
  const most = await page.evaluate(async () => {
    const box = document.querySelector("[aria-label='Findings, rows']");
    let most = 0;
    for (let step = 0; step < 60; step += 1) {
      box.scrollTop = (box.scrollHeight * step) / 60;
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll(".table .row").length);
    }
    return most;
  });
  // What a frame costs is what is in the page.
  assert.ok(most > 0 && most < 100, `${most} rows in the page`);
  await page.locator("label:has-text('Text') input").fill("image-29");
  await page.waitForFunction(() => Number(document.querySelector("[role=table]")?.getAttribute("aria-rowcount")) < 100_000);
  await page.close();
});

test("an earlier report tells what is new, fixed and unchanged", async () => {
  const { page } = await opened();
  const names = ["E102-non-orthonormal.medh5", "E101-dangling-grid.medh5"];
  await page.setInputFiles(filesInput, names.map((name) => join(suite, name)));
  await settled(page);
  const now = await report(page);
  // Earlier, one finding was not there yet, another has been repaired since, and a file was checked that is not now.
  const earlier = structuredClone(now);
  const gone = earlier[0].diagnostics.pop();
  earlier[0].diagnostics.push({ ...gone, code: "E104", location: "/grids/old" });
  earlier.push({ ...structuredClone(now[1]), path: "left-out.medh5" });
  for (const one of earlier) one.path = `/somewhere/else/${one.path}`;
  await writeFile(join(held.folder, "earlier.json"), JSON.stringify(earlier));
  await page.setInputFiles("input[accept='.json']", join(held.folder, "earlier.json"));
  await page.waitForSelector(`text=1 new, 1 fixed, ${now.flatMap(({ diagnostics }) => diagnostics).length - 1} unchanged`);
  await page.waitForSelector("text=1 of its files were not checked now: /somewhere/else/left-out.medh5");
  const listed = async (view) => {
    await page.locator("label:has-text('Show') select").selectOption(view);
    return page.locator("[aria-label=Findings] .row:not(.head)").allTextContents();
  };
  const [added, fixed] = [await listed("added"), await listed("fixed")];
  assert.ok(added.length === 1 && added[0].includes(gone.code), added.join());
  assert.ok(fixed.length === 1 && fixed[0].includes("E104"), fixed.join());
  await pictured(page, "compared");
  await page.close();
});
