import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../platform/userError';
import type { SubmitOrder, SubmitView } from '../../protocol/batchSubmit';
import type { FileWatch } from './fileWatch';
import { isOfModel } from './viewWords';
import { foreign } from '../../core/text/foreignText';

/** Whether the check found errors that the order does not do away with. */
export function hasErrors(
  kinds: readonly { readonly first: { readonly severity: string; readonly code: string } }[],
  { model }: SubmitOrder,
): boolean {
  return kinds.some(({ first }) => first.severity === 'error' && !(model !== undefined && isOfModel(first.code)));
}

/** Throws in words where the file is not what was reviewed. */
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

export function withErrors(): UserError {
  return new UserError(
    vscode.l10n.t('The file has errors'),
    vscode.l10n.t('Nothing was sent. Mend them, or choose to submit with them.'),
  );
}
