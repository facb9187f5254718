import type * as vscode from 'vscode';
import { DisposableStore } from '../disposables';
import type { Disposable } from '../disposables';
import { onceDisposable } from '../once';

/** A new text for a range of a document. */
export interface Replacement {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly text: string;
  /** Returns the localized title of the diff for a file name. */
  readonly title: (name: string) => string;
  /** Group the diff opens in; the active one by default. */
  readonly viewColumn?: vscode.ViewColumn | undefined;
  /** Called once the document has the text, with the range of that text. */
  readonly onApplied?: (written: vscode.Range) => void;
}

/** Replacements, each waiting in a diff for the user to apply or discard it. */
export interface Replacements extends Disposable {
  /** Shows the document as it would become, without changing it. Throws a `UserError` if the document is read-only. */
  propose(replacement: Replacement): Promise<void>;
  /**
   * Applies it as one undo step. `proposal` is the URI of the diff's right side, as passed by the editor's title menu; else the active
   * diff's is used. Throws a `UserError` if the document has changed since.
   */
  apply(proposal: unknown): Promise<void>;
  discard(proposal: unknown): Promise<void>;
}

export function createReplacements(): Replacements {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./replacementDiffs')).createReplacementDiffs());
  return {
    propose: async (replacement) => (await load()).propose(replacement),
    apply: async (proposal) => (await load()).apply(proposal),
    discard: async (proposal) => (await load()).discard(proposal),
    dispose: () => store.dispose(),
  };
}
