/** A worker: one wasm instance that reads files for the page. */

import { init, Medh5Error, open, type Medh5File, type Values } from "medh5-lite";
import type { Answer, CallMessage, FileInput, StartMessage, WireError } from "./protocol";

declare const self: DedicatedWorkerGlobalScope;

/** The file of the last call stays open: people look at one file many times. */
let current: { input: FileInput; file: Medh5File } | undefined;
/** Requests for parts of files behind links. */
let requests = 0;

self.onmessage = ({ data }: MessageEvent<StartMessage | CallMessage>) => {
  if ("wasm" in data) void init(Promise.resolve(data.wasm));
  else void answer(data);
};

async function answer(call: CallMessage): Promise<void> {
  const { id } = call;
  try {
    requests = 0;
    const file = await fileOf(call.file);
    const before = file.bytesRead;
    const value = await run(file, call);
    send({ id, kind: "done", value, bytesRead: file.bytesRead - before, requests }, buffersOf(value));
  } catch (thrown) {
    send({ id, kind: "failed", error: wire(thrown) });
  }
}

async function fileOf(input: FileInput): Promise<Medh5File> {
  if (current && signature(current.input) === signature(input)) return current.file;
  current?.file.close();
  current = undefined;
  const file = await open(input.data, { name: input.name, confirmDownload: () => input.isWholeWanted === true, onTraffic: () => (requests += 1) });
  current = { input, file };
  return file;
}

/** A blob that comes in another message is another object; this tells whether it is the same file. */
function signature({ name, data, isWholeWanted = false }: FileInput): string {
  if (typeof data === "string") return `${String(isWholeWanted)} ${data}`;
  return JSON.stringify([name, data.size, data instanceof File ? data.lastModified : 0]);
}

async function run(file: Medh5File, { id, key, method, args }: CallMessage): Promise<unknown> {
  const options = { key, onProgress: ({ bytes }: { bytes: number }) => send({ id, kind: "progress", bytes }) };
  switch (method) {
    case "validate": {
      const start = performance.now();
      const report = await file.validate({ ...(args as object), ...options });
      return { report, seconds: (performance.now() - start) / 1000 };
    }
    case "summary":
      return file.summary({ key });
    case "meta":
      return file.meta({ key });
    case "tree":
      return file.tree();
    case "index":
      return file.index({ key });
    case "clinical":
      return file.clinical({ key });
    case "verify":
      return file.verify(options);
    case "draw": {
      const { annotation, classId, seed } = args as { annotation: string; classId: number; seed: number };
      return file.draw(annotation, classId, seed, { key });
    }
    case "slice":
      return file.slice(args as Parameters<Medh5File["slice"]>[0], { key });
    case "masks": {
      const { annotation, start, shape } = args as { annotation: string; start: number[]; shape: number[] };
      return file.masks(annotation, start, shape, { key });
    }
    case "ignored": {
      const { annotation, start, shape } = args as { annotation: string; start: number[]; shape: number[] };
      return file.ignored(annotation, start, shape, { key });
    }
    case "shapes": {
      const { annotation, image } = args as { annotation: string; image: string };
      return file.shapes(annotation, image, { key });
    }
    case "sections": {
      const { annotation, image, axis, at } = args as { annotation: string; image: string; axis: number; at: number };
      return file.sections(annotation, image, { axis, at }, { key });
    }
    case "survey":
      return file.survey();
    case "region":
      return file.readRegion((args as { path: string }).path, undefined, { key });
  }
}

/** Typed arrays move to the page instead of being copied. */
function buffersOf(value: unknown): Transferable[] {
  if (typeof value !== "object" || value === null) return [];
  const data = (value as Partial<Values>).data ?? (value as { masks?: Uint8Array }).masks;
  return ArrayBuffer.isView(data) ? [data.buffer as ArrayBuffer] : [];
}

function wire(thrown: unknown): WireError {
  if (thrown instanceof Medh5Error) {
    const { class: kind, code, message, location, offset } = thrown;
    return { class: kind, code, message, location, offset };
  }
  return { class: "internal", code: "LITE_TRAP", message: thrown instanceof Error ? thrown.message : String(thrown) };
}

function send(message: Answer, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}
