/** Pixels as numbers: an asymmetric phantom must come out the right way round, whatever its grid. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = await mkdtemp(join(tmpdir(), "medh5-lite-model-"));
after(() => rm(out, { recursive: true, force: true }));

async function load(path) {
  const outfile = join(out, `${path.replaceAll("/", "-")}.mjs`);
  await build({ entryPoints: [join(here, "../src", path)], bundle: true, format: "esm", outfile, logLevel: "warning" });
  return import(pathToFileURL(outfile).href);
}

const orientation = await load("model/orientation.ts");
const windowing = await load("model/windowing.ts");
const findings = await load("model/findings.ts");
const exportsOf = await load("model/exports.ts");
const plane = await load("render/plane.ts");
const shapes = await load("model/shapes.ts");
const masks = await load("render/masks.ts");
const cohort = await load("model/cohort.ts");
const clinical = await load("model/clinical.ts");

/** The phantom: three bright points in the body, one per direction, so that every mirror image differs. In LPS millimetres. */
const POINTS = { left: [12, 0, 0], posterior: [0, 9, 0], superior: [0, 0, 6], origin: [0, 0, 0] };
const BRIGHTNESS = { left: 50, posterior: 100, superior: 150, origin: 200 };
const SIGNS = { L: 1, R: -1, P: 1, A: -1, S: 1, I: -1 };
const AXES = { L: 0, R: 0, P: 1, A: 1, S: 2, I: 2 };

/** A grid whose stored axes point to `axes` (letters), in a world system named by `system`, turned by `tilt` degrees about S. */
function gridOf(axes, system, tilt = 0) {
  const spacing = [3, 3, 3];
  const shape = [11, 11, 11];
  const turn = (tilt * Math.PI) / 180;
  const rotate = ([x, y, z]) => [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn), z];
  const inLps = [...axes].map((letter) => rotate([0, 1, 2].map((body) => (body === AXES[letter] ? SIGNS[letter] : 0))));
  const toSystem = (lps) => [...system].map((letter) => lps[AXES[letter]] * SIGNS[letter]);
  const columns = inLps.map(toSystem);
  const direction = [0, 1, 2].map((world) => columns.map((column) => column[world]));
  // Voxel (5, 5, 5) lies at the world's origin.
  const origin = [0, 1, 2].map((world) => -columns.reduce((sum, column) => sum + column[world] * 15, 0));
  return { shape, spacing, origin, direction, coordSystem: system, units: "mm" };
}

function phantom(grid) {
  const values = new Int16Array(11 ** 3);
  for (const [name, lps] of Object.entries(POINTS)) {
    const world = [...grid.coordSystem].map((letter) => lps[AXES[letter]] * SIGNS[letter]);
    const [i, j, k] = orientation.indexFromWorld(grid, world).map(Math.round);
    values[(i * 11 + j) * 11 + k] = BRIGHTNESS[name];
  }
  return values;
}

/** One plane of the phantom as the reader gives it. */
function slice(values, cut, at) {
  const data = new Int16Array(121);
  for (let row = 0; row < 11; row += 1) {
    for (let column = 0; column < 11; column += 1) {
      const index = [row, column];
      index.splice(cut, 0, at);
      data[row * 11 + column] = values[(index[0] * 11 + index[1]) * 11 + index[2]];
    }
  }
  return { dtype: "int16", shape: [11, 11], data };
}

/** Where on the screen each brightness is, in pixels from the middle. */
function spots(grid, view, values, at) {
  const [rowAxis, columnAxis] = [0, 1, 2].filter((axis) => axis !== view.cut);
  const stored = { rows: 11, columns: 11, rowAxis, columnAxis };
  const picture = plane.imagePicture(view, stored, slice(values, view.cut, at), { slope: 1, intercept: 0 }, { center: 127.5, width: 255 }, false);
  const found = {};
  for (const [name, level] of Object.entries(BRIGHTNESS)) {
    const pixel = picture.pixels.findIndex((value, place) => place % 4 === 0 && value === level) / 4;
    if (pixel >= 0) found[name] = [(pixel % picture.width) - 5, Math.floor(pixel / picture.width) - 5];
  }
  return found;
}

