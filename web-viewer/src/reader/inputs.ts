/** Files as people bring them: dropped, picked, whole folders. */

import type { FileInput } from "./protocol";

/** What was found in what was brought. */
export interface Gathered {
  readonly files: FileInput[];
  /** Everything that was looked at, files of any kind. */
  readonly seen: number;
  /** Entries that could not be read, by name. */
  readonly unreadable: string[];
}

const SUFFIXES = [".medh5", ".medh5c"];

/** Whether the name says that this is such a file; case does not matter. */
export function isSampleName(name: string): boolean {
  const lower = name.toLowerCase();
  return SUFFIXES.some((suffix) => lower.endsWith(suffix));
}

/** Files from a picker. A single file is taken whatever its name; of a folder, those with the right suffix. */
export function fromPicker(list: Iterable<File>): Gathered {
  const all = [...list];
  const inFolder = all.some((file) => file.webkitRelativePath !== "");
  const files = all.map((file) => ({ name: file.webkitRelativePath || file.name, data: file }));
  return { files: sorted(inFolder ? files.filter(({ name }) => isSampleName(name) && !isHidden(name)) : files), seen: all.length, unreadable: [] };
}

/** Files and folders that were dropped. The items must be taken before the event ends. */
export async function fromDrop(transfer: DataTransfer): Promise<Gathered> {
  const entries = [...transfer.items].map((item) => (item.kind === "file" ? item.webkitGetAsEntry() : null)).filter((entry) => entry !== null);
  const found: { files: FileInput[]; seen: number; unreadable: string[] } = { files: [], seen: 0, unreadable: [] };
  const whole = entries.length === 1 && entries[0]?.isFile === true;
  for (const entry of entries) await gather(entry, found, whole);
  return { ...found, files: sorted(found.files) };
}

async function gather(entry: FileSystemEntry, found: { files: FileInput[]; seen: number; unreadable: string[] }, takeAny: boolean): Promise<void> {
  const name = entry.fullPath.replace(/^\//, "");
  try {
    if (isDirectory(entry)) {
      if (isHidden(name)) return;
      for (const inner of await entriesOf(entry)) await gather(inner, found, false);
    } else {
      found.seen += 1;
      if (takeAny || (isSampleName(name) && !isHidden(name))) found.files.push({ name, data: await fileOf(entry as FileSystemFileEntry) });
    }
  } catch {
    found.unreadable.push(name);
  }
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** All entries: a reader gives at most 100 at a time, and an empty list at the end. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("."));
}

function sorted(files: FileInput[]): FileInput[] {
  return files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
