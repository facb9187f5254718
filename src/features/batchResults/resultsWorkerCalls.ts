import type {
  ComparisonColumns,
  ComparisonDetails,
  ComparisonRow,
  ComparisonSummary,
  ComparisonView,
} from '../../core/batch/results/compare/comparisonView';
import type { ExportRequest, ExportResult } from '../../core/batch/results/exportResults';
import type { ResultsSource } from '../../core/batch/results/resultsSource';
import type {
  RequestLine,
  CutText,
  FailedLine,
  ResultDetails,
  ResultsRow,
  ResultsSummary,
  ResultsView,
} from '../../core/batch/results/resultsView';
import type { AgainRequest, AgainRows } from '../../core/batch/results/runAgain';
import type { RetryAdvice } from '../../core/batch/results/retryChanges';
import type { RetryRequest, RetryResult } from '../../core/batch/results/writeRetry';
import type { Call } from '../../protocol/call';

/** The data the worker is started with. */
export interface ResultsWorkerData {
  readonly runs: readonly [ResultsSource, ...ResultsSource[]];
  /** Whether the worker compares the runs: it then handles `CompareWorkerCalls` instead of `ResultsWorkerCalls`. */
  readonly isComparison: boolean;
  readonly translations: Readonly<Record<string, string>> | undefined;
}

type Nothing = Record<never, never>;
/** Bytes read, and the total number of bytes. */
type Progress = { readonly bytes: number; readonly total: number };
/** `part` is 0 to 1. */
type Found = { readonly part: number; readonly found: number };
type Page = { readonly from: number; readonly count: number };

/** The host's calls to the worker that holds the results of a run. The worker keeps the host responsive while large files are read. */
export interface ResultsWorkerCalls {
  readonly state: never;
  readonly strings: Nothing;
  readonly calls: {
    /** Must be called first. Cancelling stops reading; what was read so far remains available. */
    readonly load: Call<Nothing, ResultsSummary, Progress>;
    /** Returns the number of rows shown, and of rows and headings. During a search, `rows` can already read what was found so far. */
    readonly arrange: Call<ResultsView, { readonly count: number; readonly entries: number }, Found>;
    /** `isChanged`: one of the files was replaced or modified, so nothing read from it is reliable. */
    readonly rows: Call<
      Page & { readonly columns?: readonly string[] },
      { readonly rows: readonly ResultsRow[]; readonly isChanged: boolean }
    >;
    /** Returns the index at which a row is shown. */
    readonly find: Call<{ readonly row: number }, { readonly index?: number }>;
    /** `raw` and `rawRequest`: the lines of the result and of the request as formatted JSON; absent if there is none. */
    readonly details: Call<
      { readonly row: number },
      { readonly details: ResultDetails; readonly raw?: CutText; readonly rawRequest?: CutText }
    >;
    /** Returns the whole answer as one text, or the reason why there is none. */
    readonly answerText: Call<{ readonly row: number }, { readonly text: string }>;
    /** Looks up lines of an editor by id; `null` for an unknown id. */
    readonly answersFor: Call<
      { readonly lines: readonly RequestLine[] },
      { readonly rows: readonly (ResultsRow | null)[] }
    >;
    readonly answerFor: Call<{ readonly line: RequestLine }, { readonly details?: ResultDetails }>;
    /** Returns failed lines that were sent; empty if the sent file is no longer known. */
    readonly failures: Call<{ readonly most: number }, { readonly failures: readonly FailedLine[] }>;
    /** Writes a complete file, or nothing at all. If it rejects with kind `MakingError`, `title` is a localized reason. */
    readonly export: Call<ExportRequest, ExportResult, { readonly part: number }>;
    /** Returns the rows shown as tab-separated values. */
    readonly copyRows: Call<{ readonly columns: readonly string[] }, { readonly text: string; readonly rows: number }>;
    /** Compares the run with another one, or with none. Returns the number of answers that differ. */
    readonly compareWith: Call<
      { readonly source: ResultsSource | null },
      { readonly different: number },
      { readonly part: number }
    >;
    /** Returns how many requests could run again, by choice. */
    readonly countAgain: Call<Nothing, { readonly counts: Readonly<Partial<Record<AgainRows, number>>> }>;
    /** Returns what these requests would meet again. */
    readonly againAdvice: Call<{ readonly which: AgainRows }, RetryAdvice, { readonly part: number }>;
    readonly runAgain: Call<
      AgainRequest,
      { readonly requests: number; readonly bytes: number; readonly sha256: string },
      { readonly part: number }
    >;
    /** Returns what a retry of these requests would meet again. */
    readonly retryAdvice: Call<{ readonly which: RetryRequest['which'] }, RetryAdvice, { readonly part: number }>;
    readonly retry: Call<RetryRequest, RetryResult, { readonly part: number }>;
  };
  readonly events: Nothing;
}

/** The same for runs that are compared. */
export interface CompareWorkerCalls {
  readonly state: never;
  readonly strings: Nothing;
  readonly calls: {
    /** Must be called first. Cancelling ends it without a comparison. */
    readonly load: Call<
      Nothing,
      { readonly runs: readonly ResultsSummary[]; readonly columns: ComparisonColumns },
      Progress
    >;
    /** `count` is the number of rows, and `entries` of rows and headings. */
    readonly arrange: Call<
      ComparisonView,
      { readonly count: number; readonly entries: number; readonly comparison: ComparisonSummary },
      Found
    >;
    readonly rows: Call<
      Page & { readonly columns: readonly string[] },
      { readonly rows: readonly ComparisonRow[]; readonly isChanged: boolean }
    >;
    /** Returns the index at which a row is shown. */
    readonly find: Call<{ readonly row: number }, { readonly index?: number }>;
    readonly details: Call<{ readonly row: number }, ComparisonDetails>;
    /** Writes the rows shown in their current order. */
    readonly export: Call<Omit<ExportRequest, 'what'>, ExportResult, { readonly part: number }>;
  };
  readonly events: Nothing;
}
