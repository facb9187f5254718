import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileRows } from '../../../core/batch/making/fileRows';
import type { LeftOutFile } from '../../../core/batch/making/fileRows';
import type { TextUnit } from '../../../core/batch/making/textRows';
import { textRows } from '../../../core/batch/making/textRows';
import { numberText } from '../../../platform/displayText';
import { isQuickGlob } from '../../../core/search/searchGlobs';
import type { Settings } from '../../../platform/settings';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { askText, askPick } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import type { RequestSource } from './requestsFlow';
import { asUris, onDisk } from './sourceFiles';
import { sentences } from '../../../protocol/sentences';

/** Uses the files a menu was opened on, or else those matching a pattern, in the folder a menu was opened on or in the workspace. */
export async function chooseFileSource(
  argument: unknown,
  all: unknown,
  settings: Settings,
): Promise<RequestSource | undefined> {
  const selected = asUris(argument, all);
  const isFolder = await Promise.all(selected.map(isDirectory));
  const plain = selected.filter((_, index) => !isFolder[index]);
  const folder = selected.find((_, index) => isFolder[index]);
  const found = plain.length > 0 && !folder ? plain : await findByPattern(folder, settings);
  if (!found) return undefined;
  const files = found
    .map((uri) => ({ file: onDisk(uri), name: nameOf(uri) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const leftOut = new Map<string, LeftOutFile>();
  const searched = folder ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const home = found === plain || !searched ? path.dirname(files[0]!.file) : searched.fsPath;
  return {
    kind: 'files',
    name: files.length === 1 ? files[0]!.name : l10n.t('{0} files', numberText(files.length, vscode.env.language)),
    rows: fileRows(files, (file) => void leftOut.set(file.name, file)),
    customId: '{{path}}',
    suggested: path.join(home, 'files.requests.jsonl'),
    leftOut,
  };
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}

function patternProblem(text: string): string | undefined {
  if (text.trim() === '') return l10n.t('Enter a pattern.');
  return isQuickGlob(text.trim())
    ? undefined
    : l10n.t("The pattern is too complex. Use fewer wildcards, and don't nest braces.");
}

/** Asks again as long as the pattern matches nothing. */
async function findByPattern(
  folder: vscode.Uri | undefined,
  settings: Settings,
): Promise<readonly vscode.Uri[] | undefined> {
  if (!folder && !vscode.workspace.workspaceFolders) {
    throw new UserError(l10n.t('No folder is open'), l10n.t('Open the folder that contains your files.'));
  }
  let value = '**/*.md';
  let missed = '';
  for (;;) {
    const typed = await askText({
      title: l10n.t('New Batch File from Files'),
      prompt: sentences(missed, l10n.t('Glob pattern, such as docs/*.{txt,md}. Each file becomes a request.')),
      value,
      canGoBack: false,
      check: patternProblem,
    });
    if (typed.kind !== 'value') return undefined;
    value = typed.value.trim();
    const pattern = folder ? new vscode.RelativePattern(folder, value) : value;
    const guard = await WorkspaceGuard.open(settings);
    const found = await guard.only(await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**'));
    if (found.length > 0) return found;
    missed = l10n.t('No files match {0}.', value);
  }
}

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
    placeholder: range
      ? l10n.t('Select how to split the text into requests')
      : l10n.t('The entire text is used. Select how to split it.'),
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
