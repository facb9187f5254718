/** The files of a run. */
export interface ResultsSource {
  readonly input?: {
    readonly path: string;
    /** Where `path` is a copy of what was sent: the batch file, which may be another one by now, or gone. */
    readonly current?: string;
    /** As it was when it was sent; in hexadecimal. */
    readonly sha256?: string;
    readonly bytes?: number;
  };
  /** A file may hold answers and errors: which list it is in only says what is read first. */
  readonly outputs: readonly string[];
  readonly errors: readonly string[];
}
