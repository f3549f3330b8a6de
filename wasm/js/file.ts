/** An open file: every call runs the core, fetches what it names as missing, and runs it again. */

import { CoreFile, asError, init, instanceNumber, isPaused, missingRanges } from "./core.js";
import { Medh5Error, aborted } from "./error.js";
import { fromUrl, type HttpOptions } from "./http.js";
import { fromBlob, fromBytes, fromSliceable, type RangeSource, type Sliceable } from "./source.js";
import type {
  ClassMasks,
  CollectionSummary,
  CohortEntry,
  Diagnostic,
  IndexSummary,
  Json,
  Metadata,
  Progress,
  Report,
  SampleSummary,
  Section,
  Shape,
  TreeNode,
  ValidateOptions,
  Values,
  Verification,
} from "./types.js";

/** Anything that a file can be read from. A string is a URL. */
export type Source = Blob | ArrayBuffer | Uint8Array | URL | string | Sliceable | RangeSource;

/** How to open. */
export interface OpenOptions extends HttpOptions {
  /** Name in reports; the file's own name or the URL without it. */
  name?: string | undefined;
}

/** What every call takes. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The sample, in a collection. */
  key?: string | undefined;
}

/** Long calls also report progress. */
export interface LongCallOptions extends CallOptions {
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A validation also tells what it finds. */
export interface ValidateCallOptions extends ValidateOptions, LongCallOptions {
  /** Hears of each finding as soon as its rule has run. */
  onFinding?: ((finding: Diagnostic) => void) | undefined;
}

/** A plane of an image. Axes count the spatial ones, slowest first. */
export interface PlaneRequest {
  image: string;
  axis: number;
  index: number;
  level?: number;
  /** Places along time and other axes. */
  outer?: number[];
}

/** Ranges closer than this are fetched as one. */
const JOIN_GAP = 64 * 1024;
const LARGEST_REQUEST = 8 * 1024 * 1024;
const PARALLEL_REQUESTS = 6;
/** Writers leave metadata at the end of a file: a request that starts this close to it goes on to it. */
const TAIL = 208 * 1024;

/** Opens a file. Only its first bytes are read. */
export async function open(source: Source, options: OpenOptions = {}): Promise<Medh5File> {
  await init();
  const ranges = await rangeSourceOf(source, options);
  return new Medh5File(options.name ?? nameOf(source), ranges);
}

async function rangeSourceOf(source: Source, options: OpenOptions): Promise<RangeSource> {
  if (typeof source === "string" || source instanceof URL) return fromUrl(source, options);
  if (source instanceof Uint8Array) return fromBytes(source);
  if (source instanceof ArrayBuffer) return fromBytes(new Uint8Array(source));
  if ("read" in source) return source;
  if ("size" in source && "arrayBuffer" in source) return fromBlob(source);
  if ("byteLength" in source) return fromSliceable(source);
  throw new Medh5Error({ class: "request", code: "LITE_SOURCE", message: "A file, its bytes, a URL or an object with byteLength and slice() is needed." });
}

function nameOf(source: Source): string {
  if (typeof source === "string" || source instanceof URL) return String(source);
  return "name" in source && typeof source.name === "string" ? source.name : "file.medh5";
}

/** An open file. Close it to give its memory back. */
export class Medh5File {
  readonly name: string;
  readonly byteLength: number;
  private held: { readonly core: CoreFile; readonly instance: number };
  private bytes = 0;

  constructor(
    name: string,
    private readonly source: RangeSource,
  ) {
    this.name = name;
    this.byteLength = source.byteLength;
    this.held = this.make();
  }

  private make(): { core: CoreFile; instance: number } {
    const { source } = this;
    const { readSync } = source;
    const counted = readSync && ((start: number, end: number): Uint8Array => {
      this.bytes += end - start;
      return readSync.call(source, start, end);
    });
    return { core: new CoreFile(this.name, source.byteLength, counted, source.leastRequest !== undefined), instance: instanceNumber() };
  }

  /** The file in the module; opened anew when a trap took the instance that knew it. */
  private get core(): CoreFile {
    if (this.held.instance !== instanceNumber()) this.held = this.make();
    return this.held.core;
  }

