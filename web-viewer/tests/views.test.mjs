/** The views of a file and of a cohort in a real browser: what they show, by mouse and by keyboard, and that everybody can use them. */

import assert from "node:assert/strict";
import { mkdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { filesInput, held, inspected, looked, opened, pictured, program, scratch, settled, suite, verdict } from "./browser.mjs";

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

test("a clinical history, a collection, findings in groups", async () => {
  const { page, seen } = await opened();
  await inspected(page, join(suite, "clinical-worked-example.medh5"));
  await page.click("role=tab[name=clinical]");
  await page.waitForSelector("[role=tabpanel] table");
  await pictured(page, "clinical");
  await page.setInputFiles(filesInput, scratch("codes/bases/collection.medh5c"));
  await settled(page);
  await page.click("role=tab[name=Verdicts]");
  await page.click(".table .row:not(.head) button");
  await page.waitForSelector("text=/A collection of \\d+ samples/");
  await pictured(page, "collection");
  await page.locator("main ul button").first().click();
  await page.waitForSelector("dl");
  await page.setInputFiles(filesInput, ["E102-non-orthonormal", "E101-dangling-grid", "E811-interval-ends-before-it-starts"].map((name) => join(suite, `${name}.medh5`)));
  await settled(page);
  for (const view of ["findings", "code", "file"]) {
    await page.locator("label:has-text('Show') select").selectOption(view);
    await page.locator(".table .row:not(.head) button").first().waitFor();
    if (view !== "findings") await page.locator(".table .row:not(.head) button").first().click();
    // Severity is a word wherever it is a colour.
    const words = await page.locator(".table .error, .table .warning").allTextContents();
    assert.ok(words.length > 0 && words.every((word) => ["error", "warning"].includes(word)), words.join());
    await pictured(page, `findings-${view}`);
  }
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

test("an audit of a cohort is the program's, and every number opens its files", async () => {
  const { page, seen } = await opened();
  const folder = scratch("cohort/files");
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
  const above = join(held.folder, "cohort");
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
    await page.setInputFiles(filesInput, scratch(`codes/bases/${base}.medh5`));
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
  await page.setInputFiles(filesInput, scratch("codes/bases/masked.medh5"));
  await settled(page);
  await page.click(".table .row:not(.head) button");
  await page.click("text=look at images");
  await page.locator("label:has-text('Classes') select").selectOption("organs");
  await page.waitForSelector("text=not examined in organs: Lesion");
  await page.waitForSelector("text=hatched: unsure");
  await page.locator("label:has-text('Opacity') input").waitFor();
  await pictured(page, "masked");
  await page.setInputFiles(filesInput, scratch("codes/bases/pyramid.medh5"));
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


test("a phantom is the right way round in every plane, whatever its grid", async () => {
  const { page, seen } = await opened();
  const phantoms = JSON.parse(await readFile(scratch("phantoms/phantoms.json"), "utf8"));
  // Where each spot lies from the middle, in voxels of the screen: patient's left is on the right.
  const planes = { axial: { left: [4, 0], posterior: [0, 3] }, coronal: { left: [4, 0], superior: [0, -2] }, sagittal: { posterior: [-3, 0], superior: [0, -2] } };
  const letters = { axial: "RLAP", coronal: "RLSI", sagittal: "PASI" };
  for (const { file, axes, tilt, spots } of phantoms) {
    const extent = (ends) => [11, 13, 15][[...axes].findIndex((letter) => ends.includes(letter))];
    const extents = { axial: [extent("LR"), extent("PA")], coronal: [extent("LR"), extent("SI")], sagittal: [extent("PA"), extent("SI")] };
    await looked(page, scratch(`phantoms/${file}`));
    for (const [name, places] of Object.entries(planes)) {
      const stage = page.locator(`.stage[aria-label='${name} plane']`);
      assert.equal(await stage.getAttribute("data-letters"), letters[name], `${file} ${name}`);
      for (const [spot, [right, down]] of Object.entries(places)) {
        const { value, lps, voxel } = spots[spot];
        const { pixels, parts } = await placeOf(stage, extents[name], right, down);
        await page.waitForFunction(isBrighter, [name, ...parts]);
        await stage.hover({ position: pixels });
        const shown = (sign) => lps.map((part, axis) => ((axis < 2 ? sign : 1) * part + 0).toFixed(1)).join(", ");
        const wanted = `voxel [${voxel.join(", ")}] · LPS ${shown(1)} · RAS ${shown(-1)} mm · stored ${value} · value ${2 * value - 10} HU`;
        assert.equal((await page.textContent(".readout")).trim(), wanted, `${file} ${name} ${spot}`);
      }
    }
    assert.equal(await page.locator("text=oblique by").count(), tilt === 0 ? 0 : 1, file);
    if (tilt > 0) await page.waitForSelector(`text=oblique by ${tilt}.0°`);
  }
  await pictured(page, "phantom");
  assert.deepEqual([seen.violations, seen.errors], [[], []]);
  await page.close();
});

/** The middle of the voxel that lies `right` and `down` of the middle one, in pixels of the stage and as parts of it. */
async function placeOf(stage, extents, right, down) {
  const { width, height } = await stage.boundingBox();
  const [x, y] = [(extents[0] / 2 + right) / extents[0], (extents[1] / 2 + down) / extents[1]];
  return { pixels: { x: x * width, y: y * height }, parts: [x, y] };
}

/** Whether a place of a plane is brighter than the place opposite. */
function isBrighter([plane, x, y]) {
  const canvas = document.querySelector(`.stage[aria-label='${plane} plane'] canvas`);
  const level = (right, down) => canvas.getContext("2d").getImageData(Math.floor(right * canvas.width), Math.floor(down * canvas.height), 1, 1).data[0];
  return level(x, y) > level(1 - x, 1 - y);
}

test("colour, channels and time", async () => {
  const { page } = await opened();
  await looked(page, scratch("phantoms/several-values.medh5"));
  const readout = async (pattern) => {
    await page.locator(".stage").hover({ position: { x: 40, y: 40 } });
    await page.locator(".stage").hover({ position: { x: 44, y: 40 } });
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".readout")?.textContent ?? ""), pattern);
  };
  const choose = (label, option) => page.locator(`label:has-text('${label}') select`).selectOption(option);
  await choose("Image", "photo");
  await readout("stored 200, 100, 50");
  assert.deepEqual(await page.locator(".stage canvas").evaluate((canvas) => [...canvas.getContext("2d").getImageData(5, 5, 1, 1).data]), [200, 100, 50, 255]);
  await pictured(page, "colour");
  await choose("Channel", "1");
  await readout("stored 100 ");
  await choose("Image", "stains");
  await readout("stored 7 ");
  await choose("Channel", { label: "membranes" });
  await readout("stored 11 ");
  await choose("Image", "frames");
  await page.locator("label:has-text('Frame') input").fill("3");
  await readout("stored 30 ");
  await page.waitForSelector("text=no letters: this grid has no place in the body");
  await page.close();
});

test("windows, classes, proportions and pages", async () => {
  const { page } = await opened();
  await looked(page, join(suite, "training-index.medh5"));
  const stage = (plane) => page.locator(`.stage[aria-label='${plane} plane']`);
  // Voxels of 1.5 x 0.8 x 0.8 mm, 16 x 24 x 24 of them; the first axis goes to the left.
  const { width, height } = await stage("coronal").boundingBox();
  assert.ok(Math.abs(width / height - (16 * 1.5) / (24 * 0.8)) < 0.01, `${width} x ${height}`);
  const [, length] = /^(\d+) mm$/.exec((await page.textContent(".plane:has([aria-label='coronal plane']) .scale")).trim());
  const bar = await page.locator(".plane:has([aria-label='coronal plane']) .scale").boundingBox();
  assert.ok(Math.abs(bar.width / width - Number(length) / (16 * 1.5)) < 0.01);
  const shown = () => page.locator("label:has-text('Window') option").first().textContent();
  await stage("axial").focus();
  await page.keyboard.press("2");
  assert.equal(await shown(), "centre -600, width 1500");
  await page.mouse.move(200, 500);
  const box = await stage("axial").boundingBox();
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 50, { steps: 4 });
  await page.mouse.up();
  const [, wider] = /width (\d+)/.exec(await shown());
  assert.ok(Number(wider) > 1500, wider);
  const at = async () => Number(await stage("axial").getAttribute("aria-valuenow"));
  const before = await at();
  await page.mouse.wheel(0, 100);
  assert.equal(await at(), before + 1);
  await page.locator("input[aria-label='axial position']").fill("3");
  assert.equal(await at(), 4);
  // Classes: what is painted follows the boxes beside them.
  await page.locator("label:has-text('Classes') select").selectOption("organs");
  const list = page.locator("fieldset:has-text('Classes of organs')");
  await list.waitFor();
  const coloured = () =>
    stage("axial").locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((count, value, place) => count + (place % 4 === 0 && Math.abs(value - data[place + 2]) > 8 ? 1 : 0), 0);
    });
  const settles = async (wanted) => {
    for (let wait = 0; wait < 50 && !wanted(await coloured()); wait += 1) await page.waitForTimeout(50);
    assert.ok(wanted(await coloured()), String(await coloured()));
  };
  await settles((count) => count > 0);
  const all = await coloured();
  await list.locator("text=solo").first().click();
  await settles((count) => count > 0 && count < all);
  await list.locator("text=hide all").click();
  await settles((count) => count === 0);
  await list.locator("text=show all").click();
  await list.locator("input[type=range]").first().fill("0");
  await settles((count) => count > 0 && count < all);
  // The box of a class in the index tells where it is.
  await list.locator("li:has-text('3') >> text=go to").click();
  assert.equal(await at(), 9);
  await page.close();
});

