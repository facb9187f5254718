import { l10n } from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

export function noFile(): UserError {
  return new UserError(l10n.t('No file is open'), l10n.t('Open the file that you want to attach, then try again.'));
}

export function tooMany(most: number): UserError {
  return new UserError(l10n.t('Too many attachments'), l10n.t('The limit is {0}. Remove some first.', most));
}

/** The item was chosen from a list that is out of date. */
export function offerGone(): UserError {
  return new UserError(l10n.t('This item is no longer available'), l10n.t('Type # and choose again.'));
}

export function notAFile(): UserError {
  return new UserError(
    l10n.t("This isn't a file"),
    l10n.t('Drop files or folders from this machine or the workspace.'),
  );
}

export function folderWithoutPlace(name: string): UserError {
  return new UserError(
    l10n.t("Couldn't attach {0}", foreign(name)),
    l10n.t("VS Code doesn't know the location of a folder dropped from outside. Choose the folder with Add Context."),
  );
}
