/**
 * The browser's half of `cargo xtask bench`: `node run.mjs SAMPLES PROGRAM TABLE [--quick]`. Measures the package in headless
 * Chromium beside h5wasm with its Blosc2 plug-in on the same files, and beside the program; writes a section of the table.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const [samples, native, table] = process.argv.slice(2);
const isQuick = process.argv.includes("--quick");
const RUNS = isQuick ? 3 : 11;
const stage = join(root, "target/web-bench");

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const three = (value) => String(Number(value.toPrecision(3)));
const ms = (value) => (value >= 1000 ? `${three(value / 1000)} s` : `${three(value)} ms`);
const kib = (bytes) => `${three(bytes / 1024)} KiB`;
const row = (...cells) => `| ${cells.join(" | ")} |`;

function staged() {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  cpSync(join(root, "wasm/dist"), join(stage, "medh5-lite"), { recursive: true });
  for (const name of ["h5wasm", "h5wasm-plugins"]) cpSync(join(here, "node_modules", name), join(stage, name), { recursive: true });
  for (const name of ["ours.mjs", "h5wasm.mjs"]) cpSync(join(here, name), join(stage, name));
  writeFileSync(join(stage, "index.html"), "<input type=file>");
}

async function listen(server) {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts both workers in the page; `ask(side, message)` gives a result, `started[side]` how long that took. */
async function prepare(page) {
  await page.evaluate(async () => {
    globalThis.started = {};
    const workers = {};
    for (const side of ["ours", "h5wasm"]) {
      const worker = (workers[side] = new Worker(`${side}.mjs`, { type: "module" }));
      started[side] = await new Promise((done, fail) => {
        worker.onmessage = ({ data }) => done(data.ready);
        worker.onerror = ({ message }) => fail(new Error(`${side}: ${message}`));
      });
    }
    let last = 0;
    globalThis.ask = (side, message) =>
      new Promise((done, fail) => {
        const id = (last += 1);
        workers[side].onmessage = ({ data }) => data.id === id && done(data.result);
        workers[side].onerror = ({ message: text }) => fail(new Error(`${side}: ${text}`));
        workers[side].postMessage({ id, ...message });
      });
  });
}

/** Asks both in turn about the chosen file, so that a busy moment meets both. */
const compare = (page, runs) =>
  page.evaluate(async (count) => {
    const [file] = document.querySelector("input").files;
    const all = { ours: [], h5wasm: [] };
    for (let run = 0; run <= count; run += 1) {
      for (const side of ["ours", "h5wasm"]) {
        const result = await ask(side, { file });
        if (run > 0) all[side].push(result);
      }
    }
    return all;
  }, runs);

const validated = (page, level, runs) =>
  page.evaluate(
    async ([depth, count]) => {
      const [file] = document.querySelector("input").files;
      const all = [];
      for (let run = 0; run <= count; run += 1) {
        const { all: time, ok } = await ask("ours", { file, task: "validate", level: depth });
        if (!ok) throw new Error(`${file.name} is not in order`);
        if (run > 0) all.push(time);
      }
      return all;
    },
    [level, runs],
  );

/** The program on one thread, which starts, reads the same file and ends. */
function program(path, level) {
  const start = performance.now();
  execFileSync(native, ["validate", "--level", level, path], { stdio: "ignore", env: { ...process.env, RAYON_NUM_THREADS: "1" } });
  return performance.now() - start;
}

async function speeds(page) {
  const rows = [row("", "ours", "h5wasm", "ratio"), row("---", "---", "---", "---")];
  const { ours, h5wasm } = await page.evaluate(() => started);
  rows.push(row("load and start, from this machine", ms(ours), ms(h5wasm), three(h5wasm / ours)));
  for (const [file, name] of [["ct-training", "12.6 Mvoxel, training"], ["ct-archive", "12.6 Mvoxel, archive"], ["large", "512^3, training"]]) {
    await page.setInputFiles("input", join(samples, `${file}.medh5`));
    const found = await compare(page, RUNS);
    if (new Set([...found.ours, ...found.h5wasm].map(({ sum }) => sum)).size !== 1) throw new Error(`${file}: the planes differ`);
    for (const [member, what] of [["metadata", "open and metadata"], ["all", "open to first plane"]]) {
      const [one, other] = [found.ours, found.h5wasm].map((list) => median(list.map((result) => result[member])));
      rows.push(row(`${what}, ${name}`, ms(one), ms(other), three(other / one)));
    }
  }
  return rows;
}

