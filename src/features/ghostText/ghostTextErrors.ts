import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { createBackoff } from '../../core/ghostText/backoff';
import type { Failure } from '../../core/ghostText/backoff';
import type { Disposable } from '../../platform/disposables';
import { isUserError } from '../../platform/errors/userError';

/** The last error, and when requests may be sent again. */
export interface GhostTextErrors extends Disposable {
  /** `undefined` if there is no error. */
  readonly last: unknown;
  /** Unix milliseconds; `Infinity`: until something changes. In the past: now. */
  readonly until: number;
  note(error: unknown): void;
  /** Call this after a success, or after a change that may have fixed the error. */
  forget(): void;
  readonly onDidChange: vscode.Event<void>;
}

export function createGhostTextErrors(now: () => number = Date.now): GhostTextErrors {
  const changed = new vscode.EventEmitter<void>();
  const backoff = createBackoff(now);
  let last: unknown;
  return {
    get last() {
      return last;
    },
    get until() {
      return backoff.until;
    },
    note(error) {
      last = error;
      backoff.failed(toFailure(error));
      changed.fire();
    },
    forget() {
      backoff.reset();
      if (last === undefined) return;
      last = undefined;
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

function toFailure(error: unknown): Failure {
  if (isApiError(error)) {
    const { kind, details } = error;
    return { kind, limit: details.limit, retryAfterMs: details.retryAfterMs };
  }
  return { kind: isUserError(error) ? 'user' : 'unexpected' };
}
