import * as vscode from 'vscode';
import { setContext } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { createScoreDecorations } from './scoreDecorations';
import type { DrawnScore } from './scoreDecorations';
import { ScoredDocument } from './scoredDocument';
import { scoreHover } from './scoreText';
import type { ScoredText, ShownScores } from './shownScores';
import { findRange } from './splitRange';

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

  store.add(onDidEdit(of, { kept: late.call, gone: clear }));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => isClosed && clear(uri)));
  store.add(vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(draw)));
  store.add(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
      if (of(textEditor.document.uri)) decorations.drawTexts(textEditor, drawnOf(textEditor));
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
  tell: { readonly kept: (uri: vscode.Uri, waitMs: number) => void; readonly gone: (uri: vscode.Uri) => void },
): Disposable {
  return vscode.workspace.onDidChangeTextDocument((event) => {
    const { uri } = event.document;
    const scored = of(uri);
    if (!scored || event.contentChanges.length === 0) return;
    if (scored.edit(event)) tell.kept(uri, redrawMs + scored.facts.count / partsPerMs);
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
