/** Loads the WebAssembly module once; every public call waits for it. */

import initialise, { __wbg_reset_state as resetState, CoreAudit, CoreFile, CoreReport, codes, explain, refusedReport, version, type InitInput } from "./generated/medh5_lite_wasm.js";
import { Medh5Error, type ErrorClass } from "./error.js";

export { CoreAudit, CoreFile, CoreReport };

/** Where the module is: a URL, a response, its bytes, or the compiled module. */
export type WasmInput = InitInput | Promise<InitInput>;

let loading: Promise<void> | undefined;

/** Loads the module from `wasm`, or from beside this script. Only needed to choose where from. */
export function init(wasm?: WasmInput): Promise<void> {
  loading ??= load(wasm).catch((cause: unknown) => {
    loading = undefined;
    throw new Medh5Error({
      class: "internal",
      code: "LITE_WASM",
      message: "The WebAssembly module could not be loaded. Self-hosters pass its address to init().",
      cause,
    });
  });
  return loading;
}

async function load(wasm: WasmInput | undefined): Promise<void> {
  await initialise({ module_or_path: wasm ?? (await beside()) });
}

/** Node has no fetch for files. */
async function beside(): Promise<InitInput> {
  const url = new URL("./medh5_lite_wasm_bg.wasm", import.meta.url);
  if (url.protocol !== "file:" || typeof process === "undefined") return url;
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

let instance = 0;

/** Which instance of the module is in use. What an earlier one made is gone with its memory. */
export function instanceNumber(): number {
  return instance;
}

export const texts = { codes, explain, refusedReport, version };

interface Thrown {
  class: string;
  code: string;
  message: string;
  location?: string;
  offset?: number;
  ranges?: number[];
}

/** The ranges that a call still needs: pairs of start and end. */
export function missingRanges(thrown: unknown): number[] | undefined {
  return isThrown(thrown) && thrown.class === "not-resident" ? thrown.ranges : undefined;
}

/** Whether a call ended early so that others get their turn; it is to be repeated. */
export function isPaused(thrown: unknown): boolean {
  return isThrown(thrown) && thrown.class === "paused";
}

/** What the core threw, as an error of this package. A trap leaves the instance unusable: another takes its place. */
export function asError(thrown: unknown): Medh5Error {
  if (thrown instanceof Medh5Error) return thrown;
  if (isThrown(thrown)) {
    return new Medh5Error({ ...thrown, class: thrown.class as ErrorClass });
  }
  if (isTrap(thrown)) {
    instance += 1;
    resetState();
  }
  return new Medh5Error({
    class: "internal",
    code: "LITE_TRAP",
    message: "The reader stopped unexpectedly, probably for lack of memory. Other files are not affected.",
    cause: thrown,
  });
}

/** Firefox has its own name for a stack that is used up. */
function isTrap(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError || (thrown instanceof Error && thrown.name === "InternalError");
}

function isThrown(thrown: unknown): thrown is Thrown {
  return typeof thrown === "object" && thrown !== null && "class" in thrown && "code" in thrown && !(thrown instanceof Error);
}