const RADIOLOGICAL = { radiological: true, noseLeft: false };
const GRIDS = ["SPL", "SAR", "IPL", "LPS", "RAS", "PSL", "ASR", "LIA"];

for (const axes of GRIDS) {
  for (const system of ["LPS", "RAS"]) {
    test(`axes ${axes} in ${system}: letters, sides and readout`, () => {
      const grid = gridOf(axes, system);
      const values = phantom(grid);
      const letters = orientation.orientationOf(grid).map(({ letter }) => letter);
      assert.equal(letters.join(""), axes);
      const views = Object.fromEntries(orientation.cutAxes(grid).map((cut) => [orientation.viewOfPlane(grid, cut, RADIOLOGICAL).name, orientation.viewOfPlane(grid, cut, RADIOLOGICAL)]));
      // Patient's left is on the right of the screen, posterior at the bottom, superior at the top.
      assert.deepEqual(spots(grid, views.axial, values, 5), { origin: [0, 0], left: [4, 0], posterior: [0, 3] });
      assert.deepEqual(spots(grid, views.coronal, values, 5), { origin: [0, 0], left: [4, 0], superior: [0, -2] });
      assert.deepEqual(spots(grid, views.sagittal, values, 5), { origin: [0, 0], posterior: [-3, 0], superior: [0, -2] });
      assert.deepEqual(views.axial.letters, { left: "R", right: "L", top: "A", bottom: "P" });
      assert.deepEqual(views.coronal.letters, { left: "R", right: "L", top: "S", bottom: "I" });
      assert.deepEqual(views.sagittal.letters, { left: "P", right: "A", top: "S", bottom: "I" });
      // The readout under the spot names the same place in both systems.
      const voxel = orientation.indexFromScreen(grid, views.axial, 5, 5 + 4, 5);
      const { lps, ras } = orientation.positionOf(grid, voxel);
      assert.deepEqual(lps.map((at) => Math.round(at)), [12, 0, 0].map((at) => at + 0));
      assert.deepEqual(ras.map((at) => Math.round(at) + 0), [-12, 0, 0]);
      assert.equal(values[(voxel[0] * 11 + voxel[1]) * 11 + voxel[2]], BRIGHTNESS.left);
    });
  }
}

test("a turned display keeps the readout", () => {
  const grid = gridOf("SPL", "LPS");
  const cut = orientation.cutAxes(grid)[0];
  const turned = orientation.viewOfPlane(grid, cut, { radiological: false, noseLeft: true });
  assert.deepEqual(spots(grid, turned, phantom(grid), 5).left, [-4, 0]);
  assert.equal(turned.letters.left, "L");
  const { lps } = orientation.positionOf(grid, orientation.indexFromScreen(grid, turned, 5, 1, 5));
  assert.equal(Math.round(lps[0]), 12);
});

test("an oblique grid is named after the nearest directions, with its tilt", () => {
  const grid = gridOf("SPL", "RAS", 20);
  assert.equal(orientation.orientationOf(grid).map(({ letter }) => letter).join(""), "SPL");
  assert.ok(Math.abs(orientation.obliqueness(grid) - 20) < 1e-6);
  const [i, j, k] = orientation.indexFromWorld(grid, orientation.worldFromIndex(grid, [2, 7, 4]));
  assert.deepEqual([i, j, k].map((at) => Math.round(at * 1e9) / 1e9), [2, 7, 4]);
});

test("without a place in the body there are no letters", () => {
  for (const change of [{ coordSystem: "custom" }, { units: "px" }, { coordSystem: "LLS" }]) {
    const grid = { ...gridOf("SPL", "LPS"), ...change };
    assert.equal(orientation.orientationOf(grid), undefined);
    assert.equal(orientation.viewOfPlane(grid, 1, RADIOLOGICAL).letters, undefined);
  }
});

