/** From values to grey: windows, presets, and the lookup that paints a plane. Numbers only, no DOM. */

/** A display window in the image's physical values. */
export interface DisplayWindow {
  readonly center: number;
  readonly width: number;
}

/** A named window. */
export interface Preset extends DisplayWindow {
  readonly name: string;
  /** Dark is high, as for PET. */
  readonly inverted?: boolean;
}

/** Windows that radiologists know by name, in Hounsfield units; their place is their number key. */
export const CT_PRESETS: readonly Preset[] = [
  { name: "soft tissue", center: 50, width: 400 },
  { name: "lung", center: -600, width: 1500 },
  { name: "bone", center: 480, width: 2500 },
  { name: "brain", center: 40, width: 80 },
  { name: "subdural", center: 75, width: 215 },
  { name: "liver", center: 60, width: 150 },
  { name: "angiography", center: 300, width: 600 },
];

/** How stored values become physical ones. */
export interface Rescale {
  readonly slope: number;
  readonly intercept: number;
}

/** The window between two percentiles of the finite values; outliers and padding do not stretch it. */
export function robustWindow(values: ArrayLike<number>, rescale: Rescale, low = 0.005, high = 0.995): DisplayWindow {
  const finite = Float64Array.from(sample(values, 65_536)).filter(Number.isFinite).sort();
  if (finite.length === 0) return { center: 0, width: 1 };
  const at = (part: number): number => (finite[Math.round(part * (finite.length - 1))] ?? 0) * rescale.slope + rescale.intercept;
  return between(at(low), at(high));
}

/** The window from the least to the greatest finite value. */
export function fullWindow(values: ArrayLike<number>, rescale: Rescale): DisplayWindow {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? NaN;
    if (value < least) least = value;
    if (value > greatest && value < Infinity) greatest = value;
  }
  if (!(least <= greatest) || least === -Infinity) return robustWindow(values, rescale, 0, 1);
  return between(least * rescale.slope + rescale.intercept, greatest * rescale.slope + rescale.intercept);
}

/** A constant image still needs a window of some width. */
function between(a: number, b: number): DisplayWindow {
  const width = Math.abs(b - a);
  return { center: (a + b) / 2, width: width > 0 ? width : 1 };
}

/** At most `most` values, evenly spread. */
function sample(values: ArrayLike<number>, most: number): number[] {
  const step = Math.max(1, Math.ceil(values.length / most));
  return Array.from({ length: Math.ceil(values.length / step) }, (_, i) => values[i * step] ?? NaN);
}

/** Grey levels of `values`: 0 at and below the window, 255 at and above it; values that are no numbers are 0. */
export function greyLevels(values: ArrayLike<number>, rescale: Rescale, window: DisplayWindow, inverted = false): Uint8ClampedArray {
  const width = window.width > 0 ? window.width : Number.EPSILON;
  const low = window.center - width / 2;
  const scale = (255 * rescale.slope) / width;
  const shift = (255 * (rescale.intercept - low)) / width;
  const levels = new Uint8ClampedArray(values.length);
  for (let i = 0; i < levels.length; i += 1) {
    const level = (values[i] ?? NaN) * scale + shift;
    levels[i] = inverted && !Number.isNaN(level) ? 255 - Math.min(255, Math.max(0, level)) : level;
  }
  return levels;
}

/** The window after a drag: right widens, down lowers, by a part of the window per pixel. */
export function dragged(window: DisplayWindow, dx: number, dy: number): DisplayWindow {
  const step = Math.max(window.width, 1e-12) / 200;
  return { center: window.center + dy * step, width: Math.max(window.width + dx * step, step) };
}
