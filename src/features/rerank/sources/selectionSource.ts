import { l10n } from 'vscode';
import type * as vscode from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import type { RerankSource } from './rerankSource';
import { nameOf, textOf } from './textOf';
import { foreign } from '../../../core/text/foreignText';
import { commandTitle } from '../../../platform/contributions';

/** Reads the selections, each as a separate text, from the top. Throws `UserError` if nothing is selected. */
export function readSelection(editor: vscode.TextEditor | undefined): RerankSource {
  const selections = (editor?.selections ?? [])
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start));
  const [first] = selections;
  if (!editor || !first) {
    throw new UserError(
      l10n.t('No text selected'),
      l10n.t(
        'Select the lines or paragraphs to rank, and then run "{0}" again.',
        commandTitle('inferenceDesk.rerank.selection'),
      ),
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

/** Reads the whole text of a document. Throws `UserError` if there is none or it is blank. */
export function readDocument(document: vscode.TextDocument | undefined): RerankSource {
  if (!document) {
    throw new UserError(l10n.t('No file is open'), l10n.t('Open the file to rank, then try again.'));
  }
  const text = textOf(document);
  if (text.text.trim() === '') {
    throw new UserError(l10n.t('{0} is empty', text.name), l10n.t('Open a file that contains text, then try again.'));
  }
  return { kind: 'file', title: text.name, texts: [text], remarks: [] };
}
