/** The program that the package is compared with. */

import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const scratch = (name) => join(root, "target/scratch", name);

/** What the program prints; it ends with 1 when there are findings. */
export function program(...args) {
  try {
    return execFileSync("cargo", ["run", "--quiet", "--package", "medh5-lite-cli", "--", ...args], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout;
  }
}
