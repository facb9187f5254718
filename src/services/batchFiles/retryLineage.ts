import type * as vscode from 'vscode';

const key = 'batch.retries';
/** Older entries are dropped. */
const maxSaved = 200;

/** The origin of a batch file that retries requests of a run. */
export interface Retry {
  /** Id of the job, or folder of the run, whose failed and missing lines the file contains. */
  readonly retryOf: string;
  /** Hexadecimal hash of the file as it was written. */
  readonly sha256: string;
  /** The run, if the file is in its own folder below that of the run; absent if the user chose where to save the file. */
  readonly of?: {
    /** The user's name for it. */
    readonly name: string;
    /** The batch file. */
    readonly input: string;
    readonly requests: number;
    /** The model that replaced those of its lines. */
    readonly model?: string;
  };
}

/** Which run a batch file retries, persisted across reloads, for whoever submits the file. */
export interface RetryLineage {
  remember(path: string, retry: Retry): Promise<void>;
  /** Returns `undefined` for a file that was not written as a retry. The file may have been edited since. */
  of(path: string): Retry | undefined;
}

export function createRetryLineage(memento: vscode.Memento): RetryLineage {
  const all = () => memento.get<Readonly<Record<string, Retry>>>(key, {});
  return {
    async remember(path, retry) {
      const { [path]: _before, ...others } = all();
      const recent = Object.entries(others).slice(1 - maxSaved);
      await memento.update(key, Object.fromEntries([...recent, [path, retry]]));
    },
    of(path) {
      const known = all();
      return Object.hasOwn(known, path) ? known[path] : undefined;
    },
  };
}
