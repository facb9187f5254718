import type {
  ComparisonDetails,
  ComparisonOptions,
  ComparisonRow,
  ComparisonSummary,
  ComparisonView,
} from '../../core/batch/results/compare/comparisonView';
import type { ExportRequest, ExportResult } from '../../core/batch/results/export/exportRequest';
import type { ResultsSource } from '../../core/batch/results/resultsSource';
import type {
  AskedLine,
  CutText,
  FailedLine,
  ResultDetails,
  ResultsRow,
  ResultsSummary,
  ResultsView,
} from '../../core/batch/results/resultsView';
import type { RetryRequest, RetryResult } from '../../core/batch/results/retry/retryRequest';
import type { Call } from '../../protocol/call';

/** What the worker is started with: one run, or two that are compared. */
export interface ResultsWorkerData {
  readonly run: ResultsSource;
  /** The run that the first one is compared with: then `CompareWorkerCalls` are answered in place of `ResultsWorkerCalls`. */
  readonly with?: ResultsSource;
  readonly translations: Readonly<Record<string, string>> | undefined;
}

type Nothing = Record<never, never>;
/** Bytes read, of how many there are. */
type Progress = { readonly bytes: number; readonly total: number };
/** `part` is 0 to 1. */
type Found = { readonly part: number; readonly found: number };
type Page = { readonly from: number; readonly count: number };

/** What the host asks the worker that holds the results of a run. It keeps the host free while large files are read. */
export interface ResultsWorkerCalls {
  readonly state: never;
  readonly strings: Nothing;
  readonly calls: {
    /** To be called first. Cancelling ends the reading: what was read is there. */
    readonly load: Call<Nothing, ResultsSummary, Progress>;
    /** How many rows are shown now. While it searches, what was found so far can be read by `rows` already. */
    readonly arrange: Call<ResultsView, { readonly count: number }, Found>;
    /** `isChanged`: one of the files is another one now, so that nothing that is read of it can be relied on. */
    readonly rows: Call<Page, { readonly rows: readonly ResultsRow[]; readonly isChanged: boolean }>;
    /** Where a row is shown. */
    readonly find: Call<{ readonly row: number }, { readonly index?: number }>;
    /** `raw`: the result's line as JSON, laid out; absent where there is none. */
    readonly details: Call<{ readonly row: number }, { readonly details: ResultDetails; readonly raw?: CutText }>;
    /** The whole answer in one text, or why there is none. */
    readonly answerText: Call<{ readonly row: number }, { readonly text: string }>;
    /** By id, for lines of an editor; a hole where there is no such id. */
    readonly answersFor: Call<
      { readonly lines: readonly AskedLine[] },
      { readonly rows: readonly (ResultsRow | null)[] }
    >;
    readonly answerFor: Call<{ readonly line: AskedLine }, { readonly details?: ResultDetails }>;
    /** Of lines that were sent; none where what was sent is not known any more. */
    readonly failures: Call<{ readonly most: number }, { readonly failures: readonly FailedLine[] }>;
    /** Writes a file whole, or nothing at all. Where it rejects with kind `MakingError`, `title` says why in words. */
    readonly export: Call<ExportRequest, ExportResult, { readonly part: number }>;
    readonly retry: Call<RetryRequest, RetryResult, { readonly part: number }>;
  };
  readonly events: Nothing;
}

/** The same for two runs. */
export interface CompareWorkerCalls {
  readonly state: never;
  readonly strings: Nothing;
  readonly calls: {
    /** To be called first. `part` is 0 to 1. Cancelling ends it without a comparison. */
    readonly load: Call<
      ComparisonOptions,
      { readonly a: ResultsSummary; readonly b: ResultsSummary; readonly comparison: ComparisonSummary },
      { readonly part: number }
    >;
    readonly arrange: Call<ComparisonView, { readonly count: number; readonly comparison: ComparisonSummary }, Found>;
    readonly rows: Call<Page, { readonly rows: readonly ComparisonRow[]; readonly isChanged: boolean }>;
    /** Where a row is shown. */
    readonly find: Call<{ readonly row: number }, { readonly index?: number }>;
    readonly details: Call<{ readonly row: number }, ComparisonDetails>;
    /** Writes the pairs that are shown, in their order. */
    readonly export: Call<Omit<ExportRequest, 'what'>, ExportResult, { readonly part: number }>;
  };
  readonly events: Nothing;
}
