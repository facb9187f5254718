import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type {
  ComparisonDetails,
  ComparisonRow,
  ComparisonSummary,
} from '../../../core/batch/results/compare/comparisonView';
import type { ResultDetails, ResultState } from '../../../core/batch/results/resultsView';
import { numberText } from '../../../platform/displayText';
import type {
  CompareCell,
  CompareDetails,
  CompareRow,
  CompareSide,
  CompareSummary,
  PairTab,
} from '../../../protocol/batchCompare';
import { detailsOf, failureText } from '../page/detailsWords';
import { noTextWords } from '../page/resultsWords';
import { numberFormat } from '../../../protocol/formats';

const number = (value: number): string => numberText(value, vscode.env.language);

export function compareSummaryOf(read: ComparisonSummary): CompareSummary {
  const { pairs, same, different, onlyA, onlyB, neither, agreement } = read;
  const tabs: readonly (readonly [PairTab, number])[] = [
    ['all', pairs],
    ['same', same],
    ['different', different],
    ['onlyA', onlyA],
    ['onlyB', onlyB],
    ['neither', neither],
  ];
  const isOften = (tab: PairTab) => tab === 'all' || tab === 'same' || tab === 'different';
  const percent = numberFormat(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
  return {
    counts: tabs
      .filter(([tab, count]) => count > 0 || isOften(tab))
      .map(([tab, count]) => ({ tab, count, text: number(count) })),
    agreement:
      agreement === undefined
        ? l10n.t('No request has a response in both runs')
        : l10n.t('Matching common responses: {0} of {1}', percent.format(agreement), number(same + different)),
    notices:
      pairs > 0 && same + different + neither === 0
        ? [
            {
              tone: 'warning',
              title: l10n.t('No request has a response in both runs'),
              detail: l10n.t('Choose two runs of the same batch file.'),
              actions: [],
            },
          ]
        : [],
  };
}

export function compareRowOf({ row, customId, state, request, a, b, stateA, stateB }: ComparisonRow): CompareRow {
  return { row, customId, state, request, a: cellOf(a, stateA), b: cellOf(b, stateB) };
}

function cellOf(text: string, state: ResultState | 'none'): CompareCell {
  if (state === 'none') return { text: l10n.t('not in this run'), tone: 'muted' };
  if (state === 'missing') return { text: l10n.t('no response'), tone: 'muted' };
  const isFailed = state === 'failed' || state === 'expired' || state === 'canceled';
  if (isFailed) return { text: text || l10n.t('no reason given'), tone: 'failed' };
  return text === '' ? { text: noTextWords({ state, isFailed }), tone: 'muted' } : { text, tone: 'plain' };
}

export function compareDetailsOf({ row, customId, state, a, b, diff, uncompared }: ComparisonDetails): CompareDetails {
  const asked = a ?? b;
  const line = a?.line;
  return {
    row,
    ...(line !== undefined && { line }),
    customId,
    state,
    messages: asked ? detailsOf(asked).messages : [],
    a: sideOf(a, diff, 'a', uncompared.a),
    b: sideOf(b, diff, 'b', uncompared.b),
  };
}

function sideOf(
  details: ResultDetails | undefined,
  diff: ComparisonDetails['diff'],
  kind: 'a' | 'b',
  cut: number,
): CompareSide {
  if (!details) return { pieces: [plain(l10n.t('not in this run'))], tone: 'muted', facts: [] };
  const worded = detailsOf(details);
  const facts = worded.facts;
  if (details.failure) return { pieces: [plain(failureText(details.failure))], tone: 'failed', facts };
  if (details.state === 'missing') return { pieces: [plain(l10n.t('no response'))], tone: 'muted', facts };
  const pieces = diff
    .filter((piece) => piece.kind === 'same' || piece.kind === kind)
    .map((piece) => ({ text: piece.text, differs: piece.kind !== 'same' }));
  const alone = pieces.length > 0 ? pieces : worded.answers.map(({ text }) => plain(text));
  return {
    pieces: alone,
    tone: 'plain',
    facts,
    ...(cut > 0 && { cut: l10n.t('… {0} more characters', number(cut)) }),
  };
}

function plain(text: string) {
  return { text, differs: false };
}
