import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { Screen } from '../protocol/call';
import { createCaller, HostError, type Caller } from '../protocol/caller';
import type { ToWebview, WireError } from '../protocol/wire';
import type { Disposable } from './disposables';

/** Converts a worker's error to an `Error` with its message, and the system's code if it had one. */
export function failureOf({ kind, title }: WireError): Error {
  return Object.assign(new Error(title), { code: kind });
}

/** A worker of one script that answers calls, terminated on disposal. */
export class CalledWorker<Calls extends Screen> implements Disposable {
  private readonly worker: Worker;
  private readonly caller: Caller<Calls>;
  private readonly failed: Promise<never>;

  /** `data` becomes the worker's `workerData`; `worded` converts the errors with which its calls reject. */
  constructor(
    script: vscode.Uri,
    data: object,
    private readonly worded: (error: WireError) => Error,
  ) {
    const worker = (this.worker = new Worker(script.fsPath, { workerData: data }));
    this.caller = createCaller<Calls>((message) => worker.postMessage(message));
    worker.on('message', (message: ToWebview) => this.caller.receive(message));
    this.failed = new Promise<never>((_resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => reject(new vscode.CancellationError()));
    });
    // Handled by each call.
    this.failed.catch(() => undefined);
  }

  /** Rejects as canceled if the call was aborted or the worker has ended. */
  readonly call: Caller<Calls>['call'] = async (...args) => {
    try {
      return await Promise.race([this.caller.call(...args), this.failed]);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      throw error.error.kind === 'AbortError' ? new vscode.CancellationError() : this.worded(error.error);
    }
  };

  dispose(): void {
    void this.worker.terminate();
  }
}

/** Bytes read, and their total number. */
export type Progress = (bytes: number, total: number) => void;

interface Reading<Calls extends Screen, Loaded> {
  readonly worker: CalledWorker<Calls>;
  readonly loaded: Promise<Loaded>;
  readonly listeners: Set<Progress>;
  readonly stopper: AbortController;
}

/** Files read by a worker: on first request, whether or not a page is open to show them. */
export class WorkerReading<Calls extends Screen, Loaded> implements Disposable {
  private reading: Reading<Calls, Loaded> | undefined;
  private isDisposed = false;

  /** `open` starts a worker for the files as they are then; `read` makes it read them. */
  constructor(
    private readonly open: () => CalledWorker<Calls>,
    private readonly read: (
      worker: CalledWorker<Calls>,
      options: {
        readonly signal: AbortSignal;
        readonly onChunk: (read: { readonly bytes: number; readonly total: number }) => void;
      },
    ) => Promise<Loaded>,
  ) {}

  /**
   * Resolves once the files have been read or reading was stopped. After a failure, the next call tries again. `again` reads them again,
   * instead of a current reading, whose callers then wait for the new one, unless `signal` says that they left. It ends their progress
   * reports too, but never the reading, because others might be waiting for it, or need it later.
   */
  async load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<Loaded> {
    if (again) this.end();
    for (;;) {
      if (this.isDisposed) throw new vscode.CancellationError();
      const mine = (this.reading ??= this.begin());
      const forget = () => void mine.listeners.delete(onProgress);
      if (!signal?.aborted) mine.listeners.add(onProgress);
      signal?.addEventListener('abort', forget, { once: true });
      try {
        return await mine.loaded;
      } catch (error) {
        if (this.reading === mine) this.end();
        if (!this.reading || signal?.aborted) throw error;
      } finally {
        forget();
        signal?.removeEventListener('abort', forget);
      }
    }
  }

  stop(): void {
    this.reading?.stopper.abort();
  }

  /**
   * Waits for the reading. Rejects as canceled if none was started. Calls while the files are read again are answered from the new content.
   */
  readonly call: Caller<Calls>['call'] = async (method, params, options) => {
    for (;;) {
      const mine = this.reading;
      if (!mine) throw new vscode.CancellationError();
      try {
        await mine.loaded;
        return await mine.worker.call(method, params, options);
      } catch (error) {
        if (!this.reading || this.reading === mine || options?.signal?.aborted) throw error;
      }
    }
  };

  dispose(): void {
    this.isDisposed = true;
    this.end();
  }

  private begin(): Reading<Calls, Loaded> {
    const worker = this.open();
    const stopper = new AbortController();
    const listeners = new Set<Progress>();
    const loaded = this.read(worker, {
      signal: stopper.signal,
      onChunk({ bytes, total }) {
        for (const listener of listeners) listener(bytes, total);
      },
    });
    return { worker, loaded, listeners, stopper };
  }

  private end(): void {
    this.reading?.worker.dispose();
    this.reading = undefined;
  }
}
