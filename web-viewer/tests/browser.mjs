/** What tests of the page share: a server of the page, a real browser, and a record of everything that must not happen. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const scratch = (name) => join(root, "target/scratch", name);
export const suite = scratch("suite");
export const pageFolder = join(root, "target/web");
const shots = join(root, "target/web-shots");
const axe = await readFile(join(root, "web-viewer/node_modules/axe-core/axe.min.js"), "utf8");
const servers = [];

/** The browser, the address of the page and a folder for the tests of one file, from the first of them to the last. */
export const held = { browser: undefined, address: "", folder: "" };

before(async () => {
  held.folder = await mkdtemp(join(tmpdir(), "medh5-lite-"));
  await mkdir(shots, { recursive: true });
  held.address = `${await listen(serve(pageFolder, { prefix: "/some/where/" }))}/some/where/`;
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  held.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
});

after(async () => {
  await held.browser?.close();
  servers.forEach((server) => server.close());
  await rm(held.folder, { recursive: true, force: true });
});

/** Starts a server on this machine; it ends with the tests. */
export async function listen(server) {
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

/** A page, with everything that must not happen written down. */
export async function opened(link = held.address, context) {
  const page = await (context ?? held.browser).newPage({ ...(context ? {} : { viewport: { width: 1400, height: 1000 } }) });
  const seen = { violations: [], requests: [], errors: [] };
  page.on("console", (message) => message.type() === "error" && seen.violations.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.goto(link);
  await page.waitForSelector("input[type=file]", { state: "attached" });
  return { page, seen };
}

export const verdict = (page) => page.textContent(".summary strong");
export const settled = (page) => page.waitForFunction(() => /^(Passed|Failed|Incomplete|Stopped)/.test(document.querySelector(".summary strong")?.textContent ?? ""), null, { timeout: 240_000 });
export const filesInput = "input[type=file]:not([webkitdirectory]):not([accept='.json'])";

/** Drops files or folders of this machine onto the page, as a hand with a mouse does. */
export async function dropped(page, ...paths) {
  const session = await page.context().newCDPSession(page);
  // A link to a folder is not a folder to a browser.
  const files = await Promise.all(paths.map((path) => realpath(path)));
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 400, y: 500, data });
  await session.detach();
}

/** Opens one file and looks into it. */
export async function inspected(page, path) {
  await page.setInputFiles(filesInput, path);
  await settled(page);
  await page.click("role=tab[name=Verdicts]");
  await page.click(".table .row:not(.head) button");
  await page.waitForSelector("section[aria-label^=Inspect] dl");
}

/** Opens one file and its images. */
export async function looked(page, path) {
  await inspected(page, path);
  await page.click("text=look at images");
  await page.waitForSelector(".stage canvas");
}

/** The report that the page gives to take away, as text. */
export async function taken(page, form) {
  await page.locator("label:has-text('Take away') select").selectOption(form);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('save')")]);
  return readFile(await download.path(), "utf8");
}

/** What the program prints; it ends with 1 when there are findings. */
export function program(cwd, ...args) {
  const cargo = ["run", "--quiet", "--manifest-path", join(root, "Cargo.toml"), "--package", "medh5-lite-cli", "--"];
  try {
    return execFileSync("cargo", [...cargo, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout;
  }
}

/** A picture of a view in light and in dark, for people to look at, and what axe says of both. */
export async function pictured(page, name) {
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
