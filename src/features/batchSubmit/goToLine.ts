import * as vscode from 'vscode';
import { stampOf } from '../../services/batches/check/checkOneFile';
import { UserError } from '../../platform/errors/userError';

/** Opens a file at a line, in the column where it is already open or else in the page's column. */
export async function goToLine(path: string, line: number, pageColumn: vscode.ViewColumn | undefined): Promise<void> {
  const uri = vscode.Uri.file(path);
  if ((await stampOf(path)) === undefined) {
    throw new UserError(
      vscode.l10n.t('The file is not there any more'),
      vscode.l10n.t('It was moved or deleted. Put it back, then check it again.'),
    );
  }
  const open = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? pageColumn ?? vscode.ViewColumn.Active,
    selection: place,
  });
}
