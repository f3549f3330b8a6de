/** Starts the page: compiles the reader once, starts the workers, shows the app. */

import { render } from "preact";
import { codes, init, version } from "medh5-lite";
import { App } from "./app";
import { Pool } from "./reader/pool";
import workerCode from "worker:code";
import wasmBytes from "wasm:bytes";

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (!root) return;
  try {
    const wasm = await WebAssembly.compile(await wasmBytes());
    await init(Promise.resolve(wasm));
    const size = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
    const pool = new Pool(startWorker, wasm, size);
    // One more for looking at files, so that a running validation does not keep people waiting.
    const reader = new Pool(startWorker, wasm, 1);
    const table = new Map((await codes()).map((code) => [code.code as string, code]));
    root.replaceChildren();
    render(<App pool={pool} reader={reader} version={await version()} codes={table} />, root);
  } catch (error) {
    root.textContent = `This page could not start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Workers from the page's own memory inherit its policy: they cannot fetch what the page cannot. */
function startWorker(): Worker {
  const url = URL.createObjectURL(new Blob([workerCode], { type: "text/javascript" }));
  try {
    return new Worker(url);
  } catch {
    // A page without an origin may not start workers from blobs everywhere.
    return new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(workerCode)}`);
  }
}

void start();
