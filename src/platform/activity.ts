import * as vscode from 'vscode';
import type { Disposable } from './disposables';

/** A piece of work that goes on now. */
export interface RunningWork {
  /** Worded, e.g. "Answering"; a few words. */
  readonly label: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Whether the account's balance may be another one afterwards. */
  readonly paid: boolean;
}

/** What is running now, for the status bar and for whoever waits for paid work to end. */
export interface Activity extends Disposable {
  /** Oldest first. */
  readonly running: readonly RunningWork[];
  /** Dispose what comes back when the work ended, however it ended. */
  start(label: string, options?: { readonly paid?: boolean }): Disposable;
  /** Something started or ended. */
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
