/** Where a grid's axes point in the body, and which plane of it a screen shows. Numbers only, no DOM. */

/** What of a grid is needed to show it. Lists over spatial axes are in stored order, slowest first. */
export interface GridGeometry {
  /** Extent in voxels, spatial axes only. */
  readonly shape: readonly number[];
  /** Voxel size in `units`. */
  readonly spacing: readonly number[];
  /** World position of the centre of voxel 0. */
  readonly origin: readonly number[];
  /** `direction[world][axis]`: column `axis` is the unit world direction of that axis. */
  readonly direction: readonly (readonly number[])[];
  /** Three letters that name where each world axis points, such as `LPS`; anything else has no anatomy. */
  readonly coordSystem: string;
  readonly units: string;
}

const OPPOSITE: Readonly<Record<string, string>> = { L: "R", R: "L", P: "A", A: "P", S: "I", I: "S" };
/** The world axis of LPS on which a letter lies, and its sign there. */
const IN_LPS: Readonly<Record<string, readonly [number, number]>> = {
  L: [0, 1],
  R: [0, -1],
  P: [1, 1],
  A: [1, -1],
  S: [2, 1],
  I: [2, -1],
};

/** A position in the body, in both usual systems. */
export interface WorldPosition {
  readonly lps: readonly [number, number, number];
  readonly ras: readonly [number, number, number];
}

/** Where an axis of the array points. */
export interface AxisOrientation {
  /** The letter at its high end. */
  readonly letter: string;
  /** Degrees between the axis and that direction; 0 unless the grid is oblique. */
  readonly tilt: number;
}

/** Whether world positions of this grid are positions in a body. */
export function hasAnatomy(grid: GridGeometry): boolean {
  const letters = [...grid.coordSystem.toUpperCase()];
  const axes = letters.map((letter) => IN_LPS[letter]?.[0]);
  return grid.units !== "px" && letters.length === 3 && grid.shape.length === 3 && new Set(axes).size === 3 && !axes.includes(undefined);
}

/** World position of a continuous index. */
export function worldFromIndex(grid: GridGeometry, index: readonly number[]): number[] {
  return grid.origin.map((origin, world) => {
    const row = grid.direction[world] ?? [];
    return index.reduce((sum, i, axis) => sum + (row[axis] ?? 0) * (grid.spacing[axis] ?? 1) * i, origin);
  });
}

/** Continuous index of a world position. `direction` is orthonormal, so its transpose inverts it. */
export function indexFromWorld(grid: GridGeometry, world: readonly number[]): number[] {
  return grid.spacing.map((spacing, axis) => {
    const along = grid.origin.reduce((sum, origin, w) => sum + (grid.direction[w]?.[axis] ?? 0) * ((world[w] ?? 0) - origin), 0);
    return along / spacing;
  });
}

/** The unit direction of a stored axis, in LPS. */
function axisInLps(grid: GridGeometry, axis: number): [number, number, number] {
  const found: [number, number, number] = [0, 0, 0];
  [...grid.coordSystem.toUpperCase()].forEach((letter, world) => {
    const place = IN_LPS[letter];
    if (place) found[place[0] as 0 | 1 | 2] += place[1] * (grid.direction[world]?.[axis] ?? 0);
  });
  return found;
}

/** The position in both systems; `undefined` for a grid without anatomy. */
export function positionOf(grid: GridGeometry, index: readonly number[]): WorldPosition | undefined {
  if (!hasAnatomy(grid)) return undefined;
  const world = worldFromIndex(grid, index);
  const lps: [number, number, number] = [0, 0, 0];
  [...grid.coordSystem.toUpperCase()].forEach((letter, axis) => {
    const place = IN_LPS[letter];
    // Adding 0 keeps a negative zero from the screen.
    if (place) lps[place[0] as 0 | 1 | 2] = place[1] * (world[axis] ?? 0) + 0;
  });
  return { lps, ras: [0 - lps[0], 0 - lps[1], lps[2]] };
}

/** Where each stored axis points; `undefined` for a grid without anatomy. */
export function orientationOf(grid: GridGeometry): AxisOrientation[] | undefined {
  if (!hasAnatomy(grid)) return undefined;
  const directions = grid.shape.map((_, axis) => axisInLps(grid, axis));
  return assignBodyAxes(directions).map((body, axis) => {
    const component = directions[axis]?.[body] ?? 0;
    const letter = "LPS"[body] ?? "?";
    const tilt = (Math.acos(Math.min(1, Math.abs(component))) * 180) / Math.PI;
    return { letter: component < 0 ? (OPPOSITE[letter] ?? "?") : letter, tilt: tilt < 0.01 ? 0 : tilt };
  });
}

