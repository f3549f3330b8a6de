/** A file at a URL, read by HTTP ranges. Each way in which that can fail has a sentence of its own. */

import { Medh5Error, aborted } from "./error.js";
import type { RangeSource, ReadOptions } from "./source.js";

/** How to ask. */
export interface HttpOptions extends ReadOptions {
  /** Another `fetch`, for tests and for hosts that wrap it. */
  fetch?: typeof fetch | undefined;
  /** Sent with every request, tokens for instance. */
  headers?: Record<string, string> | undefined;
  /**
   * Asked when the server has no ranges, with the size if it says one: only an answer of `true` downloads all.
   * Without it such a URL is refused.
   */
  confirmDownload?: ((byteLength: number | undefined) => boolean | Promise<boolean>) | undefined;
  /** Counts requests and the bytes that came back. */
  onTraffic?: ((bytes: number) => void) | undefined;
}

/** Bytes of the first request; the structures that tell where the others are lie in it. */
const PROBE_BYTES = 16 * 1024;
/** Bytes of any later request that would be smaller. */
const LEAST_REQUEST = 32 * 1024;
const ATTEMPTS = 4;

/** Opens a URL by asking for its first bytes; `HEAD` is refused by too many servers. */
export async function fromUrl(url: string | URL, options: HttpOptions = {}): Promise<RangeSource> {
  const address = String(url);
  const response = await request(address, 0, PROBE_BYTES, options, undefined);
  if (response.status === 206) {
    const total = totalOf(response);
    if (total === undefined) {
      throw refused("LITE_HTTP_NO_LENGTH", `The server of ${address} hides how long the file is (its Content-Range header). Ask its operator to expose that header.`);
    }
    const first = await body(response, options);
    return new HttpSource(address, total, identityOf(response), first, options);
  }
  await refuseText(address, response);
  const size = lengthOf(response);
  const agreed = (await options.confirmDownload?.(size)) ?? false;
  if (!agreed) {
    await response.body?.cancel();
    const told = size === undefined ? "of unknown size" : `of ${size} bytes`;
    throw refused("LITE_HTTP_NO_RANGES", `The server of ${address} cannot send parts of a file, so all ${told} would have to be downloaded.`);
  }
  const all = await body(response, options);
  return { byteLength: all.byteLength, readSync: (a, b) => all.subarray(a, b), read: (a, b) => Promise.resolve(all.subarray(a, b)) };
}

class HttpSource implements RangeSource {
  readonly leastRequest = LEAST_REQUEST;
  readonly held = PROBE_BYTES;

  constructor(
    private readonly url: string,
    readonly byteLength: number,
    private readonly identity: string | undefined,
    private readonly first: Uint8Array,
    private readonly options: HttpOptions,
  ) {}

  async read(start: number, end: number, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    if (end <= this.first.byteLength) return this.first.subarray(start, end);
    const options = { ...this.options, signal: signal ?? this.options.signal };
    const response = await request(this.url, start, end, options, this.identity);
    const changed = response.status !== 206 || totalOf(response) !== this.byteLength || identityOf(response) !== this.identity;
    if (changed) {
      await response.body?.cancel();
      throw refused("LITE_HTTP_CHANGED", `The file at ${this.url} changed while it was being read. Open it again.`);
    }
    const bytes = await body(response, options);
    if (bytes.byteLength !== end - start) {
      throw refused("LITE_HTTP_SHORT", `The server of ${this.url} sent ${bytes.byteLength} of the ${end - start} bytes that were asked for.`);
    }
    return bytes;
  }
}

