/** MEDH5 in browsers and Node: open, inspect and validate files without uploading anything. */

import { init, texts, asError } from "./core.js";
import { open, type OpenOptions, type Source, type ValidateCallOptions } from "./file.js";
import type { CodeInfo, Report, Version } from "./types.js";

export { init, type WasmInput } from "./core.js";
export { Medh5Error, type ErrorClass } from "./error.js";
export { audit, AuditRun, type AuditEvent, type AuditForm, type AuditInput, type AuditOptions } from "./audit.js";
export { Medh5File, open, type CallOptions, type LongCallOptions, type OpenOptions, type PlaneRequest, type Source, type ValidateCallOptions } from "./file.js";
export { refusedReport, writeReport, type Judged, type ReportForm, type ReportOptions } from "./report.js";
export type { HttpOptions } from "./http.js";
export type { RangeSource, Sliceable } from "./source.js";
export * from "./types.js";

/** Opens, validates and closes a file. */
export async function validate(source: Source, options: OpenOptions & ValidateCallOptions = {}): Promise<Report> {
  const file = await open(source, options);
  try {
    return await file.validate(options);
  } finally {
    file.close();
  }
}

/** The table of diagnostic codes. */
export async function codes(): Promise<CodeInfo[]> {
  await init();
  return JSON.parse(texts.codes()) as CodeInfo[];
}

/** The page of a code, as Markdown. */
export async function explain(code: string): Promise<string> {
  await init();
  try {
    return texts.explain(code);
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** The versions that decide what a report says. */
export async function version(): Promise<Version> {
  await init();
  return JSON.parse(texts.version()) as Version;
}
