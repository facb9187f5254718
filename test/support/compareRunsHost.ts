import { Comparison } from '../../src/core/batch/results/compare/comparison';
import type { ComparisonDetails } from '../../src/core/batch/results/compare/comparisonView';
import type { ResultsSource } from '../../src/core/batch/results/resultsSource';
import type { BatchCompareScreen, CompareChoice, CompareSide } from '../../src/protocol/batchCompare';
import type { Handlers } from '../../src/protocol/call';

export interface CompareRunsHost {
  readonly handlers: Handlers<BatchCompareScreen>;
  readonly asked: readonly string[];
  close(): void;
}

/** The host's end of a comparison, over real files. Its words are those of the host, in English. */
export function createCompareRunsHost(a: ResultsSource, b: ResultsSource): CompareRunsHost {
  const asked: string[] = [];
  let comparison: Comparison | undefined;
  const opened = (): Comparison => {
    if (comparison) return comparison;
    throw new Error('nothing was read');
  };
  const note = (method: string) => async () => {
    asked.push(method);
    return {};
  };
  return {
    asked,
    close: () => comparison?.close(),
    handlers: {
      'compare/ready': async () => ({
        compareId: 'pair 1',
        a: { name: 'tickets', facts: 'batch_1 · Qwen/Qwen3-8B' },
        b: { name: 'tickets, shorter prompt', facts: 'batch_2 · Qwen/Qwen3-8B' },
      }),
      async 'compare/load'(_params, { signal, emit }) {
        const onProgress = (done: number, total: number) => emit({ part: done / total, text: '' });
        comparison ??= await Comparison.open({ a, b }, { signal, onProgress });
        const tokens = ({ tokensIn, tokensOut }: Comparison['a']['summary']) =>
          `${tokensIn} tokens in, ${tokensOut} out`;
        return {
          a: { name: 'tickets', facts: `batch_1 · Qwen/Qwen3-8B · ${tokens(comparison.a.summary)}` },
          b: { name: 'tickets, shorter prompt', facts: `batch_2 · Qwen/Qwen3-8B · ${tokens(comparison.b.summary)}` },
        };
      },
      'compare/stop': note('stop'),
      async 'compare/arrange'(choice, { signal }) {
        const count = await opened().arrange(viewOf(choice), { signal, onProgress: () => {} });
        const { pairs, same, different, onlyA, onlyB, neither } = opened().summary(choice.isLoose);
        const all = { all: pairs, same, different, onlyA, onlyB, neither };
        const counts = Object.entries(all).map(([tab, number]) => ({
          tab: tab as keyof typeof all,
          count: number,
          text: String(number),
        }));
        return { count, text: '', summary: { counts, agreement: `${same} the same`, notices: [] } };
      },
      async 'compare/rows'({ from, count }) {
        const { rows } = await opened().rows(from, count);
        return {
          rows: rows.map(({ row, customId, state, request, ...pair }) => ({
            row,
            customId,
            state,
            request,
            a: {
              text: pair.a || 'no response',
              tone: pair.stateA === 'failed' ? ('failed' as const) : ('plain' as const),
            },
            b: { text: pair.b || 'no response', tone: pair.b ? ('plain' as const) : ('muted' as const) },
          })),
        };
      },
      async 'compare/find'({ row }) {
        const index = opened().indexOf(row);
        return index === undefined ? {} : { index };
      },
      async 'compare/details'({ row }) {
        const read = opened().details(row);
        const { customId, state } = read;
        const messages = (read.a?.request?.messages ?? []).map(({ role, text }) => ({ label: role, text }));
        return { row, customId, state, messages, line: row, a: sideOf(read, 'a'), b: sideOf(read, 'b') };
      },
      'compare/goTo': note('goTo'),
      'compare/export': note('export'),
    },
  };
}

function viewOf({ tab, ...choice }: CompareChoice) {
  return { ...choice, state: tab };
}

function sideOf({ diff }: ComparisonDetails, side: 'a' | 'b'): CompareSide {
  const pieces = diff.filter(({ kind }) => kind === 'same' || kind === side);
  return {
    pieces: pieces.map(({ kind, text }) => ({ text, differs: kind !== 'same' })),
    tone: 'plain',
    facts: [{ name: 'Tokens out', value: '5' }],
  };
}
