/** Where the folders of runs are made. */
export interface ResultsFolder {
  /** Absolute: what the person chose, else `fallback`. */
  readonly root: () => string;
  /** Absolute: used where nothing can be written at `root`. */
  readonly fallback: string;
}
