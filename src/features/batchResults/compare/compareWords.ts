import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  runLetter,
  type ComparedAnswer,
  type ComparedCell,
  type ComparedCounts,
  type ComparisonDetails,
  type ComparisonRow,
  type ComparisonSummary,
} from '../../../core/batch/results/compare/comparisonView';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import { foreign } from '../../../core/text/foreignText';
import { numberText } from '../../../platform/displayText';
import type {
  CompareCell,
  CompareDetails,
  ComparedRate,
  ComparedRun,
  CompareRow,
  CompareSide,
  CompareSummary,
  CompareTab,
} from '../../../protocol/batchCompare';
import { numberFormat } from '../../../protocol/formats';
import { costAmount, costText } from '../../../services/usage/costMessages';
import type { Costs } from '../../../services/usage/costs';
import { detailsOf, failureText } from '../page/detailsWords';
import { modelOf, startText } from '../page/resultsHead';
import { headingOf, noTextWords } from '../page/resultsWords';
import type { RunState } from '../run/shownRun';

const number = (value: number): string => numberText(value, vscode.env.language);

/** Describes the runs of a comparison. Runs of the same model are named by what distinguishes them too. */
export function comparedRuns(
  states: readonly RunState[],
  costs: Costs,
  read: readonly ResultsSummary[] = [],
): readonly ComparedRun[] {
  const runs = states.map((state, place) => comparedRun(state, { number: place, costs, read: read[place] }));
  let names = runs.map(({ name }) => name);
  for (const more of [modeOf, startText]) {
    const known = names;
    names = known.map((name, place) => {
      const isAlone = known.indexOf(name) === known.lastIndexOf(name);
      return isAlone ? name : [name, more(states[place]!)].filter(Boolean).join(' · ');
    });
  }
  return runs.map((run, place) => ({ ...run, name: names[place]! }));
}

/** Says whether the requests of a run were sent as a batch; `undefined` for result files. */
function modeOf({ folder, job }: RunState): string | undefined {
  if (folder?.run.kind === 'local') return l10n.t('direct');
  return folder || job ? l10n.t('batch') : undefined;
}

/** Describes a run. `read`: its results, once they are known. */
function comparedRun(
  state: RunState,
  {
    number: place,
    costs,
    read,
  }: { readonly number: number; readonly costs: Costs; readonly read: ResultsSummary | undefined },
): ComparedRun {
  const { folder, job, name } = state;
  const cost = costs.of(job?.id ?? folder?.run.jobId ?? '');
  const amount = costAmount(cost);
  const compact = numberFormat(vscode.env.language, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    letter: runLetter(place),
    name: foreign(modelOf(state) ?? name),
    facts: [foreign(folder?.run.name ?? name), modeOf(state), startText(state)].filter(Boolean).join(' · '),
    hint: [job?.batch?.id ?? folder?.run.batchId, folder?.path && path.basename(folder.path)]
      .filter(Boolean)
      .join('\n'),
    cost: amount?.text ?? '',
    costHint: amount?.hint ?? costText(cost)?.text ?? l10n.t('Cost unknown'),
    tokens: read ? [read.tokensIn, read.tokensOut].map((tokens) => compact.format(tokens)).join(' + ') : '',
  };
}

export function compareSummaryOf(read: ComparisonSummary, reference: number): CompareSummary {
  const { rows, changed, same, unanswered, better, worse, answeredByAll, runs } = read;
  const tabs: readonly (readonly [CompareTab, number | undefined])[] = [
    ['all', rows],
    ['changed', changed],
    ['worse', worse],
    ['better', better],
    ['unanswered', unanswered],
    ['same', same],
  ];
  return {
    counts: tabs.flatMap(([tab, count]) => (count === undefined ? [] : [{ tab, count, text: number(count) }])),
    facts: [
      rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', number(rows)),
      l10n.t('{0} answered by all', number(answeredByAll)),
    ].join(' · '),
    runs: runs.map((run, place) => ({
      answered: number(run.answered),
      ...(run.expected && { rate: rateOf(run.expected) }),
      difference: place === reference ? '' : differenceText(run),
    })),
    notices:
      rows > 0 && answeredByAll === 0
        ? [
            {
              tone: 'warning',
              title: l10n.t('No request has a response in all runs'),
              detail: runs.some(({ answered }) => answered === 0)
                ? l10n.t('At least one run has no complete responses. Retry its requests.')
                : l10n.t('Choose runs of the same batch file.'),
              actions: [],
            },
          ]
        : [],
  };
}

