import type { CheckedFile, CheckJob, UncheckedFile } from '../../../core/batch/job/checkJob';
import * as vscode from 'vscode';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { UserError } from '../../../platform/errors/userError';
import { checkInWorker } from '../../../core/batch/job/checkInWorker';
import type { CheckSources } from './checkJobOf';

export interface CheckRun {
  readonly signal: AbortSignal;
  /** In bytes, across all files. */
  readonly onProgress: (bytes: number, total: number) => void;
}

/**
 * Checks files as they are on disk, in a worker. Rejects with the signal's reason if cancelled, and with a `UserError` if the check failed
 * or its report could not be written.
 */
export async function checkBatchFiles(
  job: CheckJob,
  { context, log }: CheckSources,
  { signal, onProgress }: CheckRun,
): Promise<{ readonly checked: readonly CheckedFile[]; readonly unchecked: readonly UncheckedFile[] }> {
  const checked: CheckedFile[] = [];
  const unchecked: UncheckedFile[] = [];
  let trouble: string | undefined;
  try {
    await checkInWorker({
      program: context.asAbsolutePath('dist/checkWorker.js'),
      job,
      signal,
      onEvent(news) {
        if (news.kind === 'progress') onProgress(news.bytes, news.total);
        else if (news.kind === 'checked') checked.push(news.outcome);
        else if (news.kind === 'unchecked') unchecked.push(news.outcome);
        else trouble = news.reportTrouble;
      },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    log.error('The check of a batch file broke off.', error);
    throw new UserError(
      vscode.l10n.t('The check broke off'),
      vscode.l10n.t('It did not come to its end: {0}', reasonText(error)),
    );
  }
  if (trouble !== undefined) {
    throw new UserError(
      vscode.l10n.t('The report of the check could not be written'),
      vscode.l10n.t('{0} Is there room left on the disk?', trouble),
    );
  }
  return { checked, unchecked };
}
