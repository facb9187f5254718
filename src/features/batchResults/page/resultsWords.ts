import * as vscode from 'vscode';
import type { ResultsRow, ResultsSummary as Read } from '../../../core/batch/results/resultsView';
import { bytesText, numberText } from '../../../platform/displayText';
import type { ResultsNotice, ResultsSummary, ResultsTab, ResultsTableRow } from '../../../protocol/batchResults';

const { l10n } = vscode;
const number = (value: number): string => numberText(value, vscode.env.language);

export function summaryOf(read: Read): ResultsSummary {
  const counts = tabsOf(read).map(([tab, count]) => ({ tab, count, text: number(count) }));
  return {
    counts,
    groups: read.groups.map(({ group, code, message, count, rows }) => ({
      group,
      text: [code, message].filter(Boolean).join(' · ') || l10n.t('no reason told'),
      count: number(count),
      row: rows[0] ?? 0,
    })),
    retry: hasLines(read) ? retriesOf(read) : {},
    facts: tokensText(read.tokensIn, read.tokensOut) ?? '',
    notices: readNotices(read),
    hasInput: hasLines(read),
  };
}

const tones = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Notices about the files, with the actions that fix the problem. */
function readNotices({ notices, input, files }: Read): readonly ResultsNotice[] {
  const findInput = { id: 'findInput', label: l10n.t('Find the Input…') };
  const fetchAgain = { id: 'fetchAgain', label: l10n.t('Fetch Again') };
  const isCutShort = files.some(({ badLines, trouble }) => trouble || badLines.some(({ kind }) => kind === 'torn'));
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
            title: l10n.t('The batch file is not known here'),
            detail: l10n.t('Without it the results stand alone: no requests beside them, and nothing that is missing.'),
            actions: [findInput],
          },
        ]),
  ];
}

/** Returns the tabs that are always shown, and those that are not empty. */
function tabsOf(read: Read): readonly (readonly [ResultsTab, number])[] {
  const { answered, failed, missing, extra } = read;
  const tabs: readonly (readonly [ResultsTab, number])[] = [
    ['all', answered + failed + missing + extra],
    ['answered', answered],
    ['failed', failed],
    ['missing', missing],
    ['extra', extra],
  ];
  return tabs.filter(([tab, count]) => count > 0 || tab === 'all' || tab === 'answered' || tab === 'failed');
}

function hasLines({ input }: Read): boolean {
  return input !== undefined && input.trouble === undefined;
}

/** The retries offered per tab: the tab of failures retries only failed requests, the tab of missing ones only those. */
function retriesOf({ open: { failed, missing } }: Read): ResultsSummary['retry'] {
  const ofFailed = { label: l10n.t('Retry {0} Failed', number(failed)), which: 'failed' } as const;
  const ofMissing = { label: l10n.t('Retry {0} Missing', number(missing)), which: 'missing' } as const;
  const ofBoth = { label: l10n.t('Retry {0} Failed or Missing', number(failed + missing)), which: 'both' } as const;
  if (failed + missing === 0) return {};
  return {
    all: missing === 0 ? ofFailed : failed === 0 ? ofMissing : ofBoth,
    ...(failed > 0 && { failed: ofFailed }),
    ...(missing > 0 && { missing: ofMissing }),
  };
}

function tokensText(tokensIn: number | undefined, tokensOut: number | undefined): string | undefined {
  if (!tokensIn && !tokensOut) return undefined;
  return l10n.t('{0} tokens in, {1} out', number(tokensIn ?? 0), number(tokensOut ?? 0));
}

export function rowOf({
  row,
  customId,
  state,
  isFailed,
  isRetried,
  request,
  answer,
  tokensIn,
  tokensOut,
}: ResultsRow): ResultsTableRow {
  const tokens = tokensIn === undefined && tokensOut === undefined ? undefined : (tokensIn ?? 0) + (tokensOut ?? 0);
  const words = isRetried ? l10n.t('retrying…') : state === 'missing' ? l10n.t('no answer in either file') : undefined;
  return {
    row,
    customId,
    state,
    request: state === 'extra' ? l10n.t('not among the requests') : request,
    answer: words ?? (answer || (isFailed ? l10n.t('no reason told') : l10n.t('an empty answer'))),
    tone: words !== undefined ? 'muted' : isFailed ? 'failed' : answer ? 'plain' : 'muted',
    tokens: tokens === undefined ? '' : number(tokens),
  };
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
