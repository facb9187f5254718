import * as l10n from '@vscode/l10n';
import { isMakingError } from '../../../core/batch/making/makingError';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { UserError } from '../../../platform/errors/userError';

/** Runs a command's work. Turns errors the user can fix into `UserError`s and ignores cancellations. */
export async function worded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return;
    if (isMakingError(error)) throw new UserError(l10n.t("Couldn't create the file"), error.message);
    if (isDiskError(error)) {
      throw new UserError(l10n.t("Couldn't create the file"), reasonText(error));
    }
    throw error;
  }
}

/** Returns the error message of a failing check, for an input box; `undefined` if the check passes. */
export function complaint(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (isMakingError(error)) return error.message;
    throw error;
  }
}

function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
