/** Boxes, points and curves as the package gives them, for the small files whose shapes are known. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { scratch } from "./program.mjs";

async function sectionsOf(name, annotation, plane) {
  const path = join(scratch("codes"), "bases", `${name}.medh5`);
  assert.ok(existsSync(path), path);
  const file = await open(readFileSync(path));
  const { images } = await file.summary();
  const shapes = await file.shapes(annotation, images[0].id);
  const sections = await file.sections(annotation, images[0].id, plane);
  file.close();
  return { shapes, sections };
}

const extent = (line) => [0, 1].map((axis) => [Math.min(...line.map((point) => point[axis])), Math.max(...line.map((point) => point[axis]))]);

test("boxes", async () => {
  const { shapes, sections } = await sectionsOf("boxes", "findings", { axis: 0, at: 3 });
  assert.deepEqual(shapes.map(({ class_id, center }) => [class_id, center]), [[1, [3.5, 7.5, 7.5]], [2, [3.5, 7, 7]]]);
  assert.deepEqual(sections.map(({ lines }) => extent(lines[0])), [[[3.5, 11.5], [3.5, 11.5]], [[5.5, 8.5], [5.5, 8.5]]]);
});

test("an oriented box", async () => {
  const { sections } = await sectionsOf("obb", "findings", { axis: 0, at: 4 });
  assert.deepEqual(extent(sections[0].lines[0]), [[6, 10], [6, 10]]);
});

test("keypoints with their skeleton", async () => {
  const { shapes, sections } = await sectionsOf("keypoints", "spine", { axis: 0, at: 2 });
  assert.deepEqual([shapes[0].kind, shapes[0].edges, shapes[0].hidden], ["points", [[0, 1]], [1]]);
  assert.deepEqual(sections[0].points, [[4, 4]]);
});

test("contours, one of them a hole", async () => {
  const { sections } = await sectionsOf("contours", "outline", { axis: 0, at: 4 });
  assert.deepEqual(sections.map(({ is_hole, is_closed }) => [is_hole, is_closed]), [[false, true], [true, true]]);
  assert.deepEqual(extent(sections[0].lines[0]), [[2, 12], [2, 12]]);
});

test("instances give their boxes", async () => {
  const { shapes } = await sectionsOf("instances", "lesions", { axis: 0, at: 2 });
  assert.deepEqual(shapes.map(({ instance_id }) => instance_id), [10, 11]);
});
