import { Comparison } from '../../src/core/batch/results/compare/comparison';
import type { ComparedAnswer, ComparedCell } from '../../src/core/batch/results/compare/comparisonView';
import type { ResultsSource } from '../../src/core/batch/results/resultsSource';
import type { BatchCompareScreen, CompareCell, CompareChoice, CompareSide } from '../../src/protocol/batchCompare';
import type { ResultsLayout } from '../../src/protocol/batchResults';
import type { Handlers } from '../../src/protocol/call';

export interface CompareRunsHost {
  readonly handlers: Handlers<BatchCompareScreen>;
  readonly asked: readonly string[];
  close(): void;
}

/** Creates the host's end of a comparison, over real files, with the host's English texts. */
export function createCompareRunsHost(...sources: readonly ResultsSource[]): CompareRunsHost {
  const asked: string[] = [];
  let layout: ResultsLayout = { columns: null, widths: {} };
  let comparison: Comparison | undefined;
  const opened = (): Comparison => {
    if (comparison) return comparison;
    throw new Error('nothing was read');
  };
  const note = (method: string) => async () => {
    asked.push(method);
    return {};
  };
  const models = ['Qwen3-32B', 'Qwen3-32B', 'DeepSeek-V3.2'];
  const files = ['tickets', 'tickets, shorter prompt', 'tickets again'];
  const runs = () =>
    sources.map((_, run) => {
      const { tokensIn, tokensOut } = comparison?.tables[run]?.summary ?? {};
      return {
        letter: 'ABCDEFGHI'[run] ?? '',
        name: models[run] ?? 'Qwen/Qwen3-8B',
        facts: `${files[run] ?? 'tickets'} · batch · 09:${10 + run}`,
        hint: `batch_${run + 1}`,
        cost: `¥${run + 1}.86`,
        costHint: '',
        tokens: tokensIn === undefined ? '' : `${tokensIn} + ${tokensOut}`,
      };
    });
  return {
    asked,
    close: () => comparison?.close(),
    handlers: {
      'compare/ready': async () => ({ compareId: 'set 1', runs: runs(), layout, canAddRuns: true }),
      async 'compare/load'(_params, { signal, emit }) {
        const onProgress = (done: number, total: number) => emit({ part: done / total, text: '' });
        comparison ??= await Comparison.open(sources, { signal, onProgress });
        const { all, by, defaults, source } = comparison.columns;
        const columns = {
          all: all.map((column) => ({ ...column, share: column.share === 1 ? '' : String(column.share) })),
          defaults,
          ...(source !== undefined && { source }),
        };
        return { runs: runs(), columns, by };
      },
      'compare/stop': note('stop'),
      async 'compare/arrange'(choice, { signal }) {
        const { entries, rows } = await opened().arrange(viewOf(choice, opened()), { signal, onProgress: () => {} });
        const read = opened().summary();
        const { changed, unanswered, same, better, worse } = read;
        const all = { all: read.rows, changed, worse, better, unanswered, same };
        const counts = Object.entries(all).flatMap(([tab, number]) =>
          number === undefined ? [] : [{ tab: tab as keyof typeof all, count: number, text: String(number) }],
        );
        const text = rows === all[choice.tab] ? '' : `${rows} of ${all[choice.tab]}`;
        const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
        const facts = `${read.rows} rows · ${read.answeredByAll} answered by all`;
        return {
          count: entries,
          text,
          summary: {
            counts,
            facts,
            runs: read.runs.map(({ answered, expected, difference, changed: other, same: equal }, run) => ({
              answered: String(answered),
              ...(expected && {
                rate: {
                  ...expected,
                  text: percent(expected.estimate),
                  hint: `95% interval: ${percent(expected.low)} to ${percent(expected.high)}`,
                },
              }),
              difference:
                run === choice.reference
                  ? ''
                  : difference
                    ? `${(difference.estimate * 100).toFixed(1)} points · ${difference.better} better, ${difference.worse} worse`
                    : `${other} changed, ${equal} the same`,
            })),
            notices: [],
          },
        };
      },
      async 'compare/rows'({ from, count, columns }) {
        const { rows } = await opened().rows(from, count, columns);
        return {
          rows: rows.map(({ heading, cells, ...row }) => ({
            ...row,
            ...(heading && {
              heading: { ...heading, label: 'No value', facts: `${heading.count} rows` },
            }),
            cells: Object.fromEntries(Object.entries(cells).map(([id, cell]) => [id, cellOf(cell)])),
          })),
        };
      },
      async 'compare/find'({ row }) {
        const index = opened().indexOf(row);
        return index === undefined ? {} : { index };
      },
      async 'compare/details'({ row }) {
        const { customId, state, answers } = opened().details(row);
        const first = answers.find(({ details }) => details?.request)?.details;
        const messages = (first?.request?.messages ?? []).map(({ role, text }) => ({ label: role, text }));
        return {
          row,
          customId,
          state,
          messages,
          line: row,
          source: [...(first?.source ?? [])],
          sides: answers.map(sideOf),
        };
      },
      'compare/goTo': note('goTo'),
      'compare/export': note('export'),
      async 'compare/layout'(next) {
        layout = next;
        return {};
      },
      async 'compare/addRuns'() {
        asked.push('addRuns');
        return { isChanged: false };
      },
      async 'compare/openRun'({ run }) {
        asked.push(`openRun ${run}`);
        return {};
      },
      async 'compare/runAgain'({ run }) {
        asked.push(`runAgain ${run}`);
        return {};
      },
    },
  };
}

function viewOf({ tab, by, groupBy, ...choice }: CompareChoice, { columns }: Comparison) {
  return { ...choice, by: by ?? columns.by, state: tab, ...(groupBy !== null && { groupBy }) };
}

function cellOf({ text, state, isChanged = false, isAsExpected }: ComparedCell): CompareCell {
  return {
    text: text || (state === undefined ? '' : 'no response'),
    tone: state === 'failed' ? 'failed' : text === '' ? 'muted' : 'plain',
    isChanged,
    ...(isAsExpected !== undefined && { isAsExpected }),
  };
}

function sideOf({ pieces, isAsExpected }: ComparedAnswer): CompareSide {
  return {
    pieces,
    tone: 'plain',
    ...(isAsExpected !== undefined && { isAsExpected }),
    facts: [{ name: 'Tokens out', value: '5' }],
  };
}
