import { copyRows } from '../../src/core/batch/results/exportResults';
import type { RowTexts } from '../../src/core/batch/results/rowTexts';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import type { ResultsSource } from '../../src/core/batch/results/resultsSource';
import type { ResultDetails, ResultsRow, ResultsSummary as Read } from '../../src/core/batch/results/resultsView';
import type {
  BatchResultsScreen,
  ResultsChoice,
  ResultsDetails,
  ResultsHead,
  ResultsLayout,
  ResultsSummary,
  ResultsTableRow,
} from '../../src/protocol/batchResults';
import type { Handlers } from '../../src/protocol/call';

/** The calls of a page, in order. */
type Asked = readonly [method: string, about: unknown];

export interface ResultsHost {
  readonly handlers: Handlers<BatchResultsScreen>;
  readonly asked: readonly Asked[];
  /** Returns how often rows were requested. */
  readonly fetches: () => number;
  close(): void;
}

/** The host's end of a results page, over real files, with the host's English texts. */
export function createResultsHost(source: ResultsSource, head: ResultsHead, reference?: ResultsSource): ResultsHost {
  const asked: Asked[] = [];
  let table: ResultsTable | undefined;
  let fetches = 0;
  let isCompared = false;
  let summary: ResultsSummary | undefined;
  let layout: ResultsLayout = { columns: null, widths: {} };
  const opened = (): ResultsTable => {
    if (table) return table;
    throw new Error('nothing was read');
  };
  const note = (method: string) => async (about: unknown) => {
    asked.push([method, about]);
    return {};
  };
  return {
    asked,
    fetches: () => fetches,
    close: () => table?.close(),
    handlers: {
      'results/ready': async () => ({ resultsId: 'run 1', head, layout }),
      async 'results/load'({ again }, { signal, emit }) {
        if (again) table?.close();
        if (again || !table) {
          const onProgress = (bytes: number, total: number) => emit({ part: bytes / total, text: `${bytes} bytes` });
          table = await ResultsTable.open(source, { signal, onProgress });
        }
        summary = summaryOf(table.summary);
        const different = await table.compareWith(isCompared ? reference : undefined, { signal, onProgress: () => {} });
        if (isCompared && reference) summary = addReference(summary, 'Qwen3-14B · 09:12', different);
        return { summary };
      },
      'results/rowOf': async ({ row, customId }) => {
        if (opened().details(row).customId === customId) return { row };
        const [found] = opened().answersFor([{ customId }]);
        return found ? { row: found.row } : {};
      },
      'results/goToFault': note('goToFault'),
      'results/stop': note('stop'),
      async 'results/arrange'(choice, { signal, emit }) {
        const onProgress = (part: number, count: number, show: () => void) => {
          show();
          emit({ part, count, text: `${count} found so far` });
        };
        const count = await opened().arrange(viewOf(choice), { signal, onProgress });
        const all = summary?.counts.find(({ tab }) => tab === choice.tab)?.count;
        return { count: opened().entryCount, text: count === all ? '' : `${count} of ${all}` };
      },
      async 'results/rows'({ from, count, columns }) {
        fetches++;
        return { rows: (await opened().rows(from, count, columns)).rows.map(rowOf) };
      },
      async 'results/find'({ row }) {
        const index = opened().indexOf(row);
        return index === undefined ? {} : { index };
      },
      async 'results/details'({ row }) {
        return detailsOf(opened().details(row), opened().texts(row));
      },
      'results/goTo': note('goTo'),
      'results/copy': note('copy'),
      'results/copyText': note('copyText'),
      'results/openLink': note('openLink'),
      'results/export': note('export'),
      async 'results/copyRows'({ columns }) {
        const { text, rows } = copyRows(opened(), columns);
        asked.push(['copyRows', text]);
        return { text: `Copied ${rows} rows.` };
      },
      async 'results/layout'(next) {
        layout = next;
        asked.push(['layout', next]);
        return {};
      },
      'results/retry': note('retry'),
      'results/runAgain': note('runAgain'),
      'results/otherRun': note('otherRun'),
      async 'results/reference'({ choose }) {
        asked.push(['reference', choose]);
        isCompared = choose;
        return { isChanged: true };
      },
      'results/compare': note('compare'),
      'results/act': note('act'),
    },
  };
}

function viewOf({ tab, group, groupBy, ...choice }: ResultsChoice) {
  return { ...choice, state: tab, ...(group !== null && { group }), ...(groupBy !== null && { groupBy }) };
}

const number = (value: number) => new Intl.NumberFormat('en').format(value);