/** Which body axis (0 left, 1 posterior, 2 superior) each stored axis lies along: the assignment with the largest sum. */
function assignBodyAxes(directions: readonly (readonly number[])[]): number[] {
  const permutations = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const score = (order: readonly number[]): number => order.reduce((sum, body, axis) => sum + Math.abs(directions[axis]?.[body] ?? 0), 0);
  return permutations.reduce((best, order) => (score(order) > score(best) + 1e-9 ? order : best));
}

/** The three anatomical planes, by the body axis they cut. */
export type PlaneName = "sagittal" | "coronal" | "axial";
const PLANES: readonly PlaneName[] = ["sagittal", "coronal", "axial"];

/** How one plane of the array lies on the screen. */
export interface PlaneView {
  /** The anatomical plane, or the cut axis for a grid without anatomy. */
  readonly name: PlaneName | `axis ${number}`;
  /** The stored axis that is cut. */
  readonly cut: number;
  /** The stored axis that runs across the screen, and whether it runs right to left. */
  readonly across: number;
  readonly acrossReversed: boolean;
  /** The stored axis that runs down the screen, and whether it runs bottom to top. */
  readonly down: number;
  readonly downReversed: boolean;
  /** Letters at the four edges; `undefined` for a grid without anatomy. */
  readonly letters: { readonly left: string; readonly right: string; readonly top: string; readonly bottom: string } | undefined;
}

/** Which way round people expect a plane. */
export interface DisplayConvention {
  /** Radiological: the patient's right is on the left of the screen. */
  readonly radiological: boolean;
  /** In sagittal planes, the nose points to the left of the screen. */
  readonly noseLeft: boolean;
}

/** The view of the plane that cuts stored axis `cut`. */
export function viewOfPlane(grid: GridGeometry, cut: number, convention: DisplayConvention): PlaneView {
  const others = grid.shape.map((_, axis) => axis).filter((axis) => axis !== cut || grid.shape.length === 2);
  const orientation = orientationOf(grid);
  const [first = 0, second = 0] = others;
  if (!orientation) {
    return { name: `axis ${cut}`, cut, across: second, acrossReversed: false, down: first, downReversed: false, letters: undefined };
  }
  const body = orientation.map(({ letter }) => IN_LPS[letter]?.[0] ?? 0);
  const name = PLANES[body[cut] ?? 2] ?? "axial";
  // Down the screen goes posterior in axial planes and inferior in the others.
  const downBody = name === "axial" ? 1 : 2;
  const down = body[first] === downBody ? first : second;
  const across = down === first ? second : first;
  const wantedRight = name === "sagittal" ? (convention.noseLeft ? "P" : "A") : convention.radiological ? "L" : "R";
  const wantedBottom = name === "axial" ? "P" : "I";
  const right = orientation[across]?.letter ?? "?";
  const bottom = orientation[down]?.letter ?? "?";
  return {
    name,
    cut,
    across,
    acrossReversed: right !== wantedRight,
    down,
    downReversed: bottom !== wantedBottom,
    letters: { left: OPPOSITE[wantedRight] ?? "?", right: wantedRight, top: OPPOSITE[wantedBottom] ?? "?", bottom: wantedBottom },
  };
}

/** The stored axis that each anatomical plane cuts; in stored order for a grid without anatomy. */
export function cutAxes(grid: GridGeometry): number[] {
  const orientation = orientationOf(grid);
  if (!orientation) return grid.shape.length === 3 ? [0, 1, 2] : [];
  const body = orientation.map(({ letter }) => IN_LPS[letter]?.[0] ?? 0);
  return [2, 1, 0].map((wanted) => body.indexOf(wanted));
}

/** The voxel index under a screen position, both continuous; `at` is the position on the cut axis. */
export function indexFromScreen(grid: GridGeometry, view: PlaneView, at: number, x: number, y: number): number[] {
  const index = grid.shape.map(() => at);
  const extent = (axis: number): number => grid.shape[axis] ?? 1;
  index[view.across] = view.acrossReversed ? extent(view.across) - 1 - x : x;
  index[view.down] = view.downReversed ? extent(view.down) - 1 - y : y;
  return index;
}

/** The largest tilt of the grid against the body, in degrees. */
export function obliqueness(grid: GridGeometry): number {
  return Math.max(0, ...(orientationOf(grid) ?? []).map(({ tilt }) => tilt));
}
