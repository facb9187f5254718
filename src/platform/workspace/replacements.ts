import type * as vscode from 'vscode';
import { DisposableStore } from '../disposables';
import type { Disposable } from '../disposables';
import { loadOnce } from '../loadOnce';

/** A text for a range of a document. */
export interface Replacement {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly text: string;
  /** Of the diff, worded, for the name of the file. */
  readonly title: (name: string) => string;
  /** Where the diff opens; the active group by default. */
  readonly viewColumn?: vscode.ViewColumn | undefined;
  /** Told once the document has the text, with the range it takes there. */
  readonly onApplied?: (written: vscode.Range) => void;
}

/** Replacements that wait, each in a diff, for a person to apply or discard them. */
export interface Replacements extends Disposable {
  /** Shows what the document becomes. Changes nothing. Throws, with words, when the document is read-only. */
  propose(replacement: Replacement): Promise<void>;
  /**
   * Writes one undo step. `proposal` is the address of the diff's right side, as the editor's title hands it over; else the active
   * diff's. Throws, with words, when the document changed since.
   */
  apply(proposal: unknown): Promise<void>;
  discard(proposal: unknown): Promise<void>;
}

export function createReplacements(): Replacements {
  const store = new DisposableStore();
  const load = loadOnce(store, async () => (await import('./replacementDiffs')).createReplacementDiffs());
  return {
    propose: async (replacement) => (await load()).propose(replacement),
    apply: async (proposal) => (await load()).apply(proposal),
    discard: async (proposal) => (await load()).discard(proposal),
    dispose: () => store.dispose(),
  };
}