function summaryOf(read: Read): ResultsSummary {
  const { requests, answered, truncated, empty, failed, missing, extra, open } = read;
  const all = { all: requests + extra, answered, truncated, empty, failed, missing, extra };
  const tabs = Object.entries(all).filter(([tab, count]) => count > 0 || ['all', 'answered', 'failed'].includes(tab));
  return {
    counts: tabs.map(([tab, count]) => ({ tab: tab as keyof typeof all, count, text: number(count) })),
    groups: read.groups.map(({ group, code, message, count, rows }) => ({
      group,
      text: `${code} · ${message}`,
      count: number(count),
      row: rows[0] ?? 0,
    })),
    retry: {
      ...(open.failed + open.missing > 0 && {
        all: {
          label: `Retry ${number(open.failed + open.missing)} Failed or Missing`,
          short: `Retry ${number(open.failed + open.missing)}`,
          which: 'unanswered',
        },
      }),
      ...(open.failed > 0 && {
        failed: {
          label: `Retry ${number(open.failed)} Failed`,
          short: `Retry ${number(open.failed)}`,
          which: 'failed',
        },
      }),
      ...(open.missing > 0 && {
        missing: {
          label: `Retry ${number(open.missing)} Missing`,
          short: `Retry ${number(open.missing)}`,
          which: 'missing',
        },
      }),
      ...(open.truncated > 0 && {
        truncated: { label: `Retry ${open.truncated} Truncated`, short: `Retry ${open.truncated}`, which: 'truncated' },
      }),
      ...(open.empty > 0 && {
        empty: { label: `Retry ${open.empty} Empty`, short: `Retry ${open.empty}`, which: 'empty' },
      }),
    },
    facts: `${number(read.tokensIn)} tokens in, ${number(read.tokensOut)} out`,
    notices: read.notices.map(({ severity, text }) => ({ tone: severity, title: text, detail: '', actions: [] })),
    hasInput: read.input !== undefined,
    columns: columnsOf(read.columns),
    ...(read.columns.unexpected !== undefined && { unexpected: number(read.columns.unexpected) }),
  };
}

const runLabels: Readonly<Record<string, string>> = {
  state: 'State',
  request: 'Request',
  answer: 'Response',
  tokens: 'Tokens',
};

function columnsOf({ all, defaults, source }: Read['columns']): ResultsSummary['columns'] {
  return {
    all: all.map(({ id, group, label, kind, share }) => ({
      id,
      group,
      label: group === 'run' ? (runLabels[label] ?? label) : label,
      isNumber: kind === 'number',
      share: share === 1 ? '' : `${Math.round(share * 100)}%`,
    })),
    defaults,
    ...(source !== undefined && { source }),
  };
}

function addReference(summary: ResultsSummary, label: string, different: number): ResultsSummary {
  const { columns } = summary;
  const column = { id: 'reference:answer', group: 'reference', label, isNumber: false, share: '' } as const;
  const defaults = columns.defaults.toSpliced(columns.defaults.indexOf('run:tokens'), 0, column.id);
  return {
    ...summary,
    columns: { ...columns, all: [...columns.all, column], defaults },
    reference: { label, different: number(different) },
  };
}

function rowOf({
  row,
  customId,
  state,
  isFailed,
  isRetried,
  request,
  answer,
  tokensIn,
  tokensOut,
  heading,
  cells = {},
}: ResultsRow): ResultsTableRow {
  const isMissing = state === 'missing' || isRetried;
  return {
    row,
    customId,
    state,
    request,
    answer: isRetried ? 'retrying…' : isMissing ? 'no response' : answer,
    tone: isMissing ? 'muted' : isFailed ? 'failed' : 'plain',
    tokens: tokensIn === undefined && tokensOut === undefined ? '' : number((tokensIn ?? 0) + (tokensOut ?? 0)),
    cells,
    ...(heading && {
      heading: {
        value: heading.value,
        label: 'No value',
        facts:
          heading.asExpected === undefined
            ? `${number(heading.count)} rows`
            : `${number(heading.count)} rows · ${Math.round(heading.asExpected * 100)}% as expected`,
        isClosed: heading.isClosed,
      },
    }),
  };
}

function detailsOf(read: ResultDetails, { result: raw, request: rawRequest }: RowTexts): ResultsDetails {
  const { row, line, customId, state, request, choices, failure, attempts, tokensIn, tokensOut } = read;
  return {
    row,
    ...(line !== undefined && { line }),
    customId,
    state,
    source: read.source ?? [],
    ...(read.isAsExpected !== undefined && {
      expected: {
        isMet: read.isAsExpected,
        text: read.isAsExpected ? 'The response is as expected.' : "The response isn't as expected.",
      },
    }),
    messages: (request?.messages ?? []).map(({ role, text }) => ({ label: role, text })),
    shownFirst: request?.messages.length ?? 0,
    answers: choices.filter(({ text }) => text.text !== '').map(({ text }) => ({ label: '', text: text.text })),
    beside: choices
      .filter(({ reasoning }) => reasoning.text !== '')
      .map(({ reasoning }) => ({ label: 'Reasoning', text: reasoning.text })),
    raw: { label: '', text: raw === undefined ? '' : JSON.stringify(JSON.parse(raw), undefined, 2) },
    rawRequest: {
      label: '',
      text: rawRequest === undefined ? '' : JSON.stringify(JSON.parse(rawRequest), undefined, 2),
    },
    attempts: attempts.map(({ attempt, at, state: came, failure: why }) => ({
      name: [attempt === 0 ? 'First attempt' : `Retry ${attempt}`, at && new Date(at).toUTCString()]
        .filter(Boolean)
        .join(' · '),
      value: why ? `${why.code} · ${why.message}` : came === 'answered' ? 'Completed' : 'Waiting for response',
    })),
    ...(failure && { failure: [failure.status, failure.code, failure.message].filter(Boolean).join(' · ') }),
    ...(state === 'missing' && { note: "The results don't contain a response to this request." }),
    facts: [
      { name: 'Tokens in', value: number(tokensIn ?? 0) },
      { name: 'Tokens out', value: number(tokensOut ?? 0) },
      { name: 'Finish reason', value: choices[0]?.finish ?? '' },
    ],
    parameters: request?.parameters ?? [],
  };
}
