import { checkFile } from '../disk/checkFile';
import { versionOf } from '../disk/fileVersion';
import { ResultColumns } from './resultColumns';
import { openFiles } from './resultFiles';
import type { ResultFiles } from './resultFiles';

/** A line of a batch file in its current state. */
export interface CurrentLine {
  /** Zero-based. */
  readonly line: number;
  /** Without the line break. */
  readonly bytes: Buffer;
}

interface Read {
  readonly version: string;
  readonly columns: ResultColumns;
  readonly file: ResultFiles;
}

/** A batch file in its current state on disk. It is read again only if it has changed since; some sixty bytes per line are stored. */
export class CurrentFile {
  private read: Promise<Read | undefined> = Promise.resolve(undefined);

  constructor(readonly path: string) {}

  /**
   * Returns a function that finds a line by its id, or by its position if it has no id; `undefined` if the file is missing or
   * cannot be read. Never rejects.
   */
  async look(): Promise<((id: Uint8Array, line: number | undefined) => CurrentLine | undefined) | undefined> {
    this.read = this.read.then((before) => refreshed(this.path, before));
    const read = await this.read;
    return (
      read &&
      ((id, line) => {
        const { columns, file } = read;
        const row = id.length > 0 ? columns.findKey(id) : line;
        const place = row === undefined ? undefined : columns.lineAt(row);
        if (row === undefined || !place || (id.length === 0 && columns.ids.get(row).length > 0)) return undefined;
        return { line: row, bytes: file.bytes(0, place) };
      })
    );
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
  const columns = new ResultColumns();
  const file = await openFiles([path]);
  try {
    await checkFile(path, { onProblem: () => undefined, onLine: (line) => columns.addLine(line) });
    columns.indexLines();
    return { version, columns, file };
  } catch {
    file.close();
    return undefined;
  }
}