  /** Bytes that were read of the file so far; parts that were read twice count twice. */
  get bytesRead(): number {
    return this.bytes;
  }

  /** What the sample, or the collection without a key, is about. */
  summary(options: CallOptions = {}): Promise<SampleSummary | CollectionSummary> {
    return this.json(options, () => this.core.summary(options.key));
  }

  /** The document and all attributes of a sample. */
  meta(options: CallOptions = {}): Promise<Metadata> {
    return this.json(options, () => this.core.metadata(options.key));
  }

  /** The groups, datasets and links of the file. */
  tree(options: CallOptions = {}): Promise<TreeNode> {
    return this.json(options, () => this.core.tree());
  }

  /** The sampling index. */
  index(options: CallOptions = {}): Promise<IndexSummary[]> {
    return this.json(options, () => this.core.index(options.key));
  }

  /** The clinical history: events in order of time, documents and links; null when there is none. */
  clinical(options: CallOptions = {}): Promise<Json> {
    return this.json(options, () => this.core.clinical(options.key));
  }

  /** A foreground voxel of a class from the index, the same for the same seed. */
  draw(annotation: string, classId: number, seed: bigint | number, options: CallOptions = {}): Promise<number[] | undefined> {
    return this.run(options, () => {
      const voxel = this.core.draw(options.key, annotation, classId, BigInt(seed));
      return voxel && Array.from(voxel);
    });
  }

  /** One plane of an image as stored. */
  slice(plane: PlaneRequest, options: CallOptions = {}): Promise<Values> {
    const { image, axis, index, level = 0, outer = [] } = plane;
    return this.run(options, () => this.core.plane(options.key, image, level, axis, index, Uint32Array.from(outer)) as Values);
  }

  /** Which voxels of a box of an annotation belong to each of its classes. */
  masks(annotation: string, start: number[], shape: number[], options: CallOptions = {}): Promise<ClassMasks> {
    return this.run(options, () => this.core.masks(options.key, annotation, Uint32Array.from(start), Uint32Array.from(shape)) as ClassMasks);
  }

  /** Which voxels of a box an annotation says nothing about, one byte per voxel; undefined when there is none. */
  ignored(annotation: string, start: number[], shape: number[], options: CallOptions = {}): Promise<Uint8Array | undefined> {
    return this.run(options, () => this.core.ignored(options.key, annotation, Uint32Array.from(start), Uint32Array.from(shape)));
  }

  /** The elements of a window of any dataset as stored; all of it without a window. */
  readRegion(path: string, window?: { start: number[]; shape: number[] }, options: CallOptions = {}): Promise<Values> {
    const start = window && Float64Array.from(window.start);
    const shape = window && Float64Array.from(window.shape);
    return this.run(options, () => this.core.readRegion(options.key, path, start, shape) as Values);
  }

  /** Compares digests and `content_id` with the data. */
  verify(options: LongCallOptions = {}): Promise<Verification> {
    const progress = follow(options);
    return this.json(options, () => this.core.verify(options.key, progress));
  }

  /** Validates the file: the text that the command line prints with `--json`, for this one file. */
  validateToJson(options: ValidateCallOptions = {}): Promise<string> {
    const { level, profiles, codesRevision, select, ignore, onFinding } = options;
    const request = JSON.stringify({ level, profiles, codesRevision, select, ignore });
    const tell = onFinding && ((json: string) => onFinding(JSON.parse(json) as Diagnostic));
    const progress = follow(options);
    return this.run(options, () => this.core.validate(request, progress, tell));
  }

  /** Validates the file. */
  async validate(options: ValidateCallOptions = {}): Promise<Report> {
    const reports = JSON.parse(await this.validateToJson(options)) as Report[];
    const [report] = reports;
    if (!report) throw new Medh5Error({ class: "internal", code: "LITE_REPORT", message: "The validation gave no report." });
    return report;
  }

  /** What an audit keeps of the file: one entry per sample. Metadata and the sampling index are read, no voxels. */
  survey(options: CallOptions = {}): Promise<CohortEntry[]> {
    return this.json(options, () => this.core.survey());
  }

