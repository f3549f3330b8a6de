/** Reports as rows: sorted, filtered, grouped, exported. Numbers and text only, no DOM. */

import type { Diagnostic, Level, Report } from "medh5-lite";

/** What became of a file. */
export type Outcome = "waiting" | "running" | "passed" | "warnings" | "failed" | "unreadable" | "stopped";

/** One file of the list. */
export interface FileRow {
  readonly name: string;
  readonly size: number | undefined;
  readonly outcome: Outcome;
  readonly report?: Report | undefined;
  /** Why it could not be validated at all. */
  readonly error?: string | undefined;
  readonly seconds?: number | undefined;
}

/** What a verdict is called on screen. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  waiting: "waiting",
  running: "checking…",
  passed: "passed",
  warnings: "passed with warnings",
  failed: "failed",
  unreadable: "unreadable",
  stopped: "not checked (stopped)",
};

/** The outcome that a report stands for. */
export function outcomeOf(report: Report): Outcome {
  const isRefused = report.checked.rules === undefined && report.checked.samples === undefined;
  if (isRefused) return "unreadable";
  if (!report.ok) return "failed";
  return report.warnings > 0 ? "warnings" : "passed";
}

/** How many files have which outcome, and how many findings there are. */
export interface Totals {
  readonly files: number;
  readonly byOutcome: Readonly<Record<Outcome, number>>;
  readonly errors: number;
  readonly warnings: number;
}

export function totalsOf(rows: readonly FileRow[]): Totals {
  const byOutcome: Record<Outcome, number> = { waiting: 0, running: 0, passed: 0, warnings: 0, failed: 0, unreadable: 0, stopped: 0 };
  let [errors, warnings] = [0, 0];
  for (const row of rows) {
    byOutcome[row.outcome] += 1;
    errors += row.report?.errors ?? 0;
    warnings += row.report?.warnings ?? 0;
  }
  return { files: rows.length, byOutcome, errors, warnings };
}

/** The verdict in words. A run that was stopped, or that left a file out, never passes. */
export function verdictOf(totals: Totals, level: Level): { readonly word: "passed" | "failed" | "incomplete" | "running" | "nothing"; readonly sentence: string } {
  const { files, byOutcome: by } = totals;
  if (files === 0) return { word: "nothing", sentence: "No file was checked." };
  const open = by.waiting + by.running;
  if (open > 0) return { word: "running", sentence: `${files - open} of ${files} files checked so far.` };
  const counts = `${files} ${files === 1 ? "file" : "files"}: ${by.passed + by.warnings} passed, ${by.failed} failed, ${by.unreadable} unreadable`;
  if (by.stopped > 0) return { word: "incomplete", sentence: `Stopped: ${by.stopped} of ${files} files were not checked. ${counts}.` };
  const word = by.failed > 0 ? "failed" : by.unreadable > 0 ? "incomplete" : "passed";
  const head = { failed: "Failed", incomplete: "Incomplete", passed: "Passed" }[word];
  return { word, sentence: `${head} at level ${level}. ${counts}; ${totals.errors} errors, ${totals.warnings} warnings.` };
}

/** What each level leaves unchecked, in words. */
export const NOT_CHECKED: Readonly<Record<Level, string>> = {
  structural: "Not checked at this level: references between objects, transforms, clinical records, digests.",
  semantic: "Not checked at this level: digests and content_id, so changed data would not show.",
  integrity: "Everything was checked; warnings do not fail a file.",
  strict: "Everything was checked, and warnings count as errors.",
};

/** A finding with its file. */
export interface FindingRow extends Diagnostic {
  readonly file: string;
}

/** The findings of each report, made once: reports come in while lists of 100,000 are shown. */
const known = new WeakMap<Report, readonly FindingRow[]>();

/** All findings, in the order of the files. */
export function findingsOf(rows: readonly FileRow[]): FindingRow[] {
  return rows.flatMap(({ name, report }) => {
    if (!report) return [];
    let found = known.get(report);
    if (!found) known.set(report, (found = report.diagnostics.map((one) => ({ file: name, ...one }))));
    return found;
  });
}

/** What to show. */
export interface Filter {
  /** Part of a file name, location or message; case does not matter. */
  readonly text: string;
  /** Beginning of a code, such as `E1`. */
  readonly code: string;
  readonly severity: "all" | "error" | "warning";
}

export function matches(found: FindingRow, filter: Filter): boolean {
  if (filter.severity !== "all" && found.severity !== filter.severity) return false;
  if (!found.code.startsWith(filter.code.trim().toUpperCase())) return false;
  const text = filter.text.trim().toLowerCase();
  return text === "" || [found.file, found.location, found.message].some((part) => part.toLowerCase().includes(text));
}

/** Findings of one code or one file. */
export interface Group {
  readonly key: string;
  readonly findings: readonly FindingRow[];
  /** Number of different files. */
  readonly files: number;
}

export function grouped(findings: readonly FindingRow[], by: "code" | "file"): Group[] {
  const groups = new Map<string, FindingRow[]>();
  for (const found of findings) {
    const list = groups.get(found[by]);
    if (list) list.push(found);
    else groups.set(found[by], [found]);
  }
  const all = [...groups].map(([key, list]) => ({ key, findings: list, files: new Set(list.map(({ file }) => file)).size }));
  return by === "code" ? all.sort((a, b) => (a.key < b.key ? -1 : 1)) : all;
}

/** What changed against an earlier report. */
export interface Change {
  readonly added: readonly FindingRow[];
  /** Of files that were checked again; named as the earlier report names them. */
  readonly fixed: readonly FindingRow[];
  readonly unchanged: readonly FindingRow[];
  /** Files of the earlier report that were not checked now, so that nothing is known of their findings. */
  readonly missing: readonly string[];
}

/** Compares two reports by file, code and location. Files are the same when their paths below the folder of all files are. */
export function compared(now: readonly FileRow[], earlier: readonly FileRow[]): Change {
  const [nameNow, nameThen] = [shortNames(now), shortNames(earlier)];
  const keys = (rows: readonly FileRow[], nameOf: (name: string) => string): (readonly [string, FindingRow])[] =>
    findingsOf(rows).map((found) => [JSON.stringify([nameOf(found.file), found.code, found.location]), found]);
  const [after, before] = [keys(now, nameNow), keys(earlier, nameThen)];
  const [keysAfter, keysBefore] = [new Set(after.map(([key]) => key)), new Set(before.map(([key]) => key))];
  const judged = new Set(now.filter(({ report }) => report).map(({ name }) => nameNow(name)));
  const of = (entries: readonly (readonly [string, FindingRow])[], keep: (key: string) => boolean): FindingRow[] => entries.filter(([key]) => keep(key)).map(([, found]) => found);
  return {
    added: of(after, (key) => !keysBefore.has(key)),
    fixed: of(before, (key) => !keysAfter.has(key)).filter(({ file }) => judged.has(nameThen(file))),
    unchanged: of(after, (key) => keysBefore.has(key)),
    missing: earlier.map(({ name }) => name).filter((name) => !judged.has(nameThen(name))),
  };
}

/** Paths without the folders that all of them share: reports are made in different places. */
function shortNames(rows: readonly FileRow[]): (name: string) => string {
  const folders = rows.map(({ name }) => name.split("/").slice(0, -1));
  const [first = [], ...others] = folders;
  const shared = others.reduce((length, folder) => {
    const differs = first.slice(0, length).findIndex((part, at) => part !== folder[at]);
    return differs < 0 ? Math.min(length, folder.length) : differs;
  }, first.length);
  return (name) => name.split("/").slice(shared).join("/");
}
