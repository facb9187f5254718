import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appendLine } from '../../core/conversation/export/appendLine';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { computeAndWriteInEditor } from '../../platform/workspace/writeEdits';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';

/** Asks for a batch file and appends a line to it as one undo step. `toLine` creates the line to suit the file's content. */
export async function appendBatchLine(toLine: (content: string) => string, settings: Settings): Promise<void> {
  const uri = await chooseFile(settings);
  if (!uri) return;
  const document = await openDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  let offset = 0;
  const result = await computeAndWriteInEditor(editor, () => {
    const content = document.getText();
    const line = appendLine(content, toLine(content));
    ({ offset } = line);
    return [vscode.TextEdit.insert(document.positionAt(offset), line.text)];
  });
  if (result !== 'written') throw notTaken(uri, l10n.t('The file is read-only or has changed.'));
  const start = document.positionAt(offset + (offset === 0 ? 0 : 1));
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

type Choice = vscode.Uri | 'existing' | 'new';

async function chooseFile(settings: Settings): Promise<vscode.Uri | undefined> {
  const guard = await WorkspaceGuard.open(settings);
  const found = await guard.only(await vscode.workspace.findFiles('**/*.jsonl', '**/node_modules/**', 20));
  const items: PickItem<Choice>[] = [
    ...found.map((uri) => ({
      label: vscode.workspace.asRelativePath(uri),
      iconPath: new vscode.ThemeIcon('file'),
      value: uri,
    })),
    { label: l10n.t('New File…'), iconPath: new vscode.ThemeIcon('new-file'), value: 'new' },
    { label: l10n.t('Another File…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'existing' },
  ];
  const title = l10n.t('Add to Batch File');
  const placeholder = l10n.t('Select a file for the request');
  const answer = await askPick<Choice>({ title, placeholder, canGoBack: false, canFilter: true, items });
  if (answer.kind !== 'value') return undefined;
  if (typeof answer.value !== 'string') return answer.value;
  return answer.value === 'new' ? newFile(title) : existingFile(title);
}

async function existingFile(title: string): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title, filters: { 'JSON Lines': ['jsonl'] } });
  return chosen?.[0];
}

/** Creates an empty file, or leaves an existing one that the user chose unchanged. */
async function newFile(title: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    filters: { 'JSON Lines': ['jsonl'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'requests.jsonl') } : {}),
  });
  if (!uri) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true });
  if (!(await vscode.workspace.applyEdit(edit))) throw notTaken(uri, l10n.t("The file couldn't be created."));
  return uri;
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw notTaken(uri, reasonText(error));
  }
}

function notTaken(uri: vscode.Uri, why: string): UserError {
  return new UserError(l10n.t("Couldn't add the line"), `${vscode.workspace.asRelativePath(uri)}: ${why}`);
}