function rateOf({ estimate, low, high }: NonNullable<ComparedCounts['expected']>): ComparedRate {
  const percent = numberFormat(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
  const hint = l10n.t('95% interval: {0} to {1}', percent.format(low), percent.format(high));
  return { text: percent.format(estimate), hint, estimate, low, high };
}

/** Describes how a run differs from the reference run: in its expected answers, or else in its answers. */
function differenceText({ difference, changed, same }: ComparedCounts): string {
  if (!difference) return l10n.t('{0} changed, {1} the same', number(changed), number(same));
  const points = numberFormat(vscode.env.language, { maximumFractionDigits: 1 });
  const signed = numberFormat(vscode.env.language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const { estimate, low, high, better, worse } = difference;
  return [
    l10n.t(
      '{0} points ({1} to {2})',
      signed.format(estimate * 100),
      points.format(low * 100),
      points.format(high * 100),
    ),
    l10n.t('{0} better, {1} worse', number(better), number(worse)),
  ].join(' · ');
}

export function compareRowOf({ row, heading, customId, state, request, cells }: ComparisonRow): CompareRow {
  return {
    row,
    ...(heading && { heading: headingOf(heading) }),
    customId,
    state,
    request,
    cells: Object.fromEntries(Object.entries(cells).map(([id, cell]) => [id, cellOf(id, cell)])),
  };
}

function cellOf(id: string, { text, state, isChanged = false, isAsExpected }: ComparedCell): CompareCell {
  const shown = { isChanged, ...(isAsExpected !== undefined && { isAsExpected }) };
  if (state === 'none') return { ...shown, text: l10n.t('not in this run'), tone: 'muted' };
  const isAnswer = id.startsWith('run:answer') || id.startsWith('response:');
  if (state === undefined || !isAnswer) return { ...shown, text, tone: 'plain' };
  if (state === 'missing') return { ...shown, text: l10n.t('no response'), tone: 'muted' };
  const isFailed = state === 'failed' || state === 'expired' || state === 'canceled';
  if (isFailed) return { ...shown, text: text || l10n.t('no reason given'), tone: 'failed' };
  return text === ''
    ? { ...shown, text: noTextWords({ state, isFailed }), tone: 'muted' }
    : { ...shown, text, tone: 'plain' };
}

export function compareDetailsOf({ row, customId, state, answers }: ComparisonDetails): CompareDetails {
  const worded = answers.flatMap(({ details }) => (details ? [detailsOf(details)] : []));
  const line = worded.find((one) => one.line !== undefined)?.line;
  return {
    row,
    ...(line !== undefined && { line }),
    customId,
    state,
    messages: worded.find(({ messages }) => messages.length > 0)?.messages ?? [],
    source: worded.find(({ source }) => source.length > 0)?.source ?? [],
    sides: answers.map(sideOf),
  };
}

function sideOf({ details, pieces, uncompared, isAsExpected }: ComparedAnswer): CompareSide {
  if (!details) return { pieces: [plain(l10n.t('not in this run'))], tone: 'muted', facts: [] };
  const worded = detailsOf(details);
  const facts = worded.facts;
  if (details.failure) return { pieces: [plain(failureText(details.failure))], tone: 'failed', facts };
  if (details.state === 'missing') return { pieces: [plain(l10n.t('no response'))], tone: 'muted', facts };
  return {
    pieces: pieces.length > 0 ? pieces : worded.answers.map(({ text }) => plain(text)),
    tone: 'plain',
    ...(isAsExpected !== undefined && { isAsExpected }),
    facts,
    ...(uncompared > 0 && { cut: l10n.t('… {0} more characters', number(uncompared)) }),
  };
}

function plain(text: string) {
  return { text, differs: false };
}
