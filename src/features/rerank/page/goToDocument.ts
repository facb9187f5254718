import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import type { SourceDocument } from '../controller/documents';
import { liveRange } from './liveRange';
import { openSource } from './openSource';
import { showMessage } from '../../../platform/notify';

/** Reveals a document in its source and selects it; if it was edited meanwhile, goes to the line where it was. */
export async function goToDocument(
  { piece, at, name }: SourceDocument,
  pageColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  if (!at) {
    throw new UserError(
      l10n.t('This document stands in no file'),
      l10n.t('It was taken from the clipboard. Its whole text is shown here.'),
    );
  }
  const document = await openSource(at.uri, name, l10n.t('Its text is still here.'));
  const line = Math.min(at.line, document.lineCount - 1);
  const { range: whole } = document.lineAt(line);
  const found = at.isAbout
    ? new vscode.Range(line, Math.min(at.character, whole.end.character), line, whole.end.character)
    : liveRange(document, piece, at);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: columnOf(document.uri, pageColumn) });
  const target = found ?? new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(target.start, target.end);
  editor.revealRange(target, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (!found) {
    void showMessage(
      'information',
      l10n.t('This document was edited since it was ranked. The line where it stood is shown.'),
    );
  }
}

/** The column where it is already open, else one beside the page. */
function columnOf(uri: vscode.Uri, pageColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  if (group) return group.viewColumn;
  return pageColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
