/** Cells of the clinical tables for people: times as days from the baseline, ends of links by kind and name. No DOM. */

import type { Json } from "medh5-lite";

const DAY = 86_400_000_000;
const MINUTE = 60_000_000;

/** The columns of a table that say something in some row. */
export function columnsOf(rows: readonly { readonly [name: string]: Json }[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.filter((name) => name !== "row" && rows.some((row) => cellText(row[name] ?? null) !== ""));
}

/** One cell; nothing for what is not known. */
export function cellText(value: Json): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(cellText).join(", ");
  const { lo, hi, endpoint_type: kind, id } = value;
  if ("lo" in value && "hi" in value) return intervalText(lo ?? null, hi ?? null);
  if (typeof kind === "string") return `${kind} ${cellText(id ?? null)}`;
  return JSON.stringify(value);
}

function intervalText(lo: Json, hi: Json): string {
  if (lo === null && hi === null) return "";
  if (lo === hi) return momentText(lo);
  return `${lo === null ? "?" : momentText(lo)} to ${hi === null ? "?" : momentText(hi)}`;
}

/** Microseconds from the baseline as `day 90 01:00`; midnight is left out. */
function momentText(at: Json): string {
  if (typeof at !== "number") return String(at);
  const day = Math.floor(at / DAY);
  const minutes = Math.floor((at - day * DAY) / MINUTE);
  const two = (count: number): string => String(count).padStart(2, "0");
  const time = minutes === 0 ? "" : ` ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `day ${day < 0 ? `−${-day}` : day}${time}`;
}
