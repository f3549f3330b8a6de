/** The typings say what the package does: a strict compiler takes the good half and refuses every line of the bad one. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./program.mjs";

const USE = `
import { audit, open, validate, type CodeInfo, type DiagnosticCode, type Report, type Source } from "../index.js";

export async function good(file: File, signal: AbortSignal): Promise<void> {
  const sources: Source[] = [file, new Blob([]), new ArrayBuffer(1), new Uint8Array(1), new URL("https://example.org/x"), "https://example.org/x", { byteLength: 1, slice: () => new Uint8Array(1) }];
  const report: Report = await validate(sources[0]!, { level: "strict", profiles: ["seg"], codesRevision: 2, select: ["E"], ignore: ["W9"], signal, onFinding: ({ code }) => void (code satisfies DiagnosticCode), onProgress: ({ bytes }) => void bytes.toFixed() });
  const code: DiagnosticCode | undefined = report.diagnostics[0]?.code;
  const known: CodeInfo["code"] = code ?? "E102";
  using opened = await open(file, { headers: { Authorization: known } });
  const values = await opened.readRegion("/images/CT", { start: [0], shape: [1] }, { signal });
  if (values.data instanceof BigInt64Array) void (values.data[0] satisfies bigint | undefined);
  for await (const { entries } of audit([{ name: "a", source: file }])) void entries.length;
}

export async function bad(file: File): Promise<void> {
  // @ts-expect-error there is no such level
  await validate(file, { level: "deep" });
  // @ts-expect-error there is no such code
  const code: DiagnosticCode = "E999";
  // @ts-expect-error a number is no source
  await open(5);
  // @ts-expect-error options are spelled as they are
  await validate(file, { profile: ["seg"] });
  // @ts-expect-error a report is not changed into one that passed
  const { ok }: { ok: string } = await validate(file);
  void [code, ok];
}
`;

test("typings", () => {
  const folder = mkdtempSync(join(root, "wasm/dist/use-"));
  try {
    writeFileSync(join(folder, "use.ts"), USE);
    const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom,dom.iterable,esnext.disposable", "--module", "es2022", "--moduleResolution", "bundler", "--skipLibCheck"];
    execFileSync(process.execPath, [join(root, "wasm/node_modules/typescript/bin/tsc"), ...strict, join(folder, "use.ts")], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    assert.fail(error.stdout ?? error);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
