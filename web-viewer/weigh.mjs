/**
 * Prints what each part of a WebAssembly module weighs: `node weigh.mjs MODULE [PARTS]`. The module must have its names, so it is the
 * one that cargo made, before it was stripped. A function counts for the crate that its name begins with.
 */

import { readFile } from "node:fs/promises";

const bytes = await readFile(process.argv[2] ?? "");
const SECTIONS = { custom: 0, imports: 2, code: 10, data: 11 };

/** Reads numbers as the module stores them. */
function reader(at) {
  return {
    get at() {
      return at;
    },
    number() {
      let [value, shift] = [0, 0];
      for (;;) {
        const byte = bytes[at++];
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
        shift += 7;
      }
    },
    text() {
      const length = this.number();
      at += length;
      return bytes.toString("utf8", at - length, at);
    },
    skip(count) {
      at += count;
    },
  };
}

function* sections() {
  const read = reader(8);
  while (read.at < bytes.length) {
    const id = read.number();
    const length = read.number();
    yield { id, start: read.at, end: read.at + length };
    read.skip(length);
  }
}

/** Imported functions come first in the count. */
function importedFunctions({ start }) {
  const read = reader(start);
  let functions = 0;
  for (let count = read.number(); count > 0; count -= 1) {
    read.text();
    read.text();
    const kind = read.number();
    if (kind === 0) {
      functions += 1;
      read.number();
    } else if (kind === 3) read.skip(2);
    else {
      if (kind === 1) read.skip(1);
      const hasMost = read.number() & 1;
      read.number();
      if (hasMost) read.number();
    }
  }
  return functions;
}

function functionSizes({ start }) {
  const read = reader(start);
  return Array.from({ length: read.number() }, () => {
    const before = read.at;
    const size = read.number();
    read.skip(size);
    return read.at - before;
  });
}

function functionNames({ start, end }) {
  const read = reader(start);
  const names = new Map();
  if (read.text() !== "name") return names;
  while (read.at < end) {
    const kind = read.number();
    const length = read.number();
    const next = read.at + length;
    if (kind === 1) for (let count = read.number(); count > 0; count -= 1) names.set(read.number(), read.text());
    read.skip(next - read.at);
  }
  return names;
}

const STANDARD = new Set(["_", "core", "alloc", "std", "compiler_builtins", "__rustc", "hashbrown", "dlmalloc"]);

const ESCAPES = [
  [/\$LT\$/g, "<"],
  [/\$GT\$/g, ">"],
  [/\$RF\$/g, "&"],
  [/\$C\$/g, ","],
  [/\$u20\$/g, " "],
  [/\.\./g, "::"],
];

/** The path that a mangled name stands for: `_ZN`, parts with their lengths, `E`. Other names are left as they are. */
function demangled(name) {
  const parts = [];
  let rest = /^_ZN(.*)E$/.exec(name)?.[1] ?? "";
  for (let length = /^\d+/.exec(rest); length; length = /^\d+/.exec(rest)) {
    const start = length[0].length;
    parts.push(rest.slice(start, start + Number(length[0])));
    rest = rest.slice(start + Number(length[0]));
  }
  return parts.length === 0 ? name : ESCAPES.reduce((text, [from, to]) => text.replace(from, to), parts.join("::"));
}

/**
 * The crate that a function belongs to: the first in its name that is not the standard library, so that what is generic
 * counts for whoever uses it: `hdf5` for `core::ptr::drop_in_place<hdf5::Dataset>`.
 */
function crateOf(name) {
  const crates = [...demangled(name).matchAll(/(?<![\w:])([a-z_]\w*)::/g)].map(([, crate]) => crate);
  const own = crates.find((crate) => !STANDARD.has(crate));
  return own ?? (crates.length > 0 ? "standard library" : "other");
}

let imported = 0;
let sizes = [];
let names = new Map();
let data = 0;
for (const section of sections()) {
  if (section.id === SECTIONS.imports) imported = importedFunctions(section);
  if (section.id === SECTIONS.code) sizes = functionSizes(section);
  if (section.id === SECTIONS.data) data = section.end - section.start;
  if (section.id === SECTIONS.custom) for (const [index, name] of functionNames(section)) names.set(index, name);
}
if (names.size === 0) throw new Error("the module has no names");

const parts = new Map([["constants (pages of codes, tables)", data]]);
sizes.forEach((size, index) => {
  const part = crateOf(names.get(index + imported) ?? "");
  parts.set(part, (parts.get(part) ?? 0) + size);
});
const all = [...parts].sort((a, b) => b[1] - a[1]);
const total = all.reduce((sum, [, size]) => sum + size, 0);
console.log(`what the module is made of, before compression: ${(total / 1024).toFixed(0)} KiB`);
const SHOWN = Number(process.argv[3] ?? 20);
for (const [part, size] of all.slice(0, SHOWN)) console.log(`  ${part.padEnd(36)} ${(size / 1024).toFixed(0).padStart(6)} KiB ${((100 * size) / total).toFixed(1).padStart(5)} %`);
const rest = all.slice(SHOWN).reduce((sum, [, size]) => sum + size, 0);
if (rest > 0) console.log(`  ${`${all.length - SHOWN} more`.padEnd(36)} ${(rest / 1024).toFixed(0).padStart(6)} KiB ${((100 * rest) / total).toFixed(1).padStart(5)} %`);
