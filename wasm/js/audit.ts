/** Many files against one another: each is surveyed, then all are compared. */

import { CoreAudit, asError, init } from "./core.js";
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
  private readonly core: Promise<CoreAudit>;
  private filesDone = 0;

  constructor(
    private readonly inputs: Iterable<AuditInput> | AsyncIterable<AuditInput>,
    private readonly options: AuditOptions = {},
  ) {
    this.core = init().then(() => new CoreAudit());
  }

  async *[Symbol.asyncIterator](): AsyncIterator<AuditEvent> {
    const core = await this.core;
    for await (const { name, source } of this.inputs) {
      if (this.options.signal?.aborted) throw aborted(this.options.signal);
      const entries = await this.survey(name, source, core);
      this.filesDone += 1;
      yield { name, filesDone: this.filesDone, entries };
    }
  }

  /** Entries that were surveyed elsewhere, such as in a worker. */
  async add(entries: readonly CohortEntry[]): Promise<void> {
    const core = await this.core;
    try {
      core.add(JSON.stringify(entries));
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
    const core = await this.core;
    try {
      return core.report(form);
    } catch (thrown) {
      throw asError(thrown);
    }
  }

  /** Gives the memory back. */
  async close(): Promise<void> {
    (await this.core).free();
  }

  /** A file that cannot be opened stays in the audit, with the reason. */
  private async survey(name: string, source: Source, core: CoreAudit): Promise<CohortEntry[]> {
    try {
      const file = await open(source, { ...this.options, name });
      try {
        const entries = await file.survey({ signal: this.options.signal });
        core.add(JSON.stringify(entries));
        return entries;
      } finally {
        file.close();
      }
    } catch (thrown) {
      const error = asError(thrown);
      if (error.class === "aborted" || error.class === "internal") throw error;
      core.addUnreadable(name, error.message);
      return [];
    }
  }
}

/** Compares files with one another, by metadata and sampling indexes. */
export function audit(inputs: Iterable<AuditInput> | AsyncIterable<AuditInput>, options: AuditOptions = {}): AuditRun {
  if (inputs === null || typeof inputs !== "object") {
    throw new Medh5Error({ class: "request", code: "LITE_REQUEST", message: "An audit needs a list of { name, source }." });
  }
  return new AuditRun(inputs, options);
}
