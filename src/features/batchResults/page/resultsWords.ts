import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { referenceColumn } from '../../../core/batch/results/columns';
import { retriedStates, unansweredStates } from '../../../core/batch/results/resultsView';
import type {
  ResultsRow,
  ResultsSummary as Read,
  RetriedState,
  RowsHeading,
  ResultState,
} from '../../../core/batch/results/resultsView';
import { bytesText, numberText } from '../../../platform/displayText';
import { numberFormat } from '../../../protocol/formats';
import type {
  ResultsHeading,
  ResultsNotice,
  ResultsRetry,
  ResultsSummary,
  ResultsTab,
  ResultsTableRow,
} from '../../../protocol/batchResults';

const number = (value: number): string => numberText(value, vscode.env.language);

export function summaryOf(read: Read): ResultsSummary {
  const counts = tabsOf(read).map(([tab, count]) => ({ tab, count, text: number(count) }));
  return {
    counts,
    groups: read.groups.map(({ group, code, message, count, rows }) => ({
      group,
      text: [code, message].filter(Boolean).join(' · ') || l10n.t('no reason given'),
      count: number(count),
      row: rows[0] ?? 0,
    })),
    retry: hasLines(read) ? retriesOf(read) : {},
    facts: tokensText(read.tokensIn, read.tokensOut) ?? '',
    notices: readNotices(read),
    hasInput: hasLines(read),
    columns: columnsOf(read),
    ...(read.columns.unexpected !== undefined && { unexpected: number(read.columns.unexpected) }),
  };
}

/** Adds the column of the run that this one is compared with. */
export function addReference(summary: ResultsSummary, label: string, different: number): ResultsSummary {
  const { columns } = summary;
  const column = { id: referenceColumn, group: 'reference', label, isNumber: false, share: '' } as const;
  const at = columns.defaults.indexOf('run:tokens');
  const defaults = columns.defaults.toSpliced(at < 0 ? columns.defaults.length : at, 0, referenceColumn);
  return {
    ...summary,
    columns: { ...columns, all: [...columns.all, column], defaults },
    reference: { label, different: number(different) },
  };
}

function columnsOf({ columns: { all, defaults, source } }: Read): ResultsSummary['columns'] {
  const shown = all.map(({ kind, ...column }) => ({ ...column, isNumber: kind === 'number' }));
  return columnWords({ all: shown, defaults, ...(source !== undefined && { source }) });
}

/** Localizes the labels and shares of columns. */
export function columnWords({ all, defaults, source }: UnwordedColumns): ResultsSummary['columns'] {
  return {
    all: all.map(({ id, group, label, isNumber, share }) => ({
      id,
      group,
      label: group === 'run' ? runColumnText(label) : label,
      isNumber,
      share: share === 1 ? '' : percentText(share),
    })),
    defaults,
    ...(source !== undefined && { source }),
  };
}

/** Columns without localized texts. */
interface UnwordedColumns {
  readonly all: readonly (Omit<ResultsSummary['columns']['all'][number], 'share'> & { readonly share: number })[];
  readonly defaults: readonly string[];
  readonly source?: string;
}

/** Rounds so that 0 % and 100 % are only shown for none and all. */
function percentText(share: number): string {
  const percent = share > 0 && share < 1 ? Math.min(99, Math.max(1, Math.round(share * 100))) : share * 100;
  return numberFormat(vscode.env.language, { style: 'percent' }).format(percent / 100);
}

function runColumnText(name: string): string {
  switch (name) {
    case 'state':
      return l10n.t('State');
    case 'line':
      return l10n.t('Line');
    case 'request':
      return l10n.t('Request');
    case 'answer':
      return l10n.t('Response');
    case 'model':
      return l10n.t('Model');
    case 'finish':
      return l10n.t('Finish reason');
    case 'tokens':
      return l10n.t('Tokens');
    case 'tokensIn':
      return l10n.t('Tokens in');
    case 'tokensOut':
      return l10n.t('Tokens out');
    default:
      return name;
  }
}

export function headingOf({ value, count, isClosed, asExpected }: RowsHeading): ResultsHeading {
  const rows = count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', number(count));
  const share = asExpected === undefined ? undefined : l10n.t('{0} as expected', percentText(asExpected));
  return { value, label: l10n.t('No value'), facts: [rows, share].filter(Boolean).join(' · '), isClosed };
}

/** Describes the copied rows. */
export function copiedText(rows: number): string {
  return rows === 1 ? l10n.t('Copied 1 row.') : l10n.t('Copied {0} rows.', number(rows));
}

const tones = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Notices about the files, with the actions that fix the problem. */
function readNotices({ notices, input, files }: Read): readonly ResultsNotice[] {
  const findInput = { id: 'findInput', label: l10n.t('Find Input File…') };
  const fetchAgain = { id: 'fetchAgain', label: l10n.t('Download Again') };
  const isCutShort = files.some(({ badLines, problem }) => problem || badLines.some(({ kind }) => kind === 'torn'));
  return [
    ...notices.map(({ severity, text, about }) => ({
      tone: tones[severity],
      title: text,
      detail: '',
      actions: [...(about === 'input' ? [findInput] : []), ...(about === 'results' && isCutShort ? [fetchAgain] : [])],
    })),
    ...(input
      ? []
      : [
          {
            tone: 'warning' as const,
            title: l10n.t('Batch file not found'),
            detail: l10n.t("Without the batch file, requests can't be shown."),
            actions: [findInput],
          },
        ]),
  ];
}

