/** Errors of the package: one class, with what is needed to act on it. */

/** Whose fault a failure is. */
export type ErrorClass = "malformed" | "unsupported" | "limit" | "source" | "request" | "aborted" | "internal";

/** What an error is made of. */
export interface ErrorParts {
  class: ErrorClass;
  /** A diagnostic code of the format, or `LITE_...` for what only this package knows. */
  code: string;
  /** One sentence for a person. */
  message: string;
  /** The object in the file, if one was being read. */
  location?: string | undefined;
  /** Offset in the file, in bytes, where the structure shows what is wrong. */
  offset?: number | undefined;
  cause?: unknown;
}

/** Every failure of this package. */
export class Medh5Error extends Error {
  readonly class: ErrorClass;
  readonly code: string;
  readonly location: string | undefined;
  readonly offset: number | undefined;

  constructor(parts: ErrorParts) {
    super(parts.message, { cause: parts.cause });
    this.name = "Medh5Error";
    this.class = parts.class;
    this.code = parts.code;
    this.location = parts.location;
    this.offset = parts.offset;
  }
}

/** The error of a call that its caller gave up. `reason` may be anything. */
export function aborted(signal: AbortSignal): Medh5Error {
  return new Medh5Error({ class: "aborted", code: "LITE_ABORTED", message: "Stopped on request.", cause: signal.reason });
}
