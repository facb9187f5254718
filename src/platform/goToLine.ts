import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { bytesText } from './displayText';
import { UserError } from './errors/userError';

/**
 * The editor does not pass larger documents to extensions:
 * https://github.com/microsoft/vscode/blob/main/src/vs/editor/common/model/textModel.ts
 */
const largestDocument = 50 * 1024 * 1024;

/** Opens a file at a line, in the group where it is already open, or else next to the preview. */
export async function goToLine(uri: vscode.Uri, line: number, previewColumn: vscode.ViewColumn | undefined) {
  const { size } = await stat(uri.fsPath).catch(() => {
    throw new UserError(l10n.t('The file no longer exists'), l10n.t('The file has been moved or deleted.'));
  });
  if (size > largestDocument) {
    const { language } = vscode.env;
    throw new UserError(
      l10n.t('File too large to open in an editor'),
      l10n.t(
        'The file is {0}, and the limit is {1}. Split it, or read the lines here.',
        bytesText(size, language),
        bytesText(largestDocument, language),
      ),
    );
  }
  const open = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  const other = previewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(uri, { viewColumn: open?.viewColumn ?? other });
  const place = new vscode.Position(Math.min(line, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenter);
}
