import * as vscode from 'vscode';
import { movedSpan } from '../../core/completion/movedSpan';
import type { Span } from '../../core/completion/movedSpan';
import type { Disposable } from '../../platform/disposables';

/** A part of a document that is known through edits. Whoever made it disposes of it. */
export interface TrackedRange extends Disposable {
  readonly document: vscode.TextDocument;
  /** `undefined` from when someone wrote into it, or closed the document. */
  readonly span: Span | undefined;
}

export function trackRange(document: vscode.TextDocument, at: Span): TrackedRange {
  let span: Span | undefined = at;
  let { eol } = document;
  let lines = rangeOf(document, at);
  const listening = [
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document || !span) return;
      // The change that gives the whole document other line ends is none of the text.
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

/** Line ends of another kind move offsets, but no lines. */
function spanOf(document: vscode.TextDocument, { start, end }: vscode.Range): Span {
  return { start: document.offsetAt(start), end: document.offsetAt(end) };
}
