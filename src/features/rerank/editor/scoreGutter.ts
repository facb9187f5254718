import * as vscode from 'vscode';
import { setContext } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { createScoreDecorations, scoreHover, lineText } from './scoreDecorations';
import type { DrawnScore, PartScore, ScoreFacts } from './scoreDecorations';
import { findRange } from './liveRange';
import type { ScoredText, ShownScores } from './liveRange';
import { ranksOf } from '../../../core/ranking/rankInSlices';
import { scoreParts, shortScore } from '../../../core/ranking/scoreText';
import { afterEdit, trackParts } from '../../../core/ranking/trackedParts';
import type { TextEdit, TrackedPart, TrackedText } from '../../../core/ranking/trackedParts';

/** Scores next to the parts of documents, in every editor that shows them. They are removed when the document is closed. */
export interface ScoreGutter extends Disposable {
  /** Replaces the document's scores. Throws `UserError` if the text has changed. */
  show(scores: ShownScores): Promise<void>;
  isShown(uri: vscode.Uri): boolean;
  /** Clears the scores of one document, or of all. */
  clear(uri?: vscode.Uri): void;
  /** Updates scores after the parts of a document were reordered: `text` is now at `start`. Does nothing without scores. */
  replace(uri: vscode.Uri, text: (scored: ScoredText) => ScoredText, start: vscode.Position): void;
  /** The scores that are drawn, in document order. */
  drawn(document: vscode.TextDocument): readonly DrawnScore[];
  /** Fires when scores are shown, cleared, or affected by an edit. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

/** Redraw delay: while the user types, VS Code moves decorations itself, and redrawing many thousands takes longer than a frame. */
const redrawMs = 100;
const partsPerMs = 50;

export function createScoreGutter(): ScoreGutter {
  const store = new DisposableStore();
  const decorations = store.add(createScoreDecorations());
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const shown = new Map<string, ScoredDocument>();
  const of = (uri: vscode.Uri): ScoredDocument | undefined => shown.get(uri.toString());
  const drawnOf = ({ document }: vscode.TextEditor) => of(document.uri)?.drawn(document) ?? [];
  const draw = (editor: vscode.TextEditor): void => decorations.draw(editor, drawnOf(editor));
  const tell = (uri: vscode.Uri): void => {
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document.uri.toString() === uri.toString()) draw(editor);
    void setContext('inferenceDesk.scoresShown', shown.size > 0);
    changed.fire(uri);
  };
  const late = store.add(createLateCalls(tell));
  const clear = (uri: vscode.Uri): void => {
    if (shown.delete(uri.toString())) tell(uri);
  };

  store.add(onDidEdit(of, { onKeep: late.call, gone: clear }));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => isClosed && clear(uri)));
  store.add(vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(draw)));
  store.add(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
      if (of(textEditor.document.uri)) decorations.drawVisible(textEditor, drawnOf(textEditor));
    }),
  );
  store.add(
    vscode.languages.registerHoverProvider('*', {
      provideHover: (document, position) => hoverAt(document, position, of(document.uri)),
    }),
  );

  return {
    async show(scores) {
      const { document, range } = await findRange(scores);
      shown.set(document.uri.toString(), new ScoredDocument(scores, document, range.start));
      tell(document.uri);
    },
    isShown: (uri) => of(uri) !== undefined,
    clear: (uri) => (uri ? clear(uri) : [...shown.values()].forEach((scored) => clear(scored.uri))),
    replace(uri, text, start) {
      const scored = of(uri);
      const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
      if (!scored || !document) return;
      scored.replace(text(scored.scored), document.offsetAt(start));
      tell(uri);
    },
    drawn: (document) => of(document.uri)?.drawn(document) ?? [],
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}

/** Reports whether an edit of a scored document leaves any scores. */
function onDidEdit(
  of: (uri: vscode.Uri) => ScoredDocument | undefined,
  tell: { readonly onKeep: (uri: vscode.Uri, waitMs: number) => void; readonly gone: (uri: vscode.Uri) => void },
): Disposable {
  return vscode.workspace.onDidChangeTextDocument((event) => {
    const { uri } = event.document;
    const scored = of(uri);
    if (!scored || event.contentChanges.length === 0) return;
    if (scored.edit(event)) tell.onKeep(uri, redrawMs + scored.facts.count / partsPerMs);
    else tell.gone(uri);
  });
}

/** Calls `tell` once per document, `waitMs` after the first of several calls. */
function createLateCalls(
  tell: (uri: vscode.Uri) => void,
): Disposable & { readonly call: (uri: vscode.Uri, waitMs: number) => void } {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    call(uri, waitMs) {
      const key = uri.toString();
      if (timers.has(key)) return;
      const run = (): void => {
        timers.delete(key);
        tell(uri);
      };
      timers.set(key, setTimeout(run, waitMs));
    },
    dispose: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}

function hoverAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  scored: ScoredDocument | undefined,
): vscode.Hover | undefined {
  const offset = document.offsetAt(position);
  const part = scored?.parts.find(({ start, end }) => start <= offset && offset <= end);
  if (!scored || !part) return undefined;
  const range = new vscode.Range(document.positionAt(part.start), document.positionAt(part.end));
  return new vscode.Hover(scoreHover(part, part, scored.facts), range);
}

/** Edits per event that are applied individually; more are treated as one. */
const mostEdits = 200;

/** The scores of one document, which can be edited in the meantime. */
class ScoredDocument {
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
      return {
        line,
        at,
        text: lineText(part, part),
        short: shortScore(part.score, vscode.env.language),
        level: part.level,
        isOld: part.isOld,
      };
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
    // Edits are sorted last to first, so that none shifts another. `readText` sees the text after all of them.
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
    const ranks = ranksOf(scored.scores);
    this.byPart = new Map(
      scored.scores.map(({ index, score }, at) => [index, { score, rank: ranks[at]!, level: levelOf(bars[at]!) }]),
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
