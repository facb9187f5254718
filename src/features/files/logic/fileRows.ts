import type { Batch } from '../../../core/api/batches/batches.schema';
import type { RemoteFile } from '../../../core/api/files/files.schema';
import type { BatchJob } from '../../../core/jobs/batch/batchJob';
import { batchName, rowName } from '../../../core/batch/state/batchState';

/** A batch that was created from a file. */
export interface FileUse {
  readonly id: string;
  readonly name: string;
  /** The service's status; `undefined` if the service does not list the batch. */
  readonly status?: string;
}

/** A file at the service and its purpose. */
export interface FileRow {
  readonly file: RemoteFile;
  readonly uses: readonly FileUse[];
  /** Whether all batches are known, so that `uses` is complete. */
  readonly usesKnown: boolean;
}

export interface KnownBatches {
  /** As the service lists them. */
  readonly batches: readonly Batch[];
  /** Whether the list contains all batches. */
  readonly complete: boolean;
  readonly jobs: readonly BatchJob[];
}

/** Returns a function that joins files and batches. It reuses the previous object of a row that has not changed. */
export function createFileRows(): (files: readonly RemoteFile[], known: KnownBatches) => readonly FileRow[] {
  let last = new Map<string, FileRow>();
  return (files, { batches, complete, jobs }) => {
    const uses = usesByFile(batches, jobs);
    const rows = files.map((file): FileRow => {
      const row = { file, uses: uses.get(file.id) ?? [], usesKnown: complete };
      const before = last.get(file.id);
      return before && isSame(before, row) ? before : row;
    });
    last = new Map(rows.map((row) => [row.file.id, row]));
    return rows;
  };
}

function usesByFile(batches: readonly Batch[], jobs: readonly BatchJob[]): ReadonlyMap<string, readonly FileUse[]> {
  const byFile = new Map<string, Map<string, FileUse>>();
  const add = (fileId: string | undefined, use: FileUse) => {
    if (fileId === undefined) return;
    const uses = byFile.get(fileId) ?? new Map<string, FileUse>();
    byFile.set(fileId, uses.set(use.id, use));
  };
  for (const job of jobs) {
    const { id, inputFileId, batch, stage } = job;
    // A batch that certainly was not created has used no file.
    if (!batch && (stage === 'refused' || stage === 'preparing')) continue;
    const name = rowName({ batch, job }) ?? batch?.id ?? id;
    const use = { id: batch?.id ?? id, name, ...(batch && { status: batch.status }) };
    add(batch?.inputFileId ?? inputFileId, use);
  }
  for (const batch of batches) {
    add(batch.inputFileId, { id: batch.id, name: batchName(batch) ?? batch.id, status: batch.status });
  }
  return new Map([...byFile].map(([id, uses]) => [id, [...uses.values()]]));
}

function isSame(a: FileRow, b: FileRow): boolean {
  return a.usesKnown === b.usesKnown && JSON.stringify([a.file, a.uses]) === JSON.stringify([b.file, b.uses]);
}
