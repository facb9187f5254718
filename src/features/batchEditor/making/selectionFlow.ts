import * as l10n from '@vscode/l10n';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TextUnit } from '../../../core/batch/making/textRows';
import { textRows } from '../../../core/batch/making/textRows';
import { askPick } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import type { RequestSource } from './requestsFlow';

/** Makes a request of each line or paragraph of the active editor's selection, or of the whole text if nothing is selected. */
export async function chooseTextSource(): Promise<RequestSource | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new UserError(l10n.t('No active editor'), l10n.t('Open a file and select some text.'));
  const { document, selection } = editor;
  const range = selection.isEmpty ? undefined : selection;
  const text = document.getText(range);
  if (text.trim() === '') throw new UserError(l10n.t('No text selected'), l10n.t("Select lines that aren't blank."));
  const first = (range?.start.line ?? 0) + 1;
  const sources = { line: textRows(text, 'line', first), paragraph: textRows(text, 'paragraph', first) };
  const answer = await askPick<TextUnit>({
    title: l10n.t('New Batch File from Selection'),
    placeholder: range ? l10n.t('Select what to create requests from') : l10n.t('The entire text is used.'),
    canGoBack: false,
    items: [
      { label: l10n.t('Each line'), detail: l10n.t('Skips blank lines'), value: 'line' },
      { label: l10n.t('Each paragraph'), detail: l10n.t('Separated by blank lines'), value: 'paragraph' },
    ],
  });
  if (answer.kind !== 'value') return undefined;
  return {
    kind: answer.value === 'line' ? 'lines' : 'paragraphs',
    name: path.posix.basename(document.uri.path),
    rows: sources[answer.value],
    customId: 'line-{{line}}',
    suggested: suggestedFor(document),
    leftOut: new Map(),
  };
}

function suggestedFor({ uri, isUntitled }: vscode.TextDocument): string {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
  const folder = uri.scheme === 'file' && !isUntitled ? path.dirname(uri.fsPath) : workspace;
  return path.join(folder, `${path.posix.parse(uri.path).name}.requests.jsonl`);
}
