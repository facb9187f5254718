import { closeSync, openSync, readSync } from 'node:fs';
import { checkFile } from '../disk/checkFile';
import { versionOf } from '../disk/fileVersion';
import { nameLines } from './joinFiles';
import { JoinedRows } from './joinedRows';

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

/** A line of a batch file in its current state. */
export interface CurrentLine {
  /** Zero-based. */
  readonly line: number;
  /** Without the line break. */
  readonly bytes: Buffer;
}

interface Read {
  readonly version: string;
  readonly rows: JoinedRows;
  readonly file: ResultFiles;
}

/** A batch file in its current state on disk. It is read again only if it has changed since. */
export class CurrentFile {
  private read: Promise<Read | undefined> = Promise.resolve(undefined);

  constructor(readonly path: string) {}

  /**
   * Returns a function that finds a line by its id, or by its position if it has no id; `undefined` if the file is missing or
   * cannot be read. Never rejects.
   */
  async look(): Promise<((id: string, line: number | undefined) => CurrentLine | undefined) | undefined> {
    const read = await this.readNow();
    return (
      read &&
      ((id, line) => {
        const { rows, file } = read;
        const row = id === '' ? line : rows.find(id);
        const place = row === undefined ? undefined : rows.lineAt(row);
        if (row === undefined || !place || (id === '' && rows.idOf(row) !== '')) return undefined;
        return { line: row, bytes: file.bytes(0, place) };
      })
    );
  }

  /** Returns the lines whose id isn't `isKnown`, each id once, without line breaks. Never rejects. */
  async added(isKnown: (id: string) => boolean): Promise<readonly Buffer[]> {
    const read = await this.readNow();
    if (!read) return [];
    return read.rows.ids().flatMap(([id, row]) => {
      const place = isKnown(id) ? undefined : read.rows.lineAt(row);
      return place ? [read.file.bytes(0, place)] : [];
    });
  }

  private readNow(): Promise<Read | undefined> {
    this.read = this.read.then((before) => refreshed(this.path, before));
    return this.read;
  }

  close(): void {
    void this.read.then((read) => read?.file.close());
    this.read = Promise.resolve(undefined);
  }
}

async function refreshed(path: string, before: Read | undefined): Promise<Read | undefined> {
  const version = await versionOf(path).catch(() => undefined);
  if (before?.version === version) return before;
  before?.file.close();
  if (version === undefined) return undefined;
  const rows = new JoinedRows();
  const file = await openFiles([path]);
  try {
    await checkFile(path, { onProblem: () => undefined, onLine: (line) => rows.addLine(line) });
    if (rows.lacksIds) await nameLines(path, rows);
    return { version, rows, file };
  } catch {
    file.close();
    return undefined;
  }
}
