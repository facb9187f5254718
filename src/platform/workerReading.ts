import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { Screen } from '../protocol/call';
import { createCaller, HostError } from '../protocol/caller';
import type { Caller } from '../protocol/caller';
import type { ToWebview, WireError } from '../protocol/wire';
import type { Disposable } from './disposables';

/** A dedicated worker, terminated on disposal. */
export interface CalledWorker<Calls extends Screen> extends Disposable {
  /** Rejects with the result of `worded` for the worker's error, or as cancelled if the worker has ended. */
  readonly call: Caller<Calls>['call'];
}

export interface CalledWorkerOptions {
  readonly script: vscode.Uri;
  /** The worker's `workerData`. */
  readonly data: object;
  readonly worded: (error: WireError) => Error;
}

/** Converts a worker's error to an `Error` with its message, and the system's code if it had one. */
export function failureOf({ kind, title }: WireError): Error {
  return Object.assign(new Error(title), { code: kind });
}

/** Starts a worker that answers calls. A call that was aborted rejects as cancelled. */
export function openWorker<Calls extends Screen>({ script, data, worded }: CalledWorkerOptions): CalledWorker<Calls> {
  const worker = new Worker(script.fsPath, { workerData: data });
  const caller = createCaller<Calls>((message) => worker.postMessage(message));
  worker.on('message', (message: ToWebview) => caller.receive(message));
  const failed = new Promise<never>((_resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new vscode.CancellationError()));
  });
  // Handled by each call.
  failed.catch(() => undefined);
  const word = (error: WireError) => (error.kind === 'AbortError' ? new vscode.CancellationError() : worded(error));
  return {
    call: async (...asked) => {
      try {
        return await Promise.race([caller.call(...asked), failed]);
      } catch (error) {
        throw error instanceof HostError ? word(error.error) : error;
      }
    },
    dispose: () => void worker.terminate(),
  };
}

export type Progress = (bytes: number, total: number) => void;

export interface ReadingOptions {
  /** Reads the files again, replacing the previous reading, which is ended at once. */
  readonly again: boolean;
  readonly onProgress: Progress;
  /** Ends the progress reports, not the reading: others may be waiting for it, or need it later. */
  readonly signal?: AbortSignal | undefined;
}

/** Files read by a worker: read on first request, whether or not a page is open to show them. */
export interface WorkerReading<Calls extends Screen, Loaded> extends Disposable {
  /** Resolves once the files have been read or reading was stopped. After a failure, the next call tries again. */
  load(open: () => CalledWorker<Calls>, options: ReadingOptions): Promise<Loaded>;
  stop(): void;
  /** Waits for the reading; rejects as cancelled if none was started. */
  readonly call: CalledWorker<Calls>['call'];
}

interface LoadOptions {
  readonly signal: AbortSignal;
  readonly onChunk: (read: { readonly bytes: number; readonly total: number }) => void;
}

/** `load` starts the reading in a worker that was opened. */
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
