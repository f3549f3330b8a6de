/** Serves a folder on this machine only: `node serve.mjs FOLDER [PORT]`. Knows byte ranges. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** A server of `folder`. `options` make the odd servers that tests need: no ranges, other origins allowed, a sub-path. */
export function serve(folder, { ranges = true, cors = false, prefix = "/", log } = {}) {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    log?.(request);
    if (cors) {
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Access-Control-Allow-Headers", "Range, If-Range");
      response.setHeader("Access-Control-Expose-Headers", "Content-Range, ETag");
    }
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    const inside = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : undefined;
    const path = inside === undefined ? undefined : join(folder, normalize(`/${decodeURIComponent(inside)}`));
    const file = path === undefined ? undefined : path.endsWith("/") ? join(path, "index.html") : path;
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (!file || !found?.isFile()) return response.writeHead(404).end("not found");
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
    response.setHeader("ETag", `"${found.size}-${Math.round(found.mtimeMs)}"`);
    const range = ranges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") : null;
    if (!range) {
      response.writeHead(200, { "Content-Length": found.size });
      return createReadStream(file).pipe(response);
    }
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), found.size - 1)];
    if (start > end) return response.writeHead(416, { "Content-Range": `bytes */${found.size}` }).end();
    response.writeHead(206, { "Content-Range": `bytes ${start}-${end}/${found.size}`, "Content-Length": end - start + 1 });
    return createReadStream(file, { start, end }).pipe(response);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = ".", port = "8765"] = process.argv.slice(2);
  serve(folder).listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/ (stop with Ctrl-C)`));
}