test("everything goes by keyboard", async () => {
  const { page } = await opened();
  await page.setInputFiles(filesInput, join(suite, "training-index.medh5"));
  await settled(page);
  const press = async (locator, ...keys) => {
    await locator.focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  // What opens files can be reached.
  const reached = new Set();
  await page.locator("body").focus();
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.closest("label, button, [tabindex]")?.textContent?.trim() ?? ""));
  }
  for (const name of ["Choose files…", "Choose a folder…", "open", "check again", "Verdicts", "save", "Compare with a report…"]) assert.ok(reached.has(name), `${name}: ${[...reached].join(" | ")}`);
  await press(page.locator("[aria-label=Files] .head button").first(), "Enter");
  await page.waitForSelector("[aria-sort=ascending]");
  await press(page.locator("[aria-label=Files] .row:not(.head) button").first(), "Enter");
  await press(page.locator("role=tab[name=index]"), "Enter");
  await press(page.locator("button:text-is('draw one')").first(), "Enter");
  const drawn = await page.textContent("text=/^voxel \\[/");
  await press(page.locator("button:text-is('look at it')").first(), "Enter");
  const stage = page.locator(".stage").first();
  await stage.waitFor();
  await stage.focus();
  // The readout tells what is at the crosshair, which is at the drawn voxel, and of the class that was drawn.
  const [voxel] = /\[.*?\]/.exec(drawn);
  await page.waitForFunction((text) => document.querySelector(".readout")?.textContent?.startsWith(`voxel ${text}`), voxel);
  await page.waitForFunction(() => document.querySelector(".readout")?.getAttribute("aria-live") === "polite" && /value .* · \S/.test(document.querySelector(".readout")?.textContent ?? ""));
  const before = Number(await stage.getAttribute("aria-valuenow"));
  await page.keyboard.press(before > 1 ? "ArrowDown" : "ArrowUp");
  assert.equal(Number(await stage.getAttribute("aria-valuenow")), before + (before > 1 ? -1 : 1));
  const text = await page.textContent(".readout");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.waitForFunction((old) => document.querySelector(".readout")?.textContent !== old, text);
  const windowOf = () => page.locator("label:has-text('Window') option").first().textContent();
  const automatic = await windowOf();
  await page.keyboard.press("w");
  assert.notEqual(await windowOf(), automatic);
  await page.keyboard.press("r");
  assert.equal(await page.locator(".cross").count() > 0, true);
  await page.keyboard.press("x");
  assert.equal(await page.locator(".cross").count(), 0);
  await page.keyboard.press("+");
  assert.match(await page.textContent("[aria-label=Zoom]"), /2×/);
  await page.close();
});

