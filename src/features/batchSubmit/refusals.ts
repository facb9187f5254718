import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../platform/errors/userError';
import type { SubmitRequest, SubmitView } from '../../protocol/batchSubmit';
import type { FileWatch } from './fileWatch';
import { isOfModel, refusesFile } from '../../core/batch/problem';
import type { FileCheck } from '../../services/batches/check/checkOneFile';
import { foreign } from '../../core/text/foreignText';

/** Throws `UserError` if the check found errors that the request neither fixes with its model nor accepts. */
export function refuseFaulty({ kinds }: FileCheck, { model, takeErrors }: SubmitRequest): void {
  const errors = kinds
    .map(({ first }) => first)
    .filter(({ severity, code }) => severity === 'error' && !(model !== undefined && isOfModel(code)));
  if (errors.some(({ code }) => refusesFile(code))) {
    throw new UserError(
      vscode.l10n.t('The service would refuse this file'),
      vscode.l10n.t('Nothing was sent. Fix the errors and save the file, then submit it again.'),
    );
  }
  if (errors.length > 0 && !takeErrors) {
    throw new UserError(
      vscode.l10n.t('The file has errors'),
      vscode.l10n.t('Nothing was sent. Fix them, or choose to submit with them.'),
    );
  }
}

/** Throws `UserError` if the file is not the one that was reviewed. */
export function refuseUnfit(
  file: string,
  { watch, isChecked }: { readonly watch: FileWatch | undefined; readonly isChecked: boolean },
): void {
  const name = path.basename(file);
  const state: SubmitView['file'] = watch?.file ?? 'same';
  if (state === 'gone') {
    throw new UserError(
      vscode.l10n.t('The file is not there any more'),
      vscode.l10n.t('{0} was moved or deleted. Nothing was sent. Put it back, then check it again.', foreign(name)),
    );
  }
  if (state === 'changed' || !isChecked) {
    throw new UserError(
      vscode.l10n.t('The file changed after it was checked'),
      vscode.l10n.t('{0} is not what you reviewed. Nothing was sent. Look at it again, then submit it.', foreign(name)),
    );
  }
  if (watch?.isUnsaved) {
    throw new UserError(
      vscode.l10n.t('Save the file first'),
      vscode.l10n.t('{0} has edits that are not on disk. Nothing was sent.', foreign(name)),
    );
  }
}

export function otherAccount(): UserError {
  return new UserError(
    vscode.l10n.t('Another account is active now'),
    vscode.l10n.t('Nothing was sent. Look at what it is submitted for, then submit it again.'),
  );
}
