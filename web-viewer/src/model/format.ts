/** Numbers for people. */

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** `1.4 MiB`. */
export function bytes(count: number): string {
  const power = count < 1024 ? 0 : Math.min(Math.floor(Math.log2(count) / 10), UNITS.length - 1);
  const value = count / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}

/** At most `digits` significant digits, without trailing zeros. */
export function number(value: number, digits = 5): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
}

/** `14 ms`, `2.3 s`, `2 min 5 s`. */
export function seconds(value: number): string {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** `192 × 256 × 256`. */
export function extent(shape: readonly number[] | null | undefined): string {
  return shape?.join(" × ") ?? "";
}

/** One decimal place, and no negative zero. */
export function tenths(value: number): string {
  return (Math.round(value * 10) / 10 + 0).toFixed(1);
}