test("a plane is taken away as a picture of what is seen", async () => {
  const { page } = await opened();
  await looked(page, scratch("codes/bases/boxes.medh5"));
  await page.waitForSelector(".shapes path", { state: "attached" });
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=PNG of this plane >> nth=0")]);
  assert.ok(!/boxes/.test(download.suggestedFilename()), "the name of the file is the person's own matter");
  const png = await readFile(await download.path());
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const { width } = await page.locator(".stage").first().boundingBox();
  assert.equal(png.readUInt32BE(16), Math.round(width));
  // The boxes are coloured, the image is grey.
  const colours = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (Math.abs(data[at] - data[at + 2]) > 40) count += 1;
    return count;
  }, [...png]);
  assert.ok(colours > 100, `${colours} coloured pixels`);
  await page.close();
});

test("of a large file, a look reads what it shows", async () => {
  const { page } = await opened();
  await page.locator("label:has-text('Level') select").selectOption("structural");
  await inspected(page, scratch("large/large.medh5"));
  const read = async () => {
    const [, amount, unit] = /Read so far: ([\d.]+) (\w+)/.exec(await page.textContent("footer"));
    return Number(amount) * { bytes: 1, KiB: 1024, MiB: 1 << 20 }[unit];
  };
  const before = await read();
  assert.ok(before < 1 << 20, `${before} bytes`);
  await page.click("text=look at images");
  await page.locator("label:has-text('Planes') select").selectOption({ label: "axial" });
  await page.waitForSelector(".stage canvas");
  await page.locator(".stage").hover();
  await page.waitForFunction(() => /stored/.test(document.querySelector(".readout")?.textContent ?? ""));
  // A plane through one of two layers of chunks.
  const { size } = await stat(scratch("large/large.medh5"));
  assert.ok((await read()) - before < 0.6 * size, `${await read()} of ${size}`);
  await page.close();
});

test("nothing moves for people who want no motion", async () => {
  const { page } = await opened();
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((element) => getComputedStyle(element).transitionDuration !== "0s" || getComputedStyle(element).animationName !== "none").length);
  assert.equal(moving, 0);
  await page.close();
});
