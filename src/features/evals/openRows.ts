import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showMessage } from '../../platform/notify';

const rowsFile = /^tests:\s*['"]?(?:file:\/\/)?([^\s'"]+\.(?:csv|jsonl|ya?ml|json))['"]?\s*$/m;

/** Opens the end of the rows of an eval, in their own file or in the eval file, and says what happens with new ones. */
export async function openRows(file: string): Promise<void> {
  const config = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const text = config.getText();
  const name = rowsFile.exec(text)?.[1];
  const rows = name === undefined ? undefined : await openQuietly(resolve(dirname(file), name));
  const document = rows ?? config;
  const tests = text.search(/^["']?tests["']?\s*:|^\s*"tests"\s*:/m);
  const place = rows ? document.lineAt(document.lineCount - 1).range.end : config.positionAt(Math.max(0, tests));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
  void showMessage('information', l10n.t('Add rows, save the file, then select Run Eval. Saved responses are reused.'));
}

async function openQuietly(path: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch {
    return undefined;
  }
}
