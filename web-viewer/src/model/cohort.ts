/** The audit as the page shows it: words, and which files a number stands for. Numbers and text only, no DOM. */

import type { CohortAudit, CohortCell, CohortCheck, CohortColumn, CohortLabelDifference } from "medh5-lite";

/** Files that a number stands for. */
export interface Selected {
  readonly title: string;
  readonly samples: readonly number[];
}

/** The word for a check's outcome, and the mark that goes with it; neither depends on colour. */
export function wordOf({ outcome, weight }: CohortCheck): { readonly word: string; readonly mark: string; readonly tone: "failed" | "warnings" | "passed" | "faint" } {
  if (outcome === "clean") return { word: "nothing found", mark: "✓", tone: "passed" };
  if (outcome === "not-applicable") return { word: "not applicable", mark: "–", tone: "faint" };
  if (weight === "error") return { word: "error", mark: "✕", tone: "failed" };
  return weight === "warning" ? { word: "warning", mark: "!", tone: "warnings" } : { word: "note", mark: "i", tone: "faint" };
}

/** The verdict in words. Files that could not be read, or were not looked at, never leave it green. */
export function verdictOf(audit: CohortAudit, missing: number): { readonly word: "passed" | "failed" | "incomplete"; readonly sentence: string } {
  const { samples, unreadable } = audit.totals;
  const found = (weight: string): number => audit.checks.filter((check) => check.outcome === "found" && check.weight === weight).length;
  const counts = `${found("error")} checks with errors, ${found("warning")} with warnings`;
  if (missing > 0) return { word: "incomplete", sentence: `Stopped: ${missing} files were not looked at and are in no answer. ${counts}.` };
  if (unreadable > 0) return { word: "incomplete", sentence: `Incomplete: ${unreadable} of ${samples} samples could not be read. ${counts}.` };
  return { word: found("error") > 0 ? "failed" : "passed", sentence: `${found("error") > 0 ? "Errors found" : "No error found"} among ${samples} samples: ${counts}.` };
}

/** All samples that a check names, each once. */
export function samplesOf(check: CohortCheck): number[] {
  return [...new Set((check.groups ?? []).flatMap(({ samples }) => samples))].sort((a, b) => a - b);
}

export function columnName({ site_id, set_id, partition }: CohortColumn): string {
  return `${site_id ?? "no site"}, ${set_id === null || partition === null ? "no split" : `${partition} of ${set_id}`}`;
}

/** The numbers of a cell, each with the files behind it; nothing where no annotation names the class. */
export function cellParts(cell: CohortCell): { readonly word: string; readonly samples: readonly number[] }[] {
  const absent = cell.examined.filter((place) => !cell.present.includes(place) && !cell.unknown.includes(place));
  const notExamined = cell.declared.filter((place) => !cell.examined.includes(place));
  return [
    { word: "examined", samples: cell.examined },
    { word: "present", samples: cell.present },
    { word: "absent", samples: absent },
    { word: "not told", samples: cell.unknown },
    { word: "not examined", samples: notExamined },
  ].filter(({ samples }) => samples.length > 0);
}

/** The changes between two label sets, a line each. */
export function changesOf({ added, removed, renamed, redefined, recolored, moved }: CohortLabelDifference): string[] {
  const lines = [
    ...added.map(({ id, key }) => `added: ${id} ${key}`),
    ...removed.map(({ id, key }) => `removed: ${id} ${key}`),
    ...renamed.map((one) => `renamed: ${one.id} ${one.to_key} from “${one.from_name}” to “${one.to_name}”`),
    ...redefined.map((one) => `another meaning: ${one.id} from ${one.from_key} to ${one.to_key}`),
    ...recolored.map(({ id, key }) => `another colour: ${id} ${key}`),
    ...moved.map((one) => `another id: ${one.key} from ${one.from_id} to ${one.to_id}`),
  ];
  return lines.length > 0 ? lines : ["the same classes; names of the set, codes or relations differ"];
}

/** The file and, in a collection, the key of a sample's path. */
export function splitPath(path: string): { readonly file: string; readonly key: string | undefined } {
  const at = path.lastIndexOf("::");
  return at < 0 ? { file: path, key: undefined } : { file: path.slice(0, at), key: path.slice(at + 2) };
}
