import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { orderByRank } from '../../../core/ranking/reorderParts';
import type { Replacements } from '../../../platform/workspace/replacements';
import { UserError } from '../../../platform/errors/userError';
import { rankedOf } from '../controller/rankedDocuments';
import type { RerankController } from '../controller/rerankController';
import { applyOrder } from '../editor/applyOrder';
import type { ScoreGutter } from '../editor/scoreGutter';
import type { SplitRange } from '../editor/splitRange';
import { liveRange, openSource } from './liveRange';
import { numberText } from '../../../platform/displayText';
import { foreign } from '../../../core/text/foreignText';

/** Applies a ranking to the source text in its editor. */
export interface EditorScores {
  isShown(controller: RerankController): boolean;
  show(controller: RerankController, isShown: boolean): Promise<void>;
  /** Shows a diff with the documents by score; `keep` keeps only the best ones. `onApplied` receives the text that was written. */
  reorder(
    controller: RerankController,
    keep: number | undefined,
    onApplied: (written: Reordered) => void,
  ): Promise<void>;
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
    isShown(controller) {
      const uri = uriOf(controller);
      return uri !== undefined && gutter.isShown(uri);
    },
    async show(controller, isShown) {
      const uri = uriOf(controller);
      if (!isShown) {
        if (uri) gutter.clear(uri);
        return;
      }
      const { order, ...ranking } = controller.ranking;
      const { query, model } = order;
      await gutter.show({
        ...(await placeOf(controller)),
        scores: rankedOf({ order, ...ranking }).scores,
        query,
        model,
      });
    },
    async reorder(controller, keep, onApplied) {
      const { scores } = rankedOf(controller.ranking);
      const count = controller.source.documents.list.length;
      const order = keep === undefined ? orderByRank(scores, count) : scores.slice(0, keep).map(({ index }) => index);
      const name = controller.source.source.texts[0]?.name ?? '';
      const title =
        keep === undefined
          ? l10n.t('{0}: sorted by score', foreign(name))
          : l10n.t('{0}: top {1}', foreign(name), numberText(order.length, vscode.env.language));
      const place = await placeOf(controller);
      await applyOrder(
        { ...place, order, title, onApplied: ({ text, range }) => onApplied({ text, start: range.start, order }) },
        replacements,
        gutter,
      );
    },
  };
}

function uriOf(controller: RerankController): vscode.Uri | undefined {
  const { source } = controller.record;
  const uri = source?.texts.length === 1 ? source.texts[0]?.at?.uri : undefined;
  return uri === undefined ? undefined : vscode.Uri.parse(uri, true);
}

/** Throws `UserError` if the documents are not parts of one text, or it cannot be opened. */
async function placeOf({ source }: RerankController): Promise<SplitRange> {
  const [text] = source.source.texts;
  const [split] = source.documents.splits;
  if (!source.isOneText || !text?.at || !split) {
    throw new UserError(
      l10n.t('Single file or selection required'),
      l10n.t("Scores in the editor and reordering aren't available for other sources."),
    );
  }
  const document = await openSource(text.at.uri, text.name, l10n.t('Choose the source again and rerank it.'));
  const start = new vscode.Position(text.at.line, text.at.character);
  const range = liveRange(document, text.text, start) ?? new vscode.Range(start, start);
  return { document, range, text: text.text, split };
}
