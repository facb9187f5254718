import * as vscode from 'vscode';
import type { ExpectedCharge } from '../core/prices/paidWork';
import type { Disposable } from './disposables';

/** `job`: work on jobs, which are listed by themselves. */
export type WorkKind = 'chat' | 'completion' | 'search' | 'speech' | 'batchFile' | 'eval' | 'tool' | 'job' | 'other';

/** What is known of work when it starts. */
interface WorkFacts {
  readonly kind: WorkKind;
  /** What it is about, such as the title of a conversation. May be text of others. */
  readonly subject?: string | undefined;
  /** The ID of the account it uses, if that is known. */
  readonly profileId?: string | undefined;
  /** The folder of a run of a batch file. */
  readonly folder?: string | undefined;
  /** Ends the work; what it has received is kept. */
  readonly stop?: (() => void) | undefined;
  /** Returns what will be charged for its requests in progress; called whenever it is looked at. */
  readonly expected?: (() => readonly ExpectedCharge[]) | undefined;
}

/** A piece of work in progress. */
export interface RunningWork extends WorkFacts {
  /** Identifies it within this window. */
  readonly id: number;
  /** Localized, a few words, e.g. "Answering". */
  readonly label: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Whether the account's balance may change because of it. */
  readonly paid: boolean;
  /** How much of it is done. */
  readonly progress?: WorkProgress;
}

export interface WorkProgress {
  readonly done: number;
  readonly total: number;
  /** Whether it waits until the user continues it. */
  readonly isPaused?: boolean | undefined;
}

/** A piece of work that was started. Dispose it when it has ended, successfully or not. */
export interface StartedWork extends Disposable {
  report(progress: WorkProgress): void;
}

/** The work in progress, for the status bar and for whatever waits for paid work to end. */
export interface Activity extends Disposable {
  /** Oldest first. */
  readonly running: readonly RunningWork[];
  start(label: string, options?: Partial<WorkFacts> & { readonly paid?: boolean }): StartedWork;
  /** Fires when something started or ended. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when something got further. */
  readonly onDidProgress: vscode.Event<void>;
  readonly onDidFinish: vscode.Event<RunningWork>;
}

export function createActivity(now: () => number = Date.now): Activity {
  const changed = new vscode.EventEmitter<void>();
  const progressed = new vscode.EventEmitter<void>();
  const finished = new vscode.EventEmitter<RunningWork>();
  const running = new Map<number, RunningWork>();
  let last = 0;

  return {
    get running() {
      return [...running.values()];
    },
    start(label, { paid = false, kind = 'other', ...facts } = {}) {
      const id = ++last;
      const work: RunningWork = { ...facts, id, kind, label, paid, startedAt: now() };
      running.set(id, work);
      changed.fire();
      return {
        report(progress) {
          if (!running.has(id)) return;
          running.set(id, { ...work, progress });
          progressed.fire();
        },
        dispose() {
          if (!running.delete(id)) return;
          changed.fire();
          finished.fire(work);
        },
      };
    },
    onDidChange: changed.event,
    onDidProgress: progressed.event,
    onDidFinish: finished.event,
    dispose() {
      changed.dispose();
      progressed.dispose();
      finished.dispose();
    },
  };
}
