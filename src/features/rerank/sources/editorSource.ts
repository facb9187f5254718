import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import { mostCharacters } from '../logic/documents';
import type { RerankSource, SourceText } from '../logic/documents';
import { foreign } from '../../../core/text/foreignText';
import { commandTitle } from '../../../platform/contributions';
import { posix } from 'node:path';
import { numberText } from '../../../platform/displayText';

/** Reads the selections, each as a separate text, from the top. Throws `UserError` if nothing is selected. */
export function readSelection(editor: vscode.TextEditor | undefined): RerankSource {
  const selections = (editor?.selections ?? [])
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start));
  const [first] = selections;
  if (!editor || !first) {
    throw new UserError(
      l10n.t('No text selected'),
      l10n.t('Select lines or paragraphs, then run "{0}" again.', commandTitle('inferenceDesk.rerank.selection')),
    );
  }
  const { document } = editor;
  const texts = selections.map((selection) => textOf(document, selection));
  if (texts.every(({ text }) => text.trim() === '')) {
    throw new UserError(l10n.t('The selection is blank'), l10n.t('Select the text to rank.'));
  }
  const name = nameOf(document.uri);
  const title =
    selections.length === 1
      ? `${name}:${linesOf(first)}`
      : l10n.t('{0}, {1} selections', foreign(name), selections.length);
  return { kind: 'selection', title, texts, remarks: [] };
}

/** Returns the line numbers of a range, excluding a last line in which nothing is selected. */
function linesOf({ start, end }: vscode.Range): string {
  const first = start.line + 1;
  const last = end.character === 0 ? end.line : end.line + 1;
  return last > first ? `${first}-${last}` : `${first}`;
}

/** Reads the complete text of a document. Throws `UserError` if there is none or it is blank. */
export function readDocument(document: vscode.TextDocument | undefined): RerankSource {
  if (!document) {
    throw new UserError(l10n.t('No file is open'), l10n.t('Open the file to rank.'));
  }
  const text = textOf(document);
  if (text.text.trim() === '') {
    throw new UserError(l10n.t('{0} is empty', text.name), l10n.t('Open a file that contains text.'));
  }
  return { kind: 'file', title: text.name, texts: [text], remarks: [] };
}

/** Returns the text of a range, or of the whole document. Throws `UserError` if it is too long. */
function textOf(document: vscode.TextDocument, range?: vscode.Range): SourceText {
  const text = document.getText(range);
  const name = nameOf(document.uri);
  if (text.length > mostCharacters) throw tooMuch(name);
  const { line, character } = range?.start ?? { line: 0, character: 0 };
  return { text, name, languageId: document.languageId, at: { uri: document.uri.toString(), line, character } };
}

/** Path relative to the workspace; outside of it, just the file name. */
export function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri) : posix.basename(uri.path);
}

export function tooMuch(name: string): UserError {
  return new UserError(
    l10n.t('{0} is too long to rank', foreign(name)),
    l10n.t('Select the part to rank. The limit is {0} characters.', numberText(mostCharacters, vscode.env.language)),
  );
}

/** Throws in Restricted Mode: until the user trusts the folder, its contents stay on the machine. */
export function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    l10n.t('Reranking is disabled in Restricted Mode'),
    l10n.t('Trust this workspace first. Reranking sends text to the service.'),
  );
}
