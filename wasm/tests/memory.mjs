/** A WebAssembly module with less memory than it asks for. */

/** Bytes of a page of memory. */
export const PAGE = 65_536;

const MEMORY = 5;

/** The module with its one memory limited to `pages`. */
export function limited(module, pages) {
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [length, start] = unsigned(module, at + 1);
    if (id === MEMORY) {
      // How many memories, then flags (0: no upper limit) and the least size.
      const [count, flagsAt] = unsigned(module, start);
      if (count !== 1 || module[flagsAt] !== 0) throw new Error("another kind of memory than this knows");
      const [least] = unsigned(module, flagsAt + 1);
      const content = [1, 1, ...bytesOf(least), ...bytesOf(pages)];
      return Buffer.concat([module.subarray(0, at), Buffer.from([MEMORY, ...bytesOf(content.length), ...content]), module.subarray(start + length)]);
    }
    at = start + length;
  }
  throw new Error("the module has no memory of its own");
}

/** A number in LEB128, and where it ends. */
function unsigned(bytes, from) {
  let [value, at] = [0, from];
  for (let shift = 0; ; shift += 7, at += 1) {
    value += (bytes[at] & 127) * 2 ** shift;
    if (bytes[at] < 128) return [value, at + 1];
  }
}

function bytesOf(value) {
  const out = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest];
    out.push((rest % 128) | 128);
  }
}
