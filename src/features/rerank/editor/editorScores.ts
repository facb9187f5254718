import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { orderByRank, orderWithinLists, reorderSplit } from '../../../core/ranking/reorderParts';
import type { Replacements } from '../../../platform/workspace/replacements';
import { UserError } from '../../../platform/errors/userError';
import { rankedOf } from '../logic/rankedDocuments';
import type { RerankPage } from '../logic/rerankPage';
import type { ScoreGutter } from './scoreGutter';
import { liveRange, openSource, afterOrder, findRange } from './liveRange';
import type { SplitRange } from './liveRange';
import { numberText } from '../../../platform/displayText';
import { foreign } from '../../../core/text/foreignText';

/** Applies a ranking to the source text in its editor. */
export interface EditorScores {
  isShown(page: RerankPage): boolean;
  show(page: RerankPage, isShown: boolean): Promise<void>;
  /** Shows a diff with the documents by score; `keep` keeps only the best ones. `onApplied` receives the text that was written. */
  reorder(page: RerankPage, keep: number | undefined, onApplied: (written: Reordered) => void): Promise<void>;
}

export interface Reordered {
  readonly text: string;
  /** Where the text begins now. */
  readonly start: vscode.Position;
  /** Previous index of the document now at each position. */
  readonly order: readonly number[];
}

export function createEditorScores(gutter: ScoreGutter, replacements: Replacements): EditorScores {
  return {
    isShown(page) {
      const uri = uriOf(page);
      return uri !== undefined && gutter.isShown(uri);
    },
    async show(page, isShown) {
      const uri = uriOf(page);
      if (!isShown) {
        if (uri) gutter.clear(uri);
        return;
      }
      const { parameters, ...ranking } = page.ranking;
      const { query, model } = parameters;
      await gutter.show({
        ...(await placeOf(page)),
        scores: rankedOf({ parameters, ...ranking }).scores,
        query,
        model,
      });
    },
    async reorder(page, keep, onApplied) {
      const { scores } = rankedOf(page.ranking);
      const count = page.source.documents.list.length;
      const best = keep === undefined ? orderByRank(scores, count) : scores.slice(0, keep).map(({ index }) => index);
      const name = page.source.source.texts[0]?.name ?? '';
      const title =
        keep === undefined
          ? l10n.t('{0}: sorted by score', foreign(name))
          : l10n.t('{0}: top {1}', foreign(name), numberText(best.length, vscode.env.language));
      const place = await placeOf(page);
      const order = orderWithinLists(place.split, best);
      await applyOrder(
        { ...place, order, title, onApplied: ({ text, range }) => onApplied({ text, start: range.start, order }) },
        replacements,
        gutter,
      );
    },
  };
}

function uriOf(page: RerankPage): vscode.Uri | undefined {
  const { source } = page.record;
  const uri = source?.texts.length === 1 ? source.texts[0]?.at?.uri : undefined;
  return uri === undefined ? undefined : vscode.Uri.parse(uri, true);
}

/** Throws `UserError` if the documents are not parts of one text, or it cannot be opened. */
async function placeOf({ source }: RerankPage): Promise<SplitRange> {
  const [text] = source.source.texts;
  const [split] = source.documents.splits;
  if (!source.isOneText || !text?.at || !split) {
    throw new UserError(
      l10n.t('Single file or selection required'),
      l10n.t('Only a single file or selection can show scores or be reordered.'),
    );
  }
  const document = await openSource(text.at.uri, text.name, l10n.t('Choose the source again.'));
  const start = new vscode.Position(text.at.line, text.at.character);
  const range = liveRange(document, text.text, start) ?? new vscode.Range(start, start);
  return { document, range, text: text.text, split };
}

/** Parts of a document to be reordered. */
interface NewOrder extends SplitRange {
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
  return new UserError(l10n.t('The text is already sorted this way'), l10n.t('No reordering is needed.'));
}
