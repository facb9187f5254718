import path from 'node:path';
import * as vscode from 'vscode';
import { dropMark } from '../../../core/batch/transform/dropMark';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { UserError } from '../../../platform/errors/userError';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

/** Saves the file and rewrites it without its byte-order mark, which is beyond the editor's undo and edits by extensions. */
export async function removeMark(document: vscode.TextDocument): Promise<void> {
  const { uri } = document;
  if (uri.scheme !== 'file') {
    throw new UserError(
      vscode.l10n.t('This file is not on disk'),
      vscode.l10n.t('Save it with the encoding UTF-8, by the encoding in the status bar.'),
    );
  }
  if (document.isDirty && !(await document.save())) return;
  const name = path.basename(uri.fsPath);
  const isDone = await dropMark(uri.fsPath).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t('{0} was left as it is', foreign(name)), reasonText(error));
  });
  if (!isDone) {
    throw new UserError(
      vscode.l10n.t('The file on disk begins with no byte-order mark'),
      vscode.l10n.t('Save the file, then look again.'),
    );
  }
  void showMessage(
    'information',
    vscode.l10n.t(
      '{0} was saved without its byte-order mark; its text is the same. Undo does not bring the mark back, saving with the encoding "UTF-8 with BOM" does.',
      foreign(name),
    ),
  );
}
