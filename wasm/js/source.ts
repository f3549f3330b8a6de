/** Where bytes come from. The core asks for ranges; these fetch them. */

import { Medh5Error } from "./error.js";

/** Options of one read. */
export interface ReadOptions {
  /** Ends the read early. */
  signal?: AbortSignal | undefined;
}

/** Random access to the bytes of one file; offsets are whole numbers up to 2^53. */
export interface RangeSource {
  /** Length of the file in bytes. */
  readonly byteLength: number;
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number, options?: ReadOptions): Promise<Uint8Array>;
  /** Where a request costs more than its bytes: how many one fetches at least, a multiple of 16 KiB. */
  readonly leastRequest?: number;
  /** Bytes from the start of the file that are there already. */
  readonly held?: number;
  /** The same without waiting, where the host can: memory, and files inside a worker. */
  readSync?(start: number, end: number): Uint8Array;
}

/** Anything with a length and slices: the smallest thing a caller can bring along. */
export interface Sliceable {
  readonly byteLength: number;
  slice(start: number, end: number, options?: ReadOptions): ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>;
}

/** A file that is already in memory. */
export function fromBytes(bytes: Uint8Array): RangeSource {
  const readSync = (start: number, end: number): Uint8Array => bytes.subarray(start, end);
  return { byteLength: bytes.byteLength, readSync, read: (start, end) => Promise.resolve(readSync(start, end)) };
}

interface SyncFileReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
declare const FileReaderSync: (new () => SyncFileReader) | undefined;

/** A call to the browser costs as much as this many bytes. */
const LEAST_READ = 64 * 1024;

/** A file that a person chose. It is read in slices; it is never copied in whole. */
export function fromBlob(blob: Blob): RangeSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      return new Uint8Array(await blob.slice(start, end).arrayBuffer());
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  const source: { leastRequest?: number } & RangeSource = { byteLength: blob.size, read };
  if (typeof FileReaderSync !== "undefined") {
    const reader = new FileReaderSync();
    source.leastRequest = LEAST_READ;
    source.readSync = (start, end) => {
      try {
        return new Uint8Array(reader.readAsArrayBuffer(blob.slice(start, end)));
      } catch (cause) {
        throw unreadable(cause);
      }
    };
  }
  return source;
}

function unreadable(cause: unknown): Medh5Error {
  return new Medh5Error({
    class: "source",
    code: "LITE_FILE_UNREADABLE",
    message: "The file cannot be read any more; it was probably changed, moved or unplugged. Choose it again.",
    cause,
  });
}

/** A caller's own source. */
export function fromSliceable(sliceable: Sliceable): RangeSource {
  return {
    byteLength: sliceable.byteLength,
    read: async (start, end, options) => {
      const found = await sliceable.slice(start, end, options);
      return found instanceof Uint8Array ? found : new Uint8Array(found);
    },
  };
}
