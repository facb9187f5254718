import { exportPairs } from '../../core/batch/results/compare/exportPairs';
import { Comparison } from '../../core/batch/results/compare/comparison';
import type { ResultsSource } from '../../core/batch/results/resultsSource';
import type { Handlers } from '../../protocol/call';
import { throttle } from '../../core/batch/throttle';
import type { CompareWorkerCalls } from './resultsWorkerCalls';

/** Handles the host's calls about two runs that are compared. */
export function compareHandlers(runs: {
  readonly a: ResultsSource;
  readonly b: ResultsSource;
}): Handlers<CompareWorkerCalls> {
  let comparison: Comparison | undefined;
  const opened = (): Comparison => {
    if (comparison) return comparison;
    throw new Error('The runs were not compared yet.');
  };
  return {
    async load(options, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (done: number, total: number) => void (isTime() && emit({ part: done / total }));
      const next = await Comparison.open(runs, { signal, onProgress });
      comparison?.close();
      comparison = next;
      return { a: next.a.summary, b: next.b.summary, comparison: next.summary(options) };
    },
    async arrange(view, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (part: number, found: number) => void (isTime() && emit({ part, found }));
      const count = await opened().arrange(view, { signal, onProgress });
      return { count, comparison: opened().summary(view) };
    },
    rows: async ({ from, count }) => opened().rows(from, count),
    async find({ row }) {
      const index = opened().indexOf(row);
      return index === undefined ? {} : { index };
    },
    details: async ({ row }) => opened().sinceSent(opened().details(row)),
    async export(order, { signal, emit }) {
      const isTime = throttle();
      return exportPairs(opened(), order, { signal, onProgress: (part) => void (isTime() && emit({ part })) });
    },
  };
}
