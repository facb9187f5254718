import { l10n } from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

export function noFile(): UserError {
  return new UserError(l10n.t('No file is open'), l10n.t('Open the file that you want to attach, then try again.'));
}

export function tooMany(most: number): UserError {
  return new UserError(
    l10n.t('There is no room for more'),
    l10n.t('Too many attachments. The limit is {0}. Remove some first.', most),
  );
}

/** The item was chosen from a list that is out of date. */
export function offerGone(): UserError {
  return new UserError(
    l10n.t('This item is no longer available'),
    l10n.t('Type # again and choose from the new list.'),
  );
}

export function notAFile(): UserError {
  return new UserError(
    l10n.t("This isn't a file"),
    l10n.t('Drop files or folders of this machine or of the workspace.'),
  );
}

export function folderWithoutPlace(name: string): UserError {
  return new UserError(
    l10n.t('{0} was not attached', foreign(name)),
    l10n.t('The location of a folder from outside of VS Code is unknown. Use Attach to choose it.'),
  );
}