async function requests(page) {
  const link = await listen(serve(samples, { cors: true }));
  const rows = [row("", "requests", "bytes", "of"), row("---", "---", "---", "---")];
  for (const file of ["small", "ct-training", "ct-archive", "large", "many"]) {
    const found = await page.evaluate((url) => ask("ours", { file: url }), `${link}/${file}.medh5`);
    const size = statSync(join(samples, `${file}.medh5`)).size;
    rows.push(row(`metadata of ${file}`, found.requests, kib(found.bytes), kib(size)));
    rows.push(row(`and a plane of ${file}`, found.total.requests, kib(found.total.bytes), kib(size)));
  }
  return rows;
}

async function validation(page) {
  const rows = [row("", "in Chromium", "program, 1 thread", "of its speed"), row("---", "---", "---", "---")];
  for (const [file, name] of [["small", "one small file"], ["ct-training", "12.6 Mvoxel"], ["large", "512^3"]]) {
    const path = join(samples, `${file}.medh5`);
    await page.setInputFiles("input", path);
    for (const level of ["semantic", "integrity"]) {
      const runs = file === "large" ? Math.ceil(RUNS / 3) : RUNS;
      const ours = median(await validated(page, level, runs));
      const times = Array.from({ length: runs }, () => program(path, level));
      rows.push(row(`validate ${name}, ${level}`, ms(ours), ms(median(times)), `${Math.round((100 * median(times)) / ours)} %`));
    }
  }
  return rows;
}

function sizes() {
  const rows = [row("", "raw", "brotli"), row("---", "---", "---")];
  const parts = {
    "ours: module": ["medh5-lite/medh5_lite_wasm_bg.wasm"],
    "ours: JavaScript": ["index", "audit", "core", "error", "file", "http", "report", "source", "generated/medh5_lite_wasm"].map((name) => `medh5-lite/${name}.js`),
    "h5wasm, module within": ["h5wasm/dist/esm/hdf5_hl.js", "h5wasm/dist/esm/hdf5_util.js"],
    "h5wasm: Blosc2 plug-in": ["h5wasm-plugins/plugins/libH5Zblosc2.so"],
  };
  for (const [name, files] of Object.entries(parts)) {
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(stage, file))));
    rows.push(row(name, kib(bytes.length), kib(brotliCompressSync(bytes).length)));
  }
  return rows;
}

/** Puts the section in place of the last one, before what people wrote under the tables. */
function write(section) {
  const old = readFileSync(table, "utf8");
  const [heading, next] = ["## In the browser", "## Where an aim is missed"];
  const start = old.includes(heading) ? old.indexOf(heading) : old.includes(next) ? old.indexOf(next) : old.length;
  const end = old.includes(next) ? old.indexOf(next) : old.length;
  writeFileSync(table, `${old.slice(0, start)}${section}\n${old.slice(end)}`);
}

staged();
const address = await listen(serve(stage));
const flags = ["--no-sandbox", "--disable-gpu"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
try {
  const page = await browser.newPage();
  await page.goto(`${address}/`);
  await prepare(page);
  const version = browser.version();
  const text = [
    "## In the browser",
    "",
    `Headless Chromium ${version}, one worker for each side, files chosen in the page. h5wasm 0.10.3 with the Blosc2 filter of`,
    `h5wasm-plugins 0.2.1 reads them in place, too (WORKERFS). Medians of ${RUNS} interleaved runs; a ratio above 1 means that ours is faster.`,
    "The planes are compared: both give the same numbers.",
    "",
    ...(await speeds(page)),
    "",
    "Over HTTP, ours; h5wasm has no ranges and downloads the file.",
    "",
    ...(await requests(page)),
    "",
    "Validation by the same code in WebAssembly and as a program, which also starts and ends in its time:",
    "",
    ...(await validation(page)),
    "",
    "What people download:",
    "",
    ...sizes(),
    "",
  ].join("\n");
  console.log(text);
  if (!isQuick) write(text);
} finally {
  await browser.close();
  process.exit();
}
