/** Files behind links: few requests and bytes, and one plain sentence for each way in which a server can fail. */

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Medh5Error, open, validate } from "../dist/index.js";
import { serve } from "../../web-viewer/serve.mjs";
import { scratch } from "./program.mjs";

const bytes = readFileSync(join(scratch("suite"), "training-index.medh5"));
const servers = [];

async function listen(server) {
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

after(() => servers.forEach((server) => server.close()));

/** Answers for each path; `state` is what a test turns. */
const state = { tag: '"1"', busy: 0 };
const ANSWERS = {
  "/file": (request, response) => part(request, response, bytes),
  "/whole": (_, response) => response.writeHead(200, { "Content-Length": bytes.length }).end(bytes),
  "/packed": (_, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(bytes)),
  "/page": (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<html>sign in</html>"),
  "/moved": (_, response) => response.writeHead(302, { Location: "/file" }).end(),
  "/sign-in": (_, response) => response.writeHead(302, { Location: "/page" }).end(),
  "/forbidden": (_, response) => response.writeHead(403).end(),
  "/hidden-length": (request, response) => part(request, response, bytes, { "Content-Range": "bytes 0-9/*" }),
  "/short": (request, response) => part(request, response, bytes, {}, 5),
  "/busy": (request, response) => ((state.busy += 1) < 3 ? response.writeHead(503).end() : part(request, response, bytes)),
  "/empty": (_, response) => response.writeHead(416, { "Content-Range": "bytes */0" }).end(),
};

function part(request, response, content, headers = {}, missing = 0) {
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "").map(Number);
  const end = Math.min(last + 1, content.length);
  const found = content.subarray(start, end - (start > 0 ? missing : 0));
  if (request.headers["if-range"] !== undefined && request.headers["if-range"] !== state.tag) return response.writeHead(200, { ETag: state.tag }).end(content);
  response.writeHead(206, { "Content-Range": `bytes ${start}-${end - 1}/${content.length}`, ETag: state.tag, ...headers }).end(found);
}

let origin;
before(async () => {
  origin = await listen(createServer((request, response) => (ANSWERS[request.url] ?? ((_, answer) => answer.writeHead(404).end()))(request, response)));
});

const at = (path, options) => open(`${origin}${path}`, options);
const refused = (code, sentence) => (error) => error instanceof Medh5Error && error.class === "source" && error.code === code && sentence.test(error.message);

/** Beyond the first bytes, which the probe fetches. */
async function readOn(file) {
  const { images } = await file.summary();
  return file.readRegion(`/images/${images[0].id}`);
}

test("a link gives the same report as the bytes", async () => {
  for (const path of ["/file", "/moved", "/busy"]) {
    const file = await at(path, { name: "x" });
    assert.equal(file.byteLength, bytes.length);
    assert.deepEqual(await file.validate(), await validate(bytes, { name: "x" }), path);
    file.close();
  }
});

test("each failure has its own code and sentence", async () => {
  const cases = {
    "/packed": ["LITE_HTTP_ENCODED", /compresses the file on the way \(gzip\)/],
    "/page": ["LITE_HTTP_HTML", /is a web page, not a file/],
    "/sign-in": ["LITE_HTTP_HTML", /leads on to a web page, .*\/page, perhaps to sign in/],
    "/forbidden": ["LITE_HTTP_FORBIDDEN", /refuses access \(status 403\)/],
    "/none": ["LITE_HTTP_NOT_FOUND", /There is no file at .*none/],
    "/hidden-length": ["LITE_HTTP_NO_LENGTH", /hides how long the file is/],
    "/empty": ["LITE_HTTP_EMPTY", /is empty/],
    "/whole": ["LITE_HTTP_NO_RANGES", new RegExp(`cannot send parts of a file, so all of ${bytes.length} bytes would`)],
  };
  for (const [path, [code, sentence]] of Object.entries(cases)) await assert.rejects(() => at(path), refused(code, sentence), path);
  await assert.rejects(() => open("http://127.0.0.1:9/gone"), refused("LITE_HTTP_UNREACHABLE", /cannot be reached/));
});

test("all is downloaded only after a yes, which knows the size", async () => {
  const asked = [];
  const ask = (answer) => ({ confirmDownload: (size) => (asked.push(size), answer) });
  await assert.rejects(() => at("/whole", ask(false)), { code: "LITE_HTTP_NO_RANGES" });
  const file = await at("/whole", ask(true));
  assert.ok((await file.validate()).ok);
  assert.deepEqual(asked, [bytes.length, bytes.length]);
  file.close();
});

test("a file that changes meanwhile is no mixture of two", async () => {
  const large = statSync(scratch("large/large.medh5")).size;
  assert.ok(large > 1 << 20);
  const content = readFileSync(scratch("large/large.medh5"));
  ANSWERS["/changing"] = (request, response) => part(request, response, content);
  const file = await at("/changing");
  await file.summary();
  state.tag = '"2"';
  await assert.rejects(() => readOn(file), refused("LITE_HTTP_CHANGED", /changed while it was being read/));
  file.close();
  ANSWERS["/short"] = (request, response) => part(request, response, content, {}, 5);
  const short = await at("/short");
  await assert.rejects(() => readOn(short), refused("LITE_HTTP_SHORT", /sent \d+ of the \d+ bytes/));
  short.close();
});

test("metadata of a large file cost at most 3 requests and 256 KiB, and a plane what it crosses", async () => {
  const link = await listen(serve(scratch("large")));
  const traffic = { requests: 0, bytes: 0 };
  const file = await open(`${link}/large.medh5`, { onTraffic: (count) => ((traffic.requests += 1), (traffic.bytes += count)) });
  const { images } = await file.summary();
  assert.ok(traffic.requests <= 3 && traffic.bytes <= 256 << 10, JSON.stringify(traffic));
  const before = traffic.bytes;
  await file.slice({ image: images[0].id, axis: 0, index: 3 });
  const shape = images[0].shape;
  const chunks = Math.ceil(shape[0] / (images[0].chunks?.[0] ?? 1));
  assert.ok(traffic.bytes - before < (2 * file.byteLength) / Math.max(2, chunks), `${traffic.bytes - before} bytes of ${file.byteLength} in ${chunks} rows of chunks`);
  file.close();
});

test("a request is given up when its caller gives up", async () => {
  ANSWERS["/slow"] = () => undefined;
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 50);
  await assert.rejects(() => at("/slow", { signal: controller.signal }), (error) => error.class === "aborted" && error.cause === "enough");
  servers.forEach((server) => server.closeAllConnections());
});
