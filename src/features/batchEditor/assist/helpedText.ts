import * as vscode from 'vscode';
import type { BatchDocuments } from '../batchDocuments';
import { isEmptyFile } from '../decisions';
import { lineScheme } from './lineScheme';

/** One request in a document; its offsets count from `start`. */
export interface HelpedText {
  readonly text: string;
  /** Offset of the cursor. */
  readonly offset: number;
  readonly start: number;
  /** Whether the editor's own JSON service helps too, using the schema. What it shows is not repeated. */
  readonly isHelped: boolean;
}

/** Where assistance is offered: the lines of batch files, and requests edited as documents. */
export const helpedDocuments: vscode.DocumentSelector = [{ language: 'jsonl' }, { scheme: lineScheme }];

/** Returns the request under the cursor; `undefined` in unrelated documents. */
export function helpedText(
  documents: BatchDocuments,
  document: vscode.TextDocument,
  position: vscode.Position,
): HelpedText | undefined {
  if (document.uri.scheme === lineScheme) {
    const isHelped = hasJsonService() && document.languageId === 'json';
    return { text: document.getText(), offset: document.offsetAt(position), start: 0, isHelped };
  }
  const { text, range } = document.lineAt(position.line);
  const isNew = isEmptyFile(document) || (document.lineCount === 1 && isOneWord(text));
  if (!documents.get(document.uri) && !isNew) return undefined;
  return { text, offset: position.character, start: document.offsetAt(range.start), isHelped: false };
}

/** Whether a line has no more than the beginning of a snippet's name. */
export function isOneWord(text: string): boolean {
  return /^[a-z][\w-]{0,40}$|^$/i.test(text);
}

/** Some builds of the editor lack the JSON service. */
export function hasJsonService(): boolean {
  return vscode.extensions.getExtension('vscode.json-language-features') !== undefined;
}

export function rangeOf(
  document: vscode.TextDocument,
  { start }: HelpedText,
  span: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start + span.start), document.positionAt(start + span.end));
}
