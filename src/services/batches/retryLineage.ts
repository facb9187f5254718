import type * as vscode from 'vscode';

const key = 'batch.retries';
/** Older ones are forgotten. */
const mostKept = 200;

/** Where a batch file comes from that asks requests of a run again. */
export interface Retry {
  /** The id of the job, or the folder of the run, whose failed and missing lines the file holds. */
  readonly retryOf: string;
  /** Of the file as it was written, in hexadecimal. */
  readonly sha256: string;
  /** The run, where the file is in a folder of its own below that of the run; absent of a file where a person wanted it. */
  readonly of?: {
    /** What a person calls it. */
    readonly name: string;
    /** The batch file. */
    readonly input: string;
    readonly requests: number;
    /** What took the place of the models of its lines. */
    readonly model?: string;
  };
}

/** Which run a batch file asks again, kept over reloads: whoever sends the file tells it on. */
export interface RetryLineage {
  remember(path: string, retry: Retry): Promise<void>;
  /** `undefined` for a file that was not written as a retry. It may have been edited since. */
  of(path: string): Retry | undefined;
}

export function createRetryLineage(memento: vscode.Memento): RetryLineage {
  const all = () => memento.get<Readonly<Record<string, Retry>>>(key, {});
  return {
    async remember(path, retry) {
      const { [path]: _before, ...others } = all();
      const kept = Object.entries(others).slice(1 - mostKept);
      await memento.update(key, Object.fromEntries([...kept, [path, retry]]));
    },
    of(path) {
      const known = all();
      return Object.hasOwn(known, path) ? known[path] : undefined;
    },
  };
}
