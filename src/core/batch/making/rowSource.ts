import type { Row } from './template';

/** What may be told while a file is gone through. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** How many bytes were read. */
  readonly onProgress?: (bytes: number) => void;
}

/** Rows that can be gone through as often as needed, one at a time. */
export interface RowSource {
  readonly columns: readonly string[];
  /** What `onProgress` counts up to. */
  readonly bytes: number;
  /** Throws, in words, at the row that cannot be read. */
  rows(options?: ReadOptions): AsyncIterable<Row>;
}

/** The same rows with more columns, whose fields are the same in each. A column of theirs comes first. */
export function withConstants(source: RowSource, constants: Readonly<Record<string, string>>): RowSource {
  const added = Object.entries(constants).filter(([name]) => !source.columns.includes(name));
  const fields = added.map(([, field]) => field);
  const { columns } = source;
  return {
    columns: [...columns, ...added.map(([name]) => name)],
    bytes: source.bytes,
    async *rows(options) {
      for await (const row of source.rows(options)) {
        // A row may be shorter than the header.
        const whole = columns.map((_, index) => row[index] ?? '');
        yield [...whole, ...fields];
      }
    },
  };
}