test("shapes lie over the voxels that they name, whichever way a plane is shown", () => {
  for (const axes of GRIDS) {
    const grid = gridOf(axes, "LPS");
    for (const cut of [0, 1, 2]) {
      const view = orientation.viewOfPlane(grid, cut, RADIOLOGICAL);
      const [row, column] = shapes.axesOfPlane(grid, cut);
      for (const point of [[2, 7], [0, 10]]) {
        const [x, y] = shapes.screenPoint(grid, view, point);
        // The voxel under the drawn point is the point's own.
        const voxel = orientation.indexFromScreen(grid, view, 5, Math.floor(x * 11), Math.floor(y * 11));
        assert.deepEqual([voxel[row], voxel[column]], point, `${axes} ${cut}`);
      }
    }
  }
});

test("the level of a pyramid has a voxel for every pixel, and places follow it", () => {
  const grid = { ...gridOf("SPL", "LPS"), shape: [40, 400, 400] };
  const view = orientation.viewOfPlane(grid, 0, RADIOLOGICAL);
  const levels = [[40, 400, 400], [20, 200, 200], [10, 100, 100]];
  const at = (size) => shapes.levelForScreen(levels, view, size, size);
  assert.deepEqual([at(80), at(150), at(200), at(300), at(5000)], [2, 1, 1, 0, 0]);
  assert.deepEqual([0, 1, 2, 39].map((place) => shapes.placeInLevel(place, 40, 20)), [0, 0, 1, 19]);
  assert.equal(shapes.placeInLevel(399, 400, 101), 100);
});

test("hatching covers the mask only, and a shade what is outside", () => {
  const grid = gridOf("SPL", "LPS");
  const view = orientation.viewOfPlane(grid, 0, RADIOLOGICAL);
  const stored = { rows: 11, columns: 11, rowAxis: 1, columnAxis: 2 };
  const mask = new Uint8Array(121).fill(1, 0, 60);
  const covered = ({ pixels }) => Array.from({ length: 121 }, (_, at) => pixels[at * 4 + 3] > 0);
  const hatched = covered(masks.hatchedPicture(view, stored, mask));
  const dimmed = covered(masks.dimmedPicture(view, stored, mask));
  const inMask = [...Array(121).keys()].map((at) => mask[plane.storedIndex(view, stored)(at % 11, Math.floor(at / 11))] === 1);
  assert.deepEqual(hatched, inMask);
  assert.deepEqual(dimmed, inMask.map((is) => !is));
});

test("an audit that left something out is never green", () => {
  const found = (unreadable, outcome) => ({ totals: { samples: 3, unreadable }, checks: [{ outcome, weight: "error" }] });
  assert.equal(cohort.verdictOf(found(0, "clean"), 0).word, "passed");
  assert.equal(cohort.verdictOf(found(0, "found"), 0).word, "failed");
  assert.equal(cohort.verdictOf(found(1, "clean"), 0).word, "incomplete");
  assert.equal(cohort.verdictOf(found(0, "clean"), 2).word, "incomplete");
  assert.deepEqual(cohort.cellParts({ declared: [1, 2, 3], examined: [1, 2], present: [1], unknown: [], voxels: 4 }).map(({ word, samples }) => `${word} ${samples}`), ["examined 1,2", "present 1", "absent 2", "not examined 3"]);
  assert.deepEqual(cohort.splitPath("a/b.medh5c::k"), { file: "a/b.medh5c", key: "k" });
});

