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
