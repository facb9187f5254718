import { closeSync, openSync, readSync } from 'node:fs';
import { versionOf } from '../disk/fileVersion';

const mostBytes = 1 << 24;

/** The files of a run, open for reading single lines. */
export interface ResultFiles {
  /**
   * Returns a line's text without its line break; `undefined` if it is longer than 16 MB, or if its file could not be opened.
   * `file` is an index into the paths passed.
   */
  text(file: number, place: { readonly start: number; readonly size: number }): string | undefined;
  /** Returns the bytes of a line of any length, without its line break. */
  bytes(file: number, place: { readonly start: number; readonly size: number }): Buffer;
  /** Returns for each file whether it has changed since it was opened. */
  changed(): Promise<readonly boolean[]>;
  close(): void;
}

/** Opens the files that can be opened. */
export async function openFiles(paths: readonly string[]): Promise<ResultFiles> {
  const handles = paths.map(openOrNone);
  const versions = () => Promise.all(paths.map((path) => versionOf(path).catch(() => '')));
  const before = await versions();
  const read = (file: number, { start, size }: { readonly start: number; readonly size: number }): Buffer => {
    const handle = handles[file];
    if (handle === undefined) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(size);
    let filled = 0;
    for (let count = -1; count !== 0 && filled < size; filled += count) {
      count = readSync(handle, buffer, filled, size - filled, start + filled);
    }
    return withoutEnd(buffer.subarray(0, filled), start);
  };
  return {
    text: (file, place) =>
      place.size > mostBytes || handles[file] === undefined ? undefined : read(file, place).toString('utf8'),
    bytes: read,
    changed: async () => (await versions()).map((version, index) => version !== before[index]),
    close() {
      for (const handle of handles.splice(0)) if (handle !== undefined) closeSync(handle);
    },
  };
}

function openOrNone(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

/** Also removes a byte-order mark at the start of the file. */
function withoutEnd(line: Buffer, start: number): Buffer {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 0x0a || line[end - 1] === 0x0d)) end--;
  const hasMark = start === 0 && end >= 3 && line.readUIntBE(0, 3) === 0xefbbbf;
  return line.subarray(hasMark ? 3 : 0, end);
}
