/** The page in a real browser: the suite's verdicts, folders, links, stopping, offline, and that nothing leaves the page. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const suite = join(root, "target/scratch/suite");
const shots = join(root, "target/web-shots");
const pageFolder = join(root, "target/web");
const axe = await readFile(join(root, "web-viewer/node_modules/axe-core/axe.min.js"), "utf8");
let browser, site, address, scratch;
const servers = [];

async function listen(server) {
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), "medh5-lite-"));
  await mkdir(shots, { recursive: true });
  site = serve(pageFolder, { prefix: "/some/where/" });
  address = `${await listen(site)}/some/where/`;
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
});

after(async () => {
  await browser?.close();
  servers.forEach((server) => server.close());
  await rm(scratch, { recursive: true, force: true });
});

/** A page, with everything that must not happen written down. */
async function opened(link = address, context) {
  const page = await (context ?? browser).newPage({ ...(context ? {} : { viewport: { width: 1400, height: 1000 } }) });
  const seen = { violations: [], requests: [], errors: [] };
  page.on("console", (message) => message.type() === "error" && seen.violations.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.goto(link);
  await page.waitForSelector("input[type=file]", { state: "attached" });
  return { page, seen };
}

const verdict = (page) => page.textContent(".summary strong");
const settled = (page) => page.waitForFunction(() => /^(Passed|Failed|Incomplete|Stopped)/.test(document.querySelector(".summary strong")?.textContent ?? ""), null, { timeout: 240_000 });
const filesInput = "input[type=file]:not([webkitdirectory]):not([accept='.json'])";

/** The report that the page gives to take away, as text. */
async function taken(page, form) {
  await page.locator("label:has-text('Take away') select").selectOption(form);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('save')")]);
  return readFile(await download.path(), "utf8");
}

const report = async (page) => JSON.parse(await taken(page, "json"));

/** What the program prints; it ends with 1 when there are findings. */
function program(cwd, ...args) {
  const cargo = ["run", "--quiet", "--manifest-path", join(root, "Cargo.toml"), "--package", "medh5-lite-cli", "--"];
  try {
    return execFileSync("cargo", [...cargo, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout;
  }
}

/** A picture of a view in light and in dark, for people to look at, and what axe says of both. */
async function pictured(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
    await assertAccessible(page, `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function assertAccessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), [], name);
}

test("the whole suite as a folder gives the expected codes, and nothing leaves the page", async () => {
  const { page, seen } = await opened();
  await page.setInputFiles("input[webkitdirectory]", suite);
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
  await symlink(suite, join(scratch, dirname(names[0])));
  for (const form of ["json", "jsonl", "sarif", "html", "csv", "markdown", "junit"]) {
    assert.ok((await taken(page, form)) === program(scratch, "validate", "--format", form, ...names), form);
  }
  assert.deepEqual(seen.requests.filter((url) => !url.startsWith(address) && !/^(blob|data):/.test(url)), []);
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("250 files, a broken one among them, are all counted", async () => {
  const folder = join(scratch, "many");
  await mkdir(join(folder, ".hidden"), { recursive: true });
  const good = join(suite, "core-minimal.medh5");
  for (let i = 0; i < 250; i += 1) await copyFile(good, join(folder, `${String(i).padStart(3, "0")}.medh5`));
  await writeFile(join(folder, "100.medh5"), "not a file of this kind");
  await writeFile(join(folder, "notes.txt"), "x");
  await copyFile(good, join(folder, "CAPITALS.MEDH5"));
  await copyFile(good, join(folder, ".hidden", "left-out.medh5"));
  const { page } = await opened();
  await page.setInputFiles("input[webkitdirectory]", folder);
  await settled(page);
  assert.match(await verdict(page), /^Incomplete.*251 files: 250 passed, 0 failed, 1 unreadable/);
  assert.match(await page.textContent(".drop [role=status]"), /251 of them MEDH5/);
  await page.close();
});

test("a file of 3 GiB opens without being copied", async () => {
  const path = join(scratch, "large.medh5");
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

test("one file: about, tree, index, digests and planes", async () => {
  const { page, seen } = await opened();
  await page.setInputFiles(filesInput, join(suite, "training-index.medh5"));
  await settled(page);
  await page.click(".table .row:not(.head) button");
  await page.waitForSelector("dl");
  await pictured(page, "about");
  await page.click("role=tab[name=tree]");
  await page.waitForSelector("details");
  await pictured(page, "tree");
  await page.click("role=tab[name=document]");
  await page.waitForSelector("details");
  await pictured(page, "document");
  await page.click("role=tab[name=index]");
  await page.waitForSelector("text=current");
  await pictured(page, "index");
  await page.click("role=tab[name=digests]");
  await page.click("text=verify digests");
  await page.waitForSelector("text=All digests agree");
  await pictured(page, "digests");
  await page.click("text=look at images");
  await page.waitForSelector(".stage canvas");
  await page.locator("label:has-text('Classes') select").selectOption({ index: 1 });
  await page.waitForSelector("fieldset li");
  await page.locator(".stage").first().hover();
  await page.waitForFunction(() => /stored/.test(document.querySelector(".readout")?.textContent ?? ""));
  await pictured(page, "planes");
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("an audit of a cohort is the program's, and every number opens its files", async () => {
  const { page, seen } = await opened();
  const folder = join(root, "target/scratch/cohort/files");
  await page.setInputFiles("input[webkitdirectory]", folder);
  await settled(page);
  await page.click("role=tab[name=Audit]");
  await pictured(page, "audit-before");
  await page.click("text=compare these");
  await page.waitForSelector(".checks");
  assert.match(await verdict(page), /^Incomplete: 2 of \d+ samples could not be read/);
  await pictured(page, "audit");
  // By keyboard: the first number that stands for files.
  await page.locator(".checks button").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".selected-files .row:not(.head)");
  const named = await page.locator(".selected-files .row:not(.head)").allTextContents();
  assert.ok(named.some((line) => line.includes("cut.medh5")), named.join());
  await pictured(page, "audit-files");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("section[aria-label=Audit] button:text-is('JSON')")]);
  const ours = await readFile(await download.path(), "utf8");
  const name = dirname(JSON.parse(ours).samples[0].path);
  const above = join(scratch, "cohort");
  await mkdir(above);
  await symlink(folder, join(above, name));
  assert.ok(ours === program(above, "audit", "--json", name), "the audit differs from the program's");
  await page.locator(".selected-files .row:not(.head) button").first().click();
  await page.waitForSelector("section[aria-label^=Inspect]");
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("boxes, points and curves are drawn, listed, and gone to", async () => {
  for (const [base, annotation, kind] of [
    ["boxes", "findings", "path"],
    ["obb", "findings", "path"],
    ["keypoints", "spine", "circle"],
    ["contours", "outline", "path"],
    ["polylines", undefined, "path"],
    ["instances", "lesions", "path"],
  ]) {
    const { page, seen } = await opened();
    await page.setInputFiles(filesInput, join(root, "target/scratch/codes/bases", `${base}.medh5`));
    await settled(page);
    await page.click(".table .row:not(.head) button");
    await page.click("text=look at images");
    const list = page.locator("fieldset:has-text('Boxes, points and curves')");
    await list.waitFor();
    if (annotation) await list.locator(`label:has-text('${annotation}')`).waitFor();
    await list.locator("summary").first().click();
    await list.locator("text=go to").first().click();
    await page.waitForSelector(`.shapes ${kind}`, { state: "attached" });
    await pictured(page, `shapes-${base}`);
    await list.locator("input[type=checkbox]").first().uncheck();
    await page.waitForSelector(".shapes", { state: "detached" });
    assert.deepEqual([seen.violations, seen.errors], [[], []], base);
    await page.close();
  }
});

test("what is ignored is hatched, what nobody looked for is named, and a pyramid's level follows the zoom", async () => {
  const { page } = await opened();
  await page.setInputFiles(filesInput, join(root, "target/scratch/codes/bases/masked.medh5"));
  await settled(page);
  await page.click(".table .row:not(.head) button");
  await page.click("text=look at images");
  await page.locator("label:has-text('Classes') select").selectOption("organs");
  await page.waitForSelector("text=not examined in organs: Lesion");
  await page.waitForSelector("text=hatched: unsure");
  await page.locator("label:has-text('Opacity') input").waitFor();
  await pictured(page, "masked");
  await page.setInputFiles(filesInput, join(root, "target/scratch/codes/bases/pyramid.medh5"));
  await settled(page);
  await page.click("role=tab[name=Verdicts]");
  await page.click(".table .row:not(.head) button");
  await page.click("text=look at images");
  await page.waitForSelector(".stage[data-level]");
  await page.locator("label:has-text('Level') select").nth(1).selectOption("1");
  await page.waitForSelector(".stage[data-level='1']");
  await page.locator(".stage").first().hover();
  await page.waitForFunction(() => /\(level 1\)/.test(document.querySelector(".readout")?.textContent ?? ""));
  await pictured(page, "pyramid");
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
    const { page } = await opened(`${address}?url=${encodeURIComponent(link)}`);
    await settled(page);
    const text = [await verdict(page), await page.locator(".table .verdict").first().getAttribute("title")].join(" ");
    await page.close();
    return text;
  };
  assert.match(await tried(`${remote}/core-minimal.medh5`), /1 file: 1 passed/);
  assert.match(await tried(`${whole}/core-minimal.medh5`), /cannot send parts of a file/);
  assert.match(await tried(`${closed}/core-minimal.medh5`), /does not allow this page to read/);
  assert.match(await tried(`${remote}/none.medh5`), /There is no file at/);
});

test("stopping keeps what is done and is never green", async () => {
  const folder = join(scratch, "stop");
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
  const context = await browser.newContext();
  const { page } = await opened(address, context);
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
  assert.deepEqual(seen.errors, []);
  await page.close();
});
