/** Reports to take away, as the command line writes them. */

import { CoreReport, asError, init, texts } from "./core.js";
import type { Level, Report } from "./types.js";

/** A form of report: the command line's `validate --format`. */
export type ReportForm = "json" | "jsonl" | "audit" | "sarif" | "junit" | "github" | "csv" | "markdown" | "html";

/** One file of a report, in the order of the report. */
export interface Judged {
  report: Report;
  byteLength?: number | undefined;
  /** BLAKE3 of its bytes, as `blake3:HEX`. */
  fingerprint?: string | undefined;
}

export interface ReportOptions {
  /** Files that were to be judged, if some were not. */
  expected?: number | undefined;
  /** How many findings of one code the forms for people list per file before the rest becomes a count; 0 lists all. */
  maxFindings?: number | undefined;
}

/** The command line's own choice. */
const MAX_FINDINGS = 20;

/** Writes a report in parts: together they are its text, and a Blob takes them as they are. */
export async function writeReport(form: ReportForm, files: readonly Judged[], options: ReportOptions = {}): Promise<string[]> {
  await init();
  try {
    const core = new CoreReport(form, options.expected ?? files.length, options.maxFindings ?? MAX_FINDINGS);
    try {
      const parts = files.map(({ report, byteLength = 0, fingerprint }) => core.add(JSON.stringify([report]), byteLength, suppressedOf(report), fingerprint));
      return [...parts, core.finish()];
    } finally {
      core.free();
    }
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** The report on a file that could not be validated at all. */
export async function refusedReport(path: string, level: Level, reason: string): Promise<Report> {
  await init();
  try {
    const [report] = JSON.parse(texts.refusedReport(path, level, reason)) as [Report];
    return report;
  } catch (thrown) {
    throw asError(thrown);
  }
}

function suppressedOf({ diagnostics }: Report): Uint8Array | undefined {
  if (!diagnostics.some(({ suppressed }) => suppressed)) return undefined;
  return Uint8Array.from(diagnostics, ({ suppressed }) => (suppressed ? 1 : 0));
}
