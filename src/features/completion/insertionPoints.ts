import * as vscode from 'vscode';
import type { Span } from '../../core/completion/movedSpan';
import { promptsOf } from './prompts';
import type { Way } from './prompts';
import { trackRange } from './trackedRange';
import type { TrackedRange } from './trackedRange';

/** A text to complete, and the range that its answer replaces. */
export interface InsertionPoint extends TrackedRange {
  readonly prompt: string;
  /** Whether the beginning of the text before the cursor was left out. */
  readonly isCut: boolean;
  /** Range of the prompt. */
  readonly asked: TrackedRange;
}

/** Returns the prompts of an editor with their insertion points. Throws `UserError` if there is nothing to complete. */
export function insertionPointsOf(editor: vscode.TextEditor, way: Way, mostTokens: number): readonly InsertionPoint[] {
  const { document } = editor;
  return promptsOf(editor, way, mostTokens).map(({ selection, prompt, isCut }) => {
    const end = document.offsetAt(selection.end);
    const start = way === 'replace' ? document.offsetAt(selection.start) : end;
    return makePlace(document, { start, end }, { prompt, isCut, asked: { start: end - prompt.length, end } });
  });
}

/** Returns an insertion point that continues after an answer. */
export function insertionPointAfter(document: vscode.TextDocument, at: number, prompt: string): InsertionPoint {
  return makePlace(document, { start: at, end: at }, { prompt, isCut: false, asked: { start: at, end: at } });
}

function makePlace(
  document: vscode.TextDocument,
  at: Span,
  { prompt, isCut, asked: askedAt }: { readonly prompt: string; readonly isCut: boolean; readonly asked: Span },
): InsertionPoint {
  const target = trackRange(document, at);
  const asked = trackRange(document, askedAt);
  return {
    document,
    prompt,
    isCut,
    asked,
    get span() {
      return target.span;
    },
    dispose() {
      target.dispose();
      asked.dispose();
    },
  };
}

/** Whether the document is writable, as far as can be known before writing. */
export function isWritable({ uri }: vscode.TextDocument): boolean {
  return (
    uri.scheme === 'untitled' || uri.scheme === 'file' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true
  );
}
