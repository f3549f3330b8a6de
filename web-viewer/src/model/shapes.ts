/** Shapes over a plane: where their points lie on the screen, and which level of a pyramid fits it. Numbers only, no DOM. */

import type { GridGeometry, PlaneView } from "./orientation";

/** The two stored axes of a plane, in stored order. */
export function axesOfPlane(geometry: GridGeometry, cut: number): readonly [row: number, column: number] {
  const [row = 0, column = 1] = geometry.shape.map((_, axis) => axis).filter((axis) => geometry.shape.length < 3 || axis !== cut);
  return [row, column];
}

/** Where a point of a plane is on the screen, as parts of its width and height. `point` is row and column in continuous voxel indices. */
export function screenPoint(geometry: GridGeometry, view: PlaneView, point: readonly [number, number]): readonly [x: number, y: number] {
  const [row] = axesOfPlane(geometry, view.cut);
  const part = (axis: number, reversed: boolean): number => {
    // Voxel centres are whole numbers, so that the first voxel reaches from -0.5 to 0.5.
    const at = ((axis === row ? point[0] : point[1]) + 0.5) / (geometry.shape[axis] ?? 1);
    return reversed ? 1 - at : at;
  };
  return [part(view.across, view.acrossReversed), part(view.down, view.downReversed)];
}

/** The place of a voxel of the finest level in another one, by the extents of both. */
export function placeInLevel(at: number, finest: number, extent: number): number {
  return Math.min(extent - 1, Math.max(0, Math.floor(((at + 0.5) * extent) / Math.max(1, finest))));
}

/** The coarsest level that still has a voxel for every pixel; extents are of the spatial axes, finest level first. */
export function levelForScreen(levels: readonly (readonly number[])[], view: PlaneView, width: number, height: number): number {
  for (let level = levels.length - 1; level > 0; level -= 1) {
    const shape = levels[level];
    if (shape && (shape[view.across] ?? 0) >= width && (shape[view.down] ?? 0) >= height) return level;
  }
  return 0;
}
