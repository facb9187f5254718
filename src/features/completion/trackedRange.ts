import * as vscode from 'vscode';
import { movedSpan } from '../../core/completion/movedSpan';
import type { Span } from '../../core/completion/movedSpan';
import type { Disposable } from '../../platform/disposables';

/** A range of a document that is tracked through edits. The caller disposes it. */
export interface TrackedRange extends Disposable {
  readonly document: vscode.TextDocument;
  /** `undefined` once someone edits inside it, or the document is closed. */
  readonly span: Span | undefined;
}

export function trackRange(document: vscode.TextDocument, at: Span): TrackedRange {
  let span: Span | undefined = at;
  let { eol } = document;
  let lines = rangeOf(document, at);
  const listening = [
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document || !span) return;
      // A change of the document's line ends is not an edit of the text.
      span = document.eol === eol ? movedSpan(span, changesOf(event)) : spanOf(document, lines);
      eol = document.eol;
      if (span) lines = rangeOf(document, span);
    }),
    vscode.workspace.onDidCloseTextDocument((closed) => {
      if (closed === document) span = undefined;
    }),
  ];
  return {
    document,
    get span() {
      return span;
    },
    dispose: () => vscode.Disposable.from(...listening).dispose(),
  };
}

export function changesOf({ contentChanges }: vscode.TextDocumentChangeEvent) {
  return contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
    offset: rangeOffset,
    removed: rangeLength,
    inserted: text.length,
  }));
}

export function rangeOf(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Recomputes offsets from lines: other line ends move offsets, but not lines. */
function spanOf(document: vscode.TextDocument, { start, end }: vscode.Range): Span {
  return { start: document.offsetAt(start), end: document.offsetAt(end) };
}
