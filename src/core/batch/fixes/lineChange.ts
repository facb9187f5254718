/** Puts lines in the place of others: `added` for the `removed` ones from `start` on. Lines count from 0, without their ends. */
export interface LineChange {
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** Lines as the editor counts them: the last one is empty where the file ends with a line break. */
export interface Lines {
  readonly lineCount: number;
  line(index: number): string | undefined;
}

/**
 * Work that is done a piece at a time: it stops after each so that others may have their turn, and gives its result at the end.
 */
export type Work<T> = Generator<undefined, T>;
