interface ResultsAttempt {
  /** When it was asked, in Unix milliseconds. */
  readonly at?: number;
  /** A file may hold answers and errors: which list it is in only says what is read first. */
  readonly outputs: readonly string[];
  readonly errors: readonly string[];
}

/** A later attempt at requests that had failed or were missing. */
export interface ResultsRetry extends ResultsAttempt {
  /** The file with the requests that it asked. */
  readonly input?: string;
  /** More of it is to come: what it asks is not asked once more meanwhile. */
  readonly isUnderWay?: boolean;
}

/** The files of a run. */
export interface ResultsSource extends ResultsAttempt {
  readonly input?: {
    readonly path: string;
    /** Where `path` is a copy of what was sent: the batch file, which may be another one by now, or gone. */
    readonly current?: string;
    /** As it was when it was sent; in hexadecimal. */
    readonly sha256?: string;
    readonly bytes?: number;
  };
  /** Oldest first: the newest answer to a request is its result, else the newest error. */
  readonly retries?: readonly ResultsRetry[];
}
