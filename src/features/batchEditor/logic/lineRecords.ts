import { createHash, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';

/** The line that a document shows, in a form that outlives a reload of the window. */
export interface LineRecord {
  readonly id: string;
  /** The batch file's URI. */
  readonly source: string;
  /** The line's last known position, from 0. */
  readonly line: number;
  /** Hash of the line when it was last opened or saved. */
  readonly hash: string;
  readonly length: number;
  /** Unix milliseconds. */
  readonly savedAt: number;
}

const recordsKey = 'batchFile.lines';
/** Older records are dropped: their editors were closed long ago. */
const mostRecords = 200;

export interface LineRecords {
  get(id: string): LineRecord | undefined;
  /** Returns the record for that line with its current text. */
  find(source: string, line: number, text: string): LineRecord | undefined;
  add(source: string, line: number, text: string): LineRecord;
  /** Records that the line was written, or found at another position. */
  update(record: LineRecord, line: number, text: string): LineRecord;
}

/** Stored in the workspace state. Reads are synchronous; writes reach the disk later, and their errors go to `onError`. */
export function createLineRecords(memento: vscode.Memento, onError: (error: unknown) => void): LineRecords {
  const records = new Map(memento.get<readonly LineRecord[]>(recordsKey, []).map((record) => [record.id, record]));
  const put = (record: LineRecord): LineRecord => {
    records.delete(record.id);
    records.set(record.id, record);
    for (const id of [...records.keys()].slice(0, -mostRecords)) records.delete(id);
    memento.update(recordsKey, [...records.values()]).then(undefined, onError);
    return record;
  };
  return {
    get: (id) => records.get(id),
    find: (source, line, text) =>
      [...records.values()].findLast((one) => one.source === source && one.line === line && isAbout(one, text)),
    add: (source, line, text) =>
      put({ id: randomUUID(), source, line, hash: hashOf(text), length: text.length, savedAt: Date.now() }),
    update: (record, line, text) =>
      put({ ...record, line, hash: hashOf(text), length: text.length, savedAt: Date.now() }),
  };
}

/** Whether the line's text is unchanged. */
export function isAbout({ hash, length }: LineRecord, text: string): boolean {
  return text.length === length && hashOf(text) === hash;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
