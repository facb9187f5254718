import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { RecentErrors } from './recentErrors';
import { showMessage } from '../notify';

/**
 * Logs an error and shows it to the user, localized and with its actions as buttons. Ignores cancellations. Resolves when the user has
 * chosen an action or closed the message.
 */
export type Report = (error: unknown) => Promise<void>;

/** `loadWords` loads the code that localizes errors, at the first error. */
export function createReport(
  { log, recentErrors }: { readonly log: vscode.LogOutputChannel; readonly recentErrors: RecentErrors },
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
    // An update deletes files under an open window, including the localized texts: then the error is shown in its own words.
    log.error(error instanceof Error ? error : String(error));
    await showMessage('error', error instanceof Error ? error.message : String(error));
  };
}

/** Whether it ended because the user canceled, not because of an error. */
export function isCancellation(error: unknown): boolean {
  if (isApiError(error)) return error.kind === 'aborted';
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}
