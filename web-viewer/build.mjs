/**
 * Builds the page: `node build.mjs OUT`. OUT gets a folder to serve from anywhere, and `medh5-lite.html`, the same page in
 * one file that opens without a server.
 */

import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const wasm = join(here, "../wasm/js/generated/medh5_lite_wasm_bg.wasm");

const common = {
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { "medh5-lite": join(here, "../wasm/js/index.ts") },
  external: ["node:fs/promises"],
  // The page always hands the compiled module over; the package's own default is not reached.
  define: { "import.meta.url": '"about:blank"' },
  logLevel: "warning",
};

/** Modules that only exist at build time. */
function supplied(modules) {
  return {
    name: "supplied",
    setup(api) {
      api.onResolve({ filter: /^(worker:code|wasm:bytes)$/ }, ({ path }) => ({ path, namespace: "supplied" }));
      api.onLoad({ filter: /.*/, namespace: "supplied" }, ({ path }) => ({ contents: modules[path], loader: "js" }));
    },
  };
}

async function bundle(entry, modules) {
  const { outputFiles } = await build({ ...common, entryPoints: [join(here, "src", entry)], plugins: [supplied(modules)] });
  return outputFiles[0].text;
}

const worker = await bundle("reader/worker.ts", {});
const workerModule = `export default ${JSON.stringify(worker)}`;
const policy = await bundle("policy.ts", {});
const fetched = `export default async () => (await fetch("medh5_lite_wasm_bg.wasm")).arrayBuffer()`;
const bytes = await readFile(wasm);
const inlined = `export default async () => Uint8Array.from(atob("${bytes.toString("base64")}"), (c) => c.charCodeAt(0))`;
const [html, css] = await Promise.all([readFile(join(here, "index.html"), "utf8"), readFile(join(here, "src/app.css"), "utf8")]);

await mkdir(out, { recursive: true });
const register = `\nif ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("offline.js").catch(() => {});\n`;
const app = await bundle("main.tsx", { "worker:code": workerModule, "wasm:bytes": fetched });
await Promise.all([
  copyFile(wasm, join(out, "medh5_lite_wasm_bg.wasm")),
  writeFile(join(out, "app.js"), app + register),
  writeFile(join(out, "policy.js"), policy),
  writeFile(join(out, "app.css"), css),
  writeFile(join(out, "index.html"), html),
  writeFile(join(out, "offline.js"), await bundle("offline.ts", {})),
]);

const single = await bundle("main.tsx", { "worker:code": workerModule, "wasm:bytes": inlined });
const escape = (script) => script.replaceAll("</script", "<\\/script");
const page = html
  .replace('<script src="policy.js"></script>', () => `<script>${escape(policy)}</script>`)
  .replace('<link rel="stylesheet" href="app.css" />', () => `<style>${css}</style>`)
  .replace('<script src="app.js" defer></script>', () => `<script type="module">${escape(single)}</script>`);
await writeFile(join(out, "medh5-lite.html"), page);
