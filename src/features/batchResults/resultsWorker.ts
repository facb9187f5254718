import { parentPort, workerData } from 'node:worker_threads';
import { Comparison } from '../../core/batch/results/compare/comparison';
import { exportComparison } from '../../core/batch/results/compare/exportComparison';
import { copyRows, exportResults } from '../../core/batch/results/exportResults';
import type { ResultsSource } from '../../core/batch/results/resultsSource';
import { ResultsTable } from '../../core/batch/results/resultsTable';
import type { CutText } from '../../core/batch/results/resultsView';
import { answerText, readResultLine } from '../../core/batch/results/rowTexts';
import { againAdvice, countAgain, writeAgain } from '../../core/batch/results/runAgain';
import { retryAdvice, writeRetry } from '../../core/batch/results/writeRetry';
import { throttle } from '../../core/batch/throttle';
import { useTranslations } from '../../core/text/useTranslations';
import type { Handlers } from '../../protocol/call';
import { createResponder } from '../../protocol/responder';
import type { ToHost } from '../../protocol/wire';
import { workerFailure } from '../../protocol/workerFailure';
import type { CompareWorkerCalls, ResultsWorkerCalls, ResultsWorkerData } from './resultsWorkerCalls';

/** The most characters of a result shown as JSON. */
const mostRaw = 200_000;
/** A longer line is not shown. */
const longestLine = 1 << 24;

/** Handles the host's calls about the results of a run. */
export function resultsHandlers(run: ResultsSource): Handlers<ResultsWorkerCalls> {
  let table: ResultsTable | undefined;
  const opened = (): ResultsTable => {
    if (table) return table;
    throw new Error('The results were not read yet.');
  };
  return {
    async load(_params, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (bytes: number, total: number) => void (isTime() && emit({ bytes, total }));
      const next = await ResultsTable.open(run, { signal, onProgress });
      table?.close();
      table = next;
      return next.summary;
    },
    async arrange(view, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (part: number, found: number, show: () => void) => {
        if (!isTime()) return;
        show();
        emit({ part, found });
      };
      const count = await opened().arrange(view, { signal, onProgress });
      return { count, entries: opened().entryCount };
    },
    rows: async ({ from, count, columns }) => opened().rows(from, count, columns),
    async find({ row }) {
      const index = opened().indexOf(row);
      return index === undefined ? {} : { index };
    },
    details: async ({ row }) => detailsAt(opened(), row),
    async answerText({ row }) {
      const result = readResultLine(opened().texts(row).result);
      return { text: result ? answerText(result) : '' };
    },
    answersFor: async ({ lines }) => ({
      rows: opened()
        .answersFor(lines)
        .map((row) => row ?? null),
    }),
    async answerFor({ line }) {
      const details = opened().answerFor(line);
      return details ? { details } : {};
    },
    failures: async ({ most }) => ({ failures: opened().failures(most) }),
    export: async (request, { signal, emit }) => exportResults(opened(), request, telling(signal, emit)),
    copyRows: async ({ columns }) => copyRows(opened(), columns),
    compareWith: async ({ source }, { signal, emit }) => ({
      different: await opened().compareWith(source ?? undefined, telling(signal, emit)),
    }),
    countAgain: async () => ({ counts: await countAgain(opened()) }),
    againAdvice: async ({ which }, { signal, emit }) => againAdvice(opened(), which, telling(signal, emit)),
    runAgain: async (request, { signal, emit }) => writeAgain(opened(), request, telling(signal, emit)),
    retryAdvice: async ({ which }, { signal, emit }) => retryAdvice(opened(), which, telling(signal, emit)),
    retry: async (request, { signal, emit }) => writeRetry(opened(), request, telling(signal, emit)),
  };
}

async function detailsAt(table: ResultsTable, row: number) {
  const { result, request } = table.texts(row, longestLine);
  const details = await table.sinceSent(table.details(row));
  return {
    details,
    ...(result !== undefined && { raw: layOut(result, mostRaw) }),
    ...(request !== undefined && { rawRequest: layOut(request, mostRaw) }),
  };
}

/** Handles the host's calls about runs that are compared. */
export function compareHandlers(runs: readonly ResultsSource[]): Handlers<CompareWorkerCalls> {
  let comparison: Comparison | undefined;
  const opened = (): Comparison => {
    if (comparison) return comparison;
    throw new Error('The runs were not compared yet.');
  };
  return {
    async load(_params, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (done: number, total: number) => void (isTime() && emit({ bytes: done, total }));
      const next = await Comparison.open(runs, { signal, onProgress });
      comparison?.close();
      comparison = next;
      return { runs: next.tables.map(({ summary }) => summary), columns: next.columns };
    },
    async arrange(view, { signal, emit }) {
      const isTime = throttle();
      const onProgress = (part: number, found: number) => void (isTime() && emit({ part, found }));
      const { rows, entries } = await opened().arrange(view, { signal, onProgress });
      return { count: rows, entries, comparison: opened().summary() };
    },
    rows: async ({ from, count, columns }) => opened().rows(from, count, columns),
    async find({ row }) {
      const index = opened().indexOf(row);
      return index === undefined ? {} : { index };
    },
    details: async ({ row }) => opened().sinceSent(opened().details(row)),
    export: async (request, { signal, emit }) => exportComparison(opened(), request, telling(signal, emit)),
  };
}

/** Options with which a long operation reports its progress. */
function telling(signal: AbortSignal, emit: (chunk: { readonly part: number }) => void) {
  const isTime = throttle();
  return { signal, onProgress: (part: number) => void (isTime() && emit({ part })) };
}

/** Formats a line of JSON with indentation, or returns it unchanged if it is not JSON; cut after `most` characters. */
function layOut(line: string, most: number): CutText {
  const text = indented(line);
  return { text: text.slice(0, most), cut: Math.max(0, text.length - most) };
}

/** Also returns the line unchanged if it is nested too deeply, because JSON.stringify is recursive. */
function indented(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), undefined, 2);
  } catch {
    return line;
  }
}

if (parentPort) {
  const port = parentPort;
  const { runs, isComparison, translations } = workerData as ResultsWorkerData;
  useTranslations(translations);
  const post = (message: unknown) => port.postMessage(message);
  const responder = isComparison
    ? createResponder(compareHandlers(runs), post, workerFailure)
    : createResponder(resultsHandlers(runs[0]), post, workerFailure);
  port.on('message', (message: ToHost) => void responder.receive(message));
}
