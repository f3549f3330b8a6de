/** What the page and its workers say to each other. Messages are narrowed here and nowhere else. */

import type { ClassMasks, CohortEntry, CollectionSummary, IndexSummary, Json, Metadata, PlaneRequest, Report, SampleSummary, Section, Shape, TreeNode, ValidateOptions, Values, Verification } from "medh5-lite";

/** A file as it travels to a worker. Blobs are handles: their bytes stay on disk. */
export interface FileInput {
  readonly name: string;
  readonly data: Blob | string;
  /** The person agreed that a file behind a link is downloaded in whole, because its server cannot send parts. */
  readonly isWholeWanted?: boolean;
}

/** What can be asked of a worker about a file, and what comes back. */
export interface Calls {
  validate: { args: ValidateOptions; result: { report: Report; seconds: number } };
  summary: { args: Record<string, never>; result: SampleSummary | CollectionSummary };
  meta: { args: Record<string, never>; result: Metadata };
  tree: { args: Record<string, never>; result: TreeNode };
  index: { args: Record<string, never>; result: IndexSummary[] };
  clinical: { args: Record<string, never>; result: Json };
  verify: { args: Record<string, never>; result: Verification };
  draw: { args: { annotation: string; classId: number; seed: number }; result: number[] | undefined };
  slice: { args: PlaneRequest; result: Values };
  masks: { args: { annotation: string; start: number[]; shape: number[] }; result: ClassMasks };
  ignored: { args: { annotation: string; start: number[]; shape: number[] }; result: Uint8Array | undefined };
  shapes: { args: { annotation: string; image: string }; result: Shape[] };
  sections: { args: { annotation: string; image: string; axis: number; at: number }; result: Section[] };
  survey: { args: Record<string, never>; result: CohortEntry[] };
  region: { args: { path: string }; result: Values };
}

export type Method = keyof Calls;

/** One call. `key` names the sample of a collection. */
export interface CallMessage {
  readonly id: number;
  readonly file: FileInput;
  readonly key: string | undefined;
  readonly method: Method;
  readonly args: unknown;
}

/** The first message to a worker. */
export interface StartMessage {
  readonly wasm: WebAssembly.Module;
}

/** What a worker answers. */
export type Answer =
  | { readonly id: number; readonly kind: "progress"; readonly bytes: number }
  | { readonly id: number; readonly kind: "done"; readonly value: unknown; readonly bytesRead: number; readonly requests: number }
  | { readonly id: number; readonly kind: "failed"; readonly error: WireError };

/** An error as it travels. */
export interface WireError {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  readonly location?: string | undefined;
  readonly offset?: number | undefined;
}

/** Whether a message is an answer of ours; anything else is ignored. */
export function isAnswer(data: unknown): data is Answer {
  return typeof data === "object" && data !== null && "id" in data && "kind" in data;
}
