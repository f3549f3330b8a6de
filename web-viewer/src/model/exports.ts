/** The table of files to take away, and reports of earlier runs. */

import type { Report } from "medh5-lite";
import { OUTCOME_WORDS, type FileRow } from "./findings";

/** Reports of an earlier run, from its JSON. */
export function fromJson(text: string): FileRow[] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new Error("This is not a report: it is no list of files.");
  return entries.map((entry: Partial<Report>) => {
    if (typeof entry.path !== "string") throw new Error("This is not a report: a file in it has no path.");
    return { name: entry.path, size: undefined, outcome: entry.ok === true ? "passed" : "failed", report: Array.isArray(entry.diagnostics) ? (entry as Report) : undefined };
  });
}

/** One row per file. */
export function filesToCsv(rows: readonly FileRow[]): string {
  const head = ["file", "verdict", "level", "errors", "warnings", "profiles", "bytes", "seconds"];
  const body = rows.map(({ name, outcome, report, size, seconds, error }) => [
    name,
    error ?? OUTCOME_WORDS[outcome],
    report?.level ?? "",
    report?.errors ?? "",
    report?.warnings ?? "",
    report?.profiles.join(" ") ?? "",
    size ?? "",
    seconds?.toFixed(3) ?? "",
  ]);
  return csv([head, ...body]);
}

/** RFC 4180. A text that a spreadsheet would run as a formula is kept a text. */
function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
