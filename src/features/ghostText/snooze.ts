import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';

const keptKey = 'ghostText.snoozedUntil';
/** The limit of timers in the editor. A longer one is not set. */
const longestTimerMs = 2 ** 31 - 1;

/** A pause requested by a person. One with an end survives a reload of the window. */
export interface Snooze extends Disposable {
  /** Unix milliseconds; `Infinity`: until the window reloads. `undefined`: not snoozed. */
  readonly until: number | undefined;
  start(minutes: number): Promise<void>;
  end(): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export function createSnooze(memento: vscode.Memento, now: () => number = Date.now): Snooze {
  const changed = new vscode.EventEmitter<void>();
  let until = memento.get<number>(keptKey, 0);
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    clearTimeout(timer);
    const left = until - now();
    if (left <= 0 || left > longestTimerMs) return;
    timer = setTimeout(() => changed.fire(), left);
  };
  const set = async (value: number) => {
    until = value;
    arm();
    changed.fire();
    await memento.update(keptKey, Number.isFinite(value) && value > 0 ? value : undefined);
  };
  arm();
  return {
    get until() {
      return until > now() ? until : undefined;
    },
    start: (minutes) => set(now() + minutes * 60_000),
    end: () => set(0),
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      changed.dispose();
    },
  };
}
