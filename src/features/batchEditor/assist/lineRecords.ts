import { createHash, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';

/** Which line a document is about, in a form that outlives a reload of the window. */
export interface LineRecord {
  readonly id: string;
  /** The batch file's address. */
  readonly source: string;
  /** Where the line stood last; it counts from 0. */
  readonly line: number;
  /** Of the line as it was opened or saved last. */
  readonly hash: string;
  readonly length: number;
  /** Unix milliseconds. */
  readonly savedAt: number;
}

const recordsKey = 'batchFile.lines';
/** Older ones are forgotten: their editors are long closed. */
const mostRecords = 200;

export interface LineRecords {
  get(id: string): LineRecord | undefined;
  /** The one that is about that line as it is now. */
  find(source: string, line: number, text: string): LineRecord | undefined;
  add(source: string, line: number, text: string): LineRecord;
  /** The line was written, or found elsewhere. */
  update(record: LineRecord, line: number, text: string): LineRecord;
}

/** Kept with the workspace. What is asked is answered at once; what is written reaches the disk when it does. */
export function createLineRecords(memento: vscode.Memento, onTrouble: (error: unknown) => void): LineRecords {
  const records = new Map(memento.get<readonly LineRecord[]>(recordsKey, []).map((record) => [record.id, record]));
  const put = (record: LineRecord): LineRecord => {
    records.delete(record.id);
    records.set(record.id, record);
    for (const id of [...records.keys()].slice(0, -mostRecords)) records.delete(id);
    memento.update(recordsKey, [...records.values()]).then(undefined, onTrouble);
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

/** Whether a line is what it was. */
export function isAbout({ hash, length }: LineRecord, text: string): boolean {
  return text.length === length && hashOf(text) === hash;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
