import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DocumentScore } from '../../../core/ranking/rankInSlices';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { foreign } from '../../../core/text/foreignText';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { UserError } from '../../../platform/errors/userError';
import { showMessage } from '../../../platform/notify';
import { findPiece, type RerankSource, type SourceDocument, type SourceText } from '../logic/documents';

/** A range of a document that was split into parts. */
export interface SplitRange {
  /** Can be closed in the meantime. */
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** Text of the range when it was split; the offsets of the parts are relative to it. */
  readonly text: string;
  readonly split: TextSplit;
}

interface FoundRange {
  readonly document: vscode.TextDocument;
  /** Current range of the text, which earlier edits may have moved. */
  readonly range: vscode.Range;
}

/** Throws `UserError` if the text has changed. */
export async function findRange({ document, range, text }: SplitRange): Promise<FoundRange> {
  const open = document.isClosed ? await reopen(document.uri) : document;
  if (open.getText(range) === text) return { document: open, range };
  const whole = open.getText();
  const at = whole.indexOf(text);
  if (text === '' || at < 0 || whole.includes(text, at + 1)) throw changed();
  return { document: open, range: new vscode.Range(open.positionAt(at), open.positionAt(at + text.length)) };
}

async function reopen(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(l10n.t("Couldn't open the file"), reasonText(error));
  }
}

function changed(): UserError {
  return new UserError(l10n.t('The text has changed since the ranking'), l10n.t('Rerank the text before you sort it.'));
}

/** Scores to show next to the parts of a document. */
export interface ShownScores extends SplitRange {
  /** Best first; `index` is that of the part. */
  readonly scores: readonly DocumentScore[];
  readonly query: string;
  readonly model: string;
}

/** Returns the scores for reordered parts: `order[0]` is the previous index of the part that is now first. */
export function afterOrder(scores: readonly DocumentScore[], order: readonly number[]): readonly DocumentScore[] {
  const places = new Map(order.map((index, place) => [index, place]));
  return scores.flatMap(({ index, score }) => {
    const place = places.get(index);
    return place === undefined ? [] : [{ index: place, score }];
  });
}

/** A text whose scores are known. */
export interface ScoredText {
  readonly text: string;
  readonly split: TextSplit;
  readonly scores: readonly DocumentScore[];
}

/** Returns the current range of a piece of a document that was read earlier; `undefined` if the piece itself was edited. */
export function liveRange(
  document: vscode.TextDocument,
  piece: string,
  { line, character }: { readonly line: number; readonly character: number },
): vscode.Range | undefined {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const standing = piece.replaceAll(/\r\n|\r|\n/g, lineEnd);
  const start = findPiece(document.getText(), standing, document.offsetAt(new vscode.Position(line, character)));
  if (start === undefined) return undefined;
  return new vscode.Range(document.positionAt(start), document.positionAt(start + standing.length));
}

/** Whether text read from a document is unchanged: a selection anywhere in it, a complete document as its entire content. */
export function stillStands(document: vscode.TextDocument, { kind }: RerankSource, text: SourceText): boolean {
  if (!text.at) return true;
  const place = liveRange(document, text.text, text.at);
  const isWhole = kind === 'file' || kind === 'files' || kind === 'tabs';
  if (!place || !isWhole) return place !== undefined;
  return place.isEqual(document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)));
}

/** Opens the source of documents. Throws `UserError` if it no longer exists. `stays` says what is not lost with it. */
export async function openSource(uri: string, name: string, stays: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  } catch {
    throw new UserError(
      l10n.t("Couldn't open {0}", foreign(name)),
      l10n.t('The file has been moved, deleted, or closed. {0}', stays),
    );
  }
}

/** Reveals a document in its source and selects it. If it was edited in the meantime, goes to its original line. */
export async function goToDocument(
  { piece, at, name }: SourceDocument,
  pageColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  if (!at) {
    throw new UserError(l10n.t("This document isn't in a file"), l10n.t('The text was read from the clipboard.'));
  }
  const document = await openSource(at.uri, name, l10n.t('The text is still shown on the Rerank page.'));
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
    void showMessage('information', l10n.t('This document has changed. The selected line is the original position.'));
  }
}

/** Returns the column where it is already open, or else one next to the page. */
function columnOf(uri: vscode.Uri, pageColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  if (group) return group.viewColumn;
  return pageColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
