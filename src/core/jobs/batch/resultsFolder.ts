/** Where the folders of runs are created. */
export interface ResultsFolder {
  /** Absolute: the user's choice, else `fallback`. */
  readonly root: () => string;
  /** Absolute: used if `root` is not writable. */
  readonly fallback: string;
}
