import * as vscode from 'vscode';
import { scoreParts } from '../../../core/ranking/scoreParts';
import { afterEdit, trackParts } from '../../../core/ranking/trackedParts';
import type { TextEdit, TrackedPart, TrackedText } from '../../../core/ranking/trackedParts';
import type { DrawnScore } from './scoreDecorations';
import { lineText } from './scoreText';
import type { ScoredText, ShownScores } from './shownScores';
import type { PartScore, ScoreFacts } from './scoreText';

/** Edits per event that are applied individually; more are treated as one. */
const mostEdits = 200;

/** The scores of one document, which may be edited meanwhile. */
export class ScoredDocument {
  /** Scored texts, the current one first: undo may bring an earlier one back. */
  private known: readonly ScoredText[] = [];
  private tracked: TrackedText;
  private byPart: ReadonlyMap<number, PartScore> = new Map();

  private cached?: { readonly tracked: TrackedText; readonly drawn: readonly DrawnScore[] };
  readonly uri: vscode.Uri;
  readonly facts: ScoreFacts;

  constructor(shown: ShownScores, document: vscode.TextDocument, start: vscode.Position) {
    const { text, split, scores, query, model } = shown;
    this.uri = document.uri;
    this.facts = { query, model, count: scores.length };
    this.tracked = this.take({ text, split, scores }, document.offsetAt(start));
  }

  /** In document order. */
  get parts(): readonly (TrackedPart & PartScore)[] {
    return this.tracked.parts.flatMap((part) => {
      const score = this.byPart.get(part.index);
      return score ? [{ ...part, ...score }] : [];
    });
  }

  /** Returns the scores to draw; that of a multi-line part is at the end of its first line. Cached per version of the document. */
  drawn(document: vscode.TextDocument): readonly DrawnScore[] {
    if (this.cached?.tracked === this.tracked) return this.cached.drawn;
    const drawn = this.parts.map((part) => {
      const { line } = document.positionAt(part.start);
      const end = document.positionAt(part.end);
      const at = end.line === line ? end : document.lineAt(line).range.end;
      return { line, at, text: lineText(part, part), level: part.level, isOld: part.isOld };
    });
    this.cached = { tracked: this.tracked, drawn };
    return drawn;
  }

  get scored(): ScoredText {
    return this.known[0]!;
  }

  /** Tracks a new text with the same parts in other positions. */
  replace(scored: ScoredText, start: number): void {
    this.tracked = this.take(scored, start);
  }

  /** Applies an edit; returns whether any of the text is left. */
  edit({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
    const edits = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
      start: rangeOffset,
      removed: rangeLength,
      text,
    }));
    const all = edits.length > mostEdits ? [joined(edits, document)] : edits;
    // Edits come last to first, so that none shifts another. `readText` sees the text after all of them.
    let more = all.reduce((sum, { text, removed }) => sum + text.length - removed, 0);
    for (const edit of all) {
      more -= edit.text.length - edit.removed;
      const offset = more;
      const after = afterEdit(this.tracked, edit, (start, end) => readText(document, start + offset, end + offset));
      if (!after) return false;
      this.tracked = after;
    }
    this.restore(document);
    return true;
  }

  private restore(document: vscode.TextDocument): void {
    const { start, end, parts } = this.tracked;
    if (parts.length === this.scored.split.parts.length && !parts.some(({ isOld }) => isOld)) return;
    const fitting = this.known.filter(({ text }) => text.length === end - start);
    if (fitting.length === 0) return;
    const now = readText(document, start, end);
    const same = fitting.find(({ text }) => text === now);
    if (same) this.tracked = this.take(same, start);
  }

  private take(scored: ScoredText, start: number): TrackedText {
    this.known = [scored, ...this.known.filter((one) => one !== scored)];
    const bars = scoreParts(scored.scores.map(({ score }) => score));
    this.byPart = new Map(
      scored.scores.map(({ index, score }, at) => [index, { score, rank: at + 1, level: levelOf(bars[at]!) }]),
    );
    return trackParts(scored.text, scored.split, start);
  }
}

function levelOf(part: number): number {
  return Math.min(4, Math.floor(part * 5));
}

/** Combines edits into one, from the first to the last. */
function joined(edits: readonly TextEdit[], document: vscode.TextDocument): TextEdit {
  const first = edits.at(-1)!;
  const last = edits[0]!;
  const more = edits.reduce((sum, { text, removed }) => sum + text.length - removed, 0);
  const end = last.start + last.removed;
  return { start: first.start, removed: end - first.start, text: readText(document, first.start, end + more) };
}

function readText(document: vscode.TextDocument, start: number, end: number): string {
  return document.getText(new vscode.Range(document.positionAt(start), document.positionAt(end)));
}
