/** Replaces the `removed` lines from `start` on with `added`. Lines count from 0 and exclude their line breaks. */
export interface LineChange {
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** Lines as the editor counts them: the last one is empty if the file ends with a line break. */
export interface Lines {
  readonly lineCount: number;
  line(index: number): string | undefined;
}

/** Work done in steps: yields after each so that other work can run, and returns its result at the end. */
export type Work<T> = Generator<undefined, T>;
