import type { SourcePlaces } from './sourceRows';

interface ResultsAttempt {
  /** When it was sent, in Unix milliseconds. */
  readonly at?: number;
  /** A file can contain answers and errors. Its list only determines what is read first. */
  readonly outputs: readonly string[];
  readonly errors: readonly string[];
  /** More results will arrive, so requests without one aren't sent again in the meantime. */
  readonly isUnderWay?: boolean;
}

/** A later attempt at requests that had failed or were missing. */
export interface ResultsRetry extends ResultsAttempt {
  /** The file with the requests it sent. */
  readonly input?: string;
}

/** The files of a run. */
export interface ResultsSource extends ResultsAttempt {
  readonly input?: {
    readonly path: string;
    /** If `path` is a copy of what was sent: the batch file, which might have been changed or deleted since. */
    readonly current?: string;
    /** The file's SHA-256 and size when it was sent; SHA-256 in hexadecimal. */
    readonly sha256?: string;
    readonly bytes?: number;
  };
  /** Where to find the columns of the batch file's source table. */
  readonly columns?: SourcePlaces;
  /** Oldest first: the newest answer to a request is its result, else the newest error. */
  readonly retries?: readonly ResultsRetry[];
}
