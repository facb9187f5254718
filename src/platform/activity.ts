import * as vscode from 'vscode';
import type { Disposable } from './disposables';

/** A piece of work in progress. */
export interface RunningWork {
  /** Localized, a few words, e.g. "Answering". */
  readonly label: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Whether the account's balance may change because of it. */
  readonly paid: boolean;
}

/** The work in progress, for the status bar and for whatever waits for paid work to end. */
export interface Activity extends Disposable {
  /** Oldest first. */
  readonly running: readonly RunningWork[];
  /** Starts a piece of work; dispose the result when it has ended, successfully or not. */
  start(label: string, options?: { readonly paid?: boolean }): Disposable;
  /** Fires when something started or ended. */
  readonly onDidChange: vscode.Event<void>;
  readonly onDidFinish: vscode.Event<RunningWork>;
}

export function createActivity(now: () => number = Date.now): Activity {
  const changed = new vscode.EventEmitter<void>();
  const finished = new vscode.EventEmitter<RunningWork>();
  const running = new Set<RunningWork>();

  return {
    get running() {
      return [...running];
    },
    start(label, { paid = false } = {}) {
      const work: RunningWork = { label, paid, startedAt: now() };
      running.add(work);
      changed.fire();
      return {
        dispose() {
          if (!running.delete(work)) return;
          changed.fire();
          finished.fire(work);
        },
      };
    },
    onDidChange: changed.event,
    onDidFinish: finished.event,
    dispose() {
      changed.dispose();
      finished.dispose();
    },
  };
}