/** One ranged GET, repeated with growing pauses while the server says that it is busy. */
async function request(url: string, start: number, end: number, options: HttpOptions, identity: string | undefined): Promise<Response> {
  const ask = options.fetch ?? globalThis.fetch;
  const headers: Record<string, string> = { ...options.headers, Range: `bytes=${start}-${end - 1}` };
  if (identity?.startsWith('"')) headers["If-Range"] = identity;
  for (let attempt = 1; ; attempt += 1) {
    if (options.signal?.aborted) throw aborted(options.signal);
    let response: Response;
    try {
      response = await ask(url, { headers, signal: options.signal ?? null, cache: "no-store" });
    } catch (cause) {
      if (options.signal?.aborted) throw aborted(options.signal);
      throw await unreachable(url, cause, ask);
    }
    const busy = response.status === 429 || response.status >= 500;
    if (!busy || attempt === ATTEMPTS) return checked(url, response);
    await response.body?.cancel();
    await pause(250 * 2 ** attempt, options.signal);
  }
}

function checked(url: string, response: Response): Response {
  const encoding = response.headers.get("Content-Encoding");
  if (encoding !== null && encoding !== "identity") {
    throw refused("LITE_HTTP_ENCODED", `The server of ${url} compresses the file on the way (${encoding}), so parts of it cannot be found. Switch that off for this file.`);
  }
  if (response.status === 416) throw refused("LITE_HTTP_EMPTY", `The file at ${url} is empty.`);
  if (response.status === 401 || response.status === 403) {
    throw refused("LITE_HTTP_FORBIDDEN", `The server of ${url} refuses access (status ${response.status}). The link may have expired or need a sign-in.`);
  }
  if (response.status === 404 || response.status === 410) throw refused("LITE_HTTP_NOT_FOUND", `There is no file at ${url} (status ${response.status}).`);
  if (!response.ok) throw refused("LITE_HTTP_STATUS", `The server of ${url} answered with status ${response.status}.`);
  return response;
}

/** A page instead of a file: servers of single-page sites answer 200 to everything. */
async function refuseText(url: string, response: Response): Promise<void> {
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/html")) return;
  await response.body?.cancel();
  if (response.redirected) throw refused("LITE_HTTP_HTML", `${url} leads on to a web page, ${response.url}, perhaps to sign in. Use a link to the file itself.`);
  throw refused("LITE_HTTP_HTML", `${url} is a web page, not a file. Use the link of the file itself.`);
}

/** Browsers hide why a request failed; two more tell the common causes apart. */
async function unreachable(url: string, cause: unknown, ask: typeof fetch): Promise<Medh5Error> {
  const stopped = await ask(url, { redirect: "manual", headers: { Range: "bytes=0-0" }, cache: "no-store" }).catch(() => undefined);
  if (stopped?.type === "opaqueredirect") {
    return refused("LITE_HTTP_REDIRECT", `The server of ${url} sends on to another address, and that one does not allow this page to read from it. Use the link that it leads to.`, cause);
  }
  try {
    await ask(url, { mode: "no-cors", method: "HEAD", cache: "no-store" });
    return refused(
      "LITE_HTTP_CORS",
      `The server of ${url} is there, but does not allow this page to read from it (CORS). Its operator must allow this origin and the Range header, and expose Content-Range and ETag.`,
      cause,
    );
  } catch {
    return refused("LITE_HTTP_UNREACHABLE", `The server of ${url} cannot be reached, or this page's rules forbid connections to it.`, cause);
  }
}

async function body(response: Response, options: HttpOptions): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    options.onTraffic?.(bytes.byteLength);
    return bytes;
  } catch (cause) {
    if (options.signal?.aborted) throw aborted(options.signal);
    throw refused("LITE_HTTP_BROKEN", "The connection broke while the file was being read. Try again.", cause);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      if (signal) reject(aborted(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}

/** The whole length in `Content-Range: bytes 0-99/1234`. */
function totalOf(response: Response): number | undefined {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
  return total === undefined ? undefined : Number(total);
}

function lengthOf(response: Response): number | undefined {
  const length = response.headers.get("Content-Length");
  return length === null ? undefined : Number(length);
}

/** What tells one state of the file from the next. */
function identityOf(response: Response): string | undefined {
  return response.headers.get("ETag") ?? response.headers.get("Last-Modified") ?? undefined;
}

function refused(code: string, message: string, cause?: unknown): Medh5Error {
  return new Medh5Error({ class: "source", code, message, cause });
}