  /** The boxes, points and curves of an annotation, placed on the grid of an image; none for an annotation of voxels. */
  shapes(annotation: string, image: string, options: CallOptions = {}): Promise<Shape[]> {
    return this.json(options, () => this.core.shapes(options.key, annotation, image));
  }

  /** What one plane of an image shows of them. */
  sections(annotation: string, image: string, plane: { axis: number; at: number }, options: CallOptions = {}): Promise<Section[]> {
    return this.json(options, () => this.core.sections(options.key, annotation, image, plane.axis, plane.at));
  }

  /** BLAKE3 of the file's bytes, in hex. */
  fingerprint(options: CallOptions = {}): Promise<string> {
    return this.run(options, () => this.core.fingerprint());
  }

  /** Gives the memory back. */
  close(): void {
    if (this.held.instance === instanceNumber()) this.held.core.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private async json<T>(options: CallOptions, call: () => string): Promise<T> {
    return JSON.parse(await this.run(options, call)) as T;
  }

  /** Runs `call` until nothing is missing any more; long calls let others have their turn. */
  private async run<T>({ signal }: CallOptions, call: () => T): Promise<T> {
    for (;;) {
      if (signal?.aborted) throw aborted(signal);
      try {
        return call();
      } catch (thrown) {
        const missing = missingRanges(thrown);
        if (missing) await this.fetch(missing, signal);
        else if (isPaused(thrown)) await turn();
        else throw asError(thrown);
      }
    }
  }

  private async fetch(pairs: number[], signal: AbortSignal | undefined): Promise<void> {
    const ranges = joined(widened(pairs, this.source));
    const fetchNext = async (): Promise<void> => {
      for (let range = ranges.shift(); range; range = ranges.shift()) {
        const [start, end] = range;
        const bytes = await this.source.read(start, end, { signal }).catch((cause: unknown) => {
          throw cause instanceof Medh5Error ? cause : unreadable(cause);
        });
        this.bytes += bytes.byteLength;
        this.core.supply(start, bytes);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, fetchNext));
  }
}

/** A source of the caller's own that fails. */
function unreadable(cause: unknown): Medh5Error {
  const message = `The source failed: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new Medh5Error({ class: "source", code: "LITE_SOURCE", message, cause });
}

/** Tells progress, over all calls of one task; the core stops when the signal says so. */
function follow({ signal, onProgress }: LongCallOptions): (bytes: number) => boolean {
  let [before, last] = [0, 0];
  return (bytes) => {
    // Each repeated call counts from 0.
    if (bytes < last) before += last;
    last = bytes;
    onProgress?.({ bytes: before + bytes });
    return !(signal?.aborted ?? false);
  };
}

/** Lets messages, timers and other tasks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(undefined);
  });
}

/** Ranges made as large as a request should be: whole blocks, and all of the file's end. */
function widened(pairs: readonly number[], { byteLength, leastRequest: block, held = 0 }: RangeSource): number[] {
  if (block === undefined) return [...pairs];
  const wide: number[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [start, end] = [pairs[at] ?? 0, pairs[at + 1] ?? 0];
    if (end <= held) {
      wide.push(start, end);
      continue;
    }
    const from = Math.floor(start / block) * block;
    wide.push(from, byteLength - from <= TAIL ? byteLength : Math.min(byteLength, Math.ceil(end / block) * block));
  }
  return wide;
}

/** Sorted ranges with near neighbours joined and long ones cut. */
export function joined(pairs: readonly number[]): [number, number][] {
  const sorted: [number, number][] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) sorted.push([pairs[i] ?? 0, pairs[i + 1] ?? 0]);
  sorted.sort((a, b) => a[0] - b[0]);
  const ranges: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = ranges.at(-1);
    if (last && start - last[1] <= JOIN_GAP && end - last[0] <= LARGEST_REQUEST) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges.flatMap(([start, end]) => cut(start, end));
}

function cut(start: number, end: number): [number, number][] {
  const pieces: [number, number][] = [];
  for (let at = start; at < end; at += LARGEST_REQUEST) pieces.push([at, Math.min(at + LARGEST_REQUEST, end)]);
  return pieces;
}
