/** Many files against one another: each is surveyed, then all are compared. */

import { CoreAudit, asError, init, instanceNumber } from "./core.js";
import { Medh5Error, aborted } from "./error.js";
import { open, type OpenOptions, type Source } from "./file.js";
import type { CohortAudit, CohortEntry } from "./types.js";

/** One file of a cohort. */
export interface AuditInput {
  /** What the audit calls it. */
  name: string;
  source: Source;
}

export interface AuditOptions extends Omit<OpenOptions, "name"> {
  signal?: AbortSignal | undefined;
}

/** What became of one file, as soon as it is known. */
export interface AuditEvent {
  name: string;
  /** Files surveyed so far. */
  filesDone: number;
  entries: CohortEntry[];
}

/** A form of the report: the command line's `audit --report`. */
export type AuditForm = "json" | "csv" | "samples" | "html";

/** An audit that is under way: iterate over it to the end, or until enough is known, then ask for the answers. */
export class AuditRun implements AsyncIterable<AuditEvent> {
  private held: { readonly core: CoreAudit; readonly instance: number } | undefined;
  private readonly parts: string[] = [];
  private filesDone = 0;

  constructor(
    private readonly inputs: Iterable<AuditInput> | AsyncIterable<AuditInput>,
    private readonly options: AuditOptions = {},
  ) {}

  async *[Symbol.asyncIterator](): AsyncIterator<AuditEvent> {
    for await (const { name, source } of this.inputs) {
      if (this.options.signal?.aborted) throw aborted(this.options.signal);
      const entries = await this.survey(name, source);
      this.filesDone += 1;
      yield { name, filesDone: this.filesDone, entries };
    }
  }

  /** Entries that were surveyed elsewhere, such as in a worker. */
  async add(entries: readonly CohortEntry[]): Promise<void> {
    const part = JSON.stringify(entries);
    const core = await this.core();
    try {
      core.add(part);
      this.parts.push(part);
    } catch (thrown) {
      throw asError(thrown);
    }
  }

  /** The answers on all files that were surveyed so far; those that are not left out files that could not be opened. */
  async summary(): Promise<CohortAudit> {
    return JSON.parse(await this.report("json")) as CohortAudit;
  }

  /** The same as the command line writes it. */
  async report(form: AuditForm): Promise<string> {
    const core = await this.core();
    try {
      return core.report(form);
    } catch (thrown) {
      throw asError(thrown);
    }
  }

  /** Gives the memory back. */
  close(): Promise<void> {
    if (this.held?.instance === instanceNumber()) this.held.core.free();
    this.held = undefined;
    return Promise.resolve();
  }

  /** The audit in the module; made anew when a file's trap took the instance that knew it. */
  private async core(): Promise<CoreAudit> {
    await init();
    if (this.held?.instance !== instanceNumber()) {
      const core = new CoreAudit();
      for (const part of this.parts) core.add(part);
      this.held = { core, instance: instanceNumber() };
    }
    return this.held.core;
  }

  /** A file that cannot be opened stays in the audit, with the reason. */
  private async survey(name: string, source: Source): Promise<CohortEntry[]> {
    let entries: CohortEntry[];
    try {
      const file = await open(source, { ...this.options, name });
      try {
        entries = await file.survey({ signal: this.options.signal });
      } finally {
        file.close();
      }
    } catch (thrown) {
      const error = asError(thrown);
      if (error.class === "aborted") throw error;
      entries = [{ path: name, is_open: false, problems: [{ location: "/", message: error.message }] }];
    }
    await this.add(entries);
    return entries;
  }
}

/** Compares files with one another, by metadata and sampling indexes. */
export function audit(inputs: Iterable<AuditInput> | AsyncIterable<AuditInput>, options: AuditOptions = {}): AuditRun {
  if (inputs === null || typeof inputs !== "object") {
    throw new Medh5Error({ class: "request", code: "LITE_REQUEST", message: "An audit needs a list of { name, source }." });
  }
  return new AuditRun(inputs, options);
}
