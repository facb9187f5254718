import * as vscode from 'vscode';
import type { Screen } from '../protocol/call';
import type { Disposable } from './disposables';
import type { CalledWorker } from './workerCalls';

export type Progress = (bytes: number, total: number) => void;

export interface ReadingOptions {
  /** What is read anew takes the place of what was read before, which ends at once. */
  readonly again: boolean;
  readonly onProgress: Progress;
  /** Ends the telling, not the reading: others may wait for it, or come for it later. */
  readonly signal?: AbortSignal | undefined;
}

/** What a worker reads of files: read when it is first asked for, whether or not a page is there to see it. */
export interface WorkerReading<Calls extends Screen, Loaded> extends Disposable {
  /** Resolves when the files were read or their reading was stopped. What failed is tried anew at the next call. */
  load(open: () => CalledWorker<Calls>, options: ReadingOptions): Promise<Loaded>;
  stop(): void;
  /** Waits for the reading; rejects as cancelled where none was begun. */
  readonly call: CalledWorker<Calls>['call'];
}

interface LoadOptions {
  readonly signal: AbortSignal;
  readonly onChunk: (read: { readonly bytes: number; readonly total: number }) => void;
}

/** `load` begins the reading of a worker that was opened. */
export function createWorkerReading<Calls extends Screen, Loaded>(
  load: (worker: CalledWorker<Calls>, options: LoadOptions) => Promise<Loaded>,
): WorkerReading<Calls, Loaded> {
  const begin = (worker: CalledWorker<Calls>) => {
    const stopper = new AbortController();
    const listeners = new Set<Progress>();
    const loaded = load(worker, {
      signal: stopper.signal,
      onChunk({ bytes, total }) {
        for (const listener of listeners) listener(bytes, total);
      },
    });
    return { worker, loaded, listeners, stop: () => stopper.abort() };
  };
  let reading: ReturnType<typeof begin> | undefined;

  return {
    async load(open, { again, onProgress, signal }) {
      if (again) {
        reading?.worker.dispose();
        reading = undefined;
      }
      const mine = (reading ??= begin(open()));
      mine.listeners.add(onProgress);
      signal?.addEventListener('abort', () => mine.listeners.delete(onProgress), { once: true });
      try {
        return await mine.loaded;
      } catch (error) {
        if (reading === mine) reading = undefined;
        mine.worker.dispose();
        throw error;
      } finally {
        mine.listeners.delete(onProgress);
      }
    },
    stop: () => reading?.stop(),
    async call(...asked) {
      if (!reading) throw new vscode.CancellationError();
      const { worker, loaded } = reading;
      await loaded;
      return worker.call(...asked);
    },
    dispose: () => reading?.worker.dispose(),
  };
}
