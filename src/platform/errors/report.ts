import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { RecentErrors } from './recentErrors';
import { showMessage } from '../notify';

/**
 * Logs an error and tells it to the person in words, with its next steps as buttons. Says nothing of what was cancelled.
 * Resolves when the person chose a step or closed the message.
 */
export type Report = (error: unknown) => Promise<void>;

/** `loadWords` is what makes words of an error: loaded at the first one. */
export function createReport(
  { log, recentErrors }: { readonly log: vscode.LogOutputChannel; readonly recentErrors: Pick<RecentErrors, 'note'> },
  loadWords: () => Promise<{ tellError(error: unknown, log: vscode.LogOutputChannel): Promise<void> }>,
): Report {
  return async (error) => {
    if (isCancellation(error)) return;
    recentErrors.note(error);
    const words = await loadWords().catch(() => undefined);
    if (words) {
      await words.tellError(error, log);
      return;
    }
    // An update takes the files away from under an open window, the words of errors too: then in the words it came with.
    log.error(error instanceof Error ? error : String(error));
    await showMessage('error', error instanceof Error ? error.message : String(error));
  };
}

/** Whether the person, not a fault, ended it. */
export function isCancellation(error: unknown): boolean {
  if (isApiError(error)) return error.kind === 'aborted';
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}