/** Returns the tabs that are always shown, and those that are not empty. */
function tabsOf(read: Read): readonly (readonly [ResultsTab, number])[] {
  const { requests, answered, failed, extra } = read;
  const tabs: readonly (readonly [ResultsTab, number])[] = [
    ['all', requests + extra],
    ['answered', answered],
    ['truncated', read.truncated],
    ['empty', read.empty],
    ['refused', read.refused],
    ['failed', failed],
    ['expired', read.expired],
    ['canceled', read.canceled],
    ['missing', read.missing],
    ['extra', extra],
  ];
  return tabs.filter(([tab, count]) => count > 0 || tab === 'all' || tab === 'answered' || tab === 'failed');
}

function hasLines({ input }: Read): boolean {
  return input !== undefined && input.problem === undefined;
}

/** The retries offered per tab: each retries the requests that it shows, and the first one all that have no response. */
function retriesOf({ open }: Read): ResultsSummary['retry'] {
  const labels: Readonly<Record<RetriedState, (count: string) => string>> = {
    failed: (count) => l10n.t('Retry {0} Failed', count),
    expired: (count) => l10n.t('Retry {0} Expired', count),
    canceled: (count) => l10n.t('Retry {0} Canceled', count),
    missing: (count) => l10n.t('Retry {0} Missing', count),
    empty: (count) => l10n.t('Retry {0} Empty', count),
    truncated: (count) => l10n.t('Retry {0} Truncated', count),
    refused: (count) => l10n.t('Retry {0} Rejected', count),
  };
  const offered = retriedStates.filter((state) => open[state] > 0);
  const retry = (label: string, count: string, which: ResultsRetry['which']): ResultsRetry => ({
    label,
    short: l10n.t('Retry {0}', count),
    which,
  });
  const byState = offered.map((state) => {
    const count = number(open[state]);
    return [state, retry(labels[state](count), count, state)] as const;
  });
  const unanswered = byState.filter(([state]) => unansweredStates.includes(state));
  const count = number(unanswered.reduce((sum, [state]) => sum + open[state], 0));
  const isUsual = unanswered.every(([state]) => state === 'failed' || state === 'missing');
  const label = isUsual ? l10n.t('Retry {0} Failed or Missing', count) : l10n.t('Retry {0} Without a Response', count);
  const [only] = unanswered;
  return {
    ...Object.fromEntries(byState),
    ...(only && { all: unanswered.length === 1 ? only[1] : retry(label, count, 'unanswered') }),
  };
}

export function tokensText(tokensIn: number | undefined, tokensOut: number | undefined): string | undefined {
  if (!tokensIn && !tokensOut) return undefined;
  return l10n.t('{0} tokens in, {1} out', number(tokensIn ?? 0), number(tokensOut ?? 0));
}

export function rowOf({
  row,
  customId,
  state,
  isFailed,
  isFiltered,
  isRetried,
  request,
  answer,
  tokensIn,
  tokensOut,
  heading,
  cells = {},
}: ResultsRow): ResultsTableRow {
  const tokens = tokensIn === undefined && tokensOut === undefined ? undefined : (tokensIn ?? 0) + (tokensOut ?? 0);
  const words = isRetried ? l10n.t('retrying…') : state === 'missing' ? l10n.t('no response') : undefined;
  return {
    row,
    customId,
    state,
    request: state === 'extra' ? l10n.t('not in the batch file') : request,
    answer: words ?? (answer || noTextWords({ isFailed, isFiltered, state })),
    tone: words !== undefined ? 'muted' : isFailed ? 'failed' : answer ? 'plain' : 'muted',
    tokens: tokens === undefined ? '' : number(tokens),
    ...(heading && { heading: headingOf(heading) }),
    cells,
  };
}

/** Why a result has no text. */
export function noTextWords({
  isFailed,
  isFiltered,
  state,
}: {
  readonly isFailed: boolean;
  readonly isFiltered?: boolean | undefined;
  readonly state: ResultState;
}): string {
  if (isFailed) return l10n.t('no reason given');
  if (isFiltered) return l10n.t('withheld by the content filter');
  if (state === 'truncated') return l10n.t('truncated before any text');
  return state === 'refused' ? l10n.t('rejected without a reason') : l10n.t('empty response');
}

export function foundText(found: number): string {
  return found === 1 ? l10n.t('1 found so far') : l10n.t('{0} found so far', number(found));
}

export function countText(count: number, all: number): string {
  return count === all ? '' : l10n.t('{0} of {1}', number(count), number(all));
}

export function readingText(bytes: number, total: number): string {
  const { language } = vscode.env;
  return l10n.t('{0} of {1}', bytesText(bytes, language), bytesText(total, language));
}