test("clinical times are days from the baseline, and empty columns are left out", () => {
  const hour = 3_600_000_000;
  const at = (lo, hi = lo) => clinical.cellText({ lo, hi });
  assert.deepEqual([at(0), at(-48 * hour), at(-47 * hour), at(90 * 24 * hour + hour / 2)], ["day 0", "day −2", "day −2 01:00", "day 90 00:30"]);
  assert.deepEqual([at(null), at(0, null), at(null, 24 * hour), at(0, 24 * hour)], ["", "day 0 to ?", "? to day 1", "day 0 to day 1"]);
  assert.equal(clinical.cellText({ endpoint_type: "image", id: "CT" }), "image CT");
  assert.deepEqual(clinical.columnsOf([{ row: 0, kind: "imaging", end: { lo: null, hi: null } }, { row: 1, kind: "other", note: "x" }]), ["kind", "note"]);
});

test("windows survive constant, empty and broken values", () => {
  const rescale = { slope: 2, intercept: -1 };
  assert.deepEqual(windowing.robustWindow([4, 4, 4], rescale), { center: 7, width: 1 });
  assert.deepEqual(windowing.robustWindow([NaN, NaN], rescale), { center: 0, width: 1 });
  assert.deepEqual(windowing.fullWindow([1, 3, NaN, Infinity], rescale), { center: 3, width: 4 });
  assert.deepEqual([...windowing.greyLevels([0, 1, 2, NaN], { slope: 1, intercept: 0 }, { center: 1, width: 2 })], [0, 128, 255, 0]);
  assert.deepEqual([...windowing.greyLevels([0, 2], { slope: 1, intercept: 0 }, { center: 1, width: 0 })], [0, 255]);
});

const finding = (code, location, severity = "error") => ({ code, severity, location, message: `=${code}, "quoted"`, level: "semantic" });
const row = (name, outcome, diagnostics = []) => ({
  name,
  size: 10,
  outcome,
  report: { path: name, level: "semantic", profiles: [], ok: outcome === "passed", errors: diagnostics.length, warnings: 0, promoted: 0, diagnostics, checked: {} },
});

test("a run that left a file out is never passed", () => {
  const word = (...outcomes) => findings.verdictOf(findings.totalsOf(outcomes.map((outcome, at) => row(String(at), outcome))), "semantic").word;
  assert.equal(word(), "nothing");
  assert.equal(word("passed", "warnings"), "passed");
  assert.equal(word("passed", "unreadable"), "incomplete");
  assert.equal(word("passed", "stopped"), "incomplete");
  assert.equal(word("failed", "stopped"), "incomplete");
  assert.equal(word("passed", "failed"), "failed");
  assert.equal(word("passed", "waiting"), "running");
});

test("every file is a row, and nothing runs in a spreadsheet", () => {
  const rows = [row("=a", "failed", [finding("E101", "/x"), finding("E202", "/y")]), row("b", "passed")];
  const lines = exportsOf.filesToCsv(rows).trim().split("\r\n");
  assert.equal(lines.length - 1, rows.length);
  assert.match(lines[1], /^'=a,failed,semantic,2,0/);
  const reports = JSON.stringify(rows.map(({ report }) => report));
  assert.deepEqual(findings.findingsOf(exportsOf.fromJson(reports)), findings.findingsOf(rows));
  assert.throws(() => exportsOf.fromJson("{}"), /not a report/);
});

test("an earlier report tells new, fixed and unchanged findings apart", () => {
  const before = [row("/data/run 1/s/a", "failed", [finding("E101", "/x"), finding("E202", "/y")]), row("/data/run 1/b", "failed", [finding("E101", "/x")])];
  const now = [row("cohort/s/a", "failed", [finding("E202", "/y"), finding("E104", "/z")]), row("cohort/c", "passed")];
  const { added, fixed, unchanged, missing } = findings.compared(now, before);
  assert.deepEqual([added, fixed, unchanged].map((list) => list.map(({ code }) => code)), [["E104"], ["E101"], ["E202"]]);
  // What was not checked again is not fixed.
  assert.deepEqual(missing, ["/data/run 1/b"]);
});
