import * as vscode from 'vscode';
import { reorderSplit } from '../../../core/ranking/reorderParts';
import type { Replacements } from '../../../platform/workspace/replacements';
import { UserError } from '../../../platform/errors/userError';
import type { ScoreGutter } from './scoreGutter';
import { afterOrder, findRange } from './splitRange';
import type { SplitRange } from './splitRange';

/** Parts of a document to be reordered. */
export interface NewOrder extends SplitRange {
  /** Indexes of the parts; if fewer than all, the others are removed. */
  readonly order: readonly number[];
  /** Localized title of the diff, for example `notes.md: by score`. */
  readonly title: string;
  /** Called once the document has the new text, with its range and split. */
  readonly onApplied?: (place: SplitRange) => void;
}

/** Shows the reordered document in a diff, and moves the scores in `gutter` along with their parts. Once the user applies it, it is written as one undo step. */
export async function applyOrder(newOrder: NewOrder, replacements: Replacements, gutter?: ScoreGutter): Promise<void> {
  const { text, split, order, title, onApplied } = newOrder;
  const { document, range } = await findRange(newOrder);
  const made = reorderSplit(text, split, order);
  if (made.text === text) throw nothingToDo();
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await replacements.propose({
    document,
    range,
    text: made.text,
    title: () => title,
    viewColumn: shown?.viewColumn,
    onApplied: (written) => {
      const then = (scored: { readonly scores: Parameters<typeof afterOrder>[0] }) => ({
        ...made,
        scores: afterOrder(scored.scores, order),
      });
      gutter?.replace(document.uri, then, written.start);
      onApplied?.({ document, range: written, ...made });
    },
  });
}

function nothingToDo(): UserError {
  return new UserError(vscode.l10n.t('The text is already sorted this way'), vscode.l10n.t('No reordering is needed.'));
}
