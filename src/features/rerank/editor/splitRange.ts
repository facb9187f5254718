import * as vscode from 'vscode';
import type { TextSplit } from '../../../core/ranking/textSplit';
import { UserError } from '../../../platform/errors/userError';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import type { DocumentScore } from '../../../core/ranking/checkRanking';

/** A range of a document that was split into parts. */
export interface SplitRange {
  /** May be closed meanwhile. */
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
    throw new UserError(vscode.l10n.t("Couldn't open the file"), reasonText(error));
  }
}

function changed(): UserError {
  return new UserError(
    vscode.l10n.t('The text has changed since the ranking'),
    vscode.l10n.t("The text hasn't been sorted. Select the current text and rerank it."),
  );
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
