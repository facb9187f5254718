import type { Row } from './template';

/** Options for reading a file. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of bytes read. */
  readonly onProgress?: (bytes: number) => void;
}

/** Rows that can be iterated as often as needed, one at a time. */
export interface RowSource {
  readonly columns: readonly string[];
  /** The total that `onProgress` counts up to. */
  readonly bytes: number;
  /** Throws `MakingError` at a row that cannot be read. */
  rows(options?: ReadOptions): AsyncIterable<Row>;
}

/** Adds columns with the same field in every row. Columns of the source take precedence over those of the same name. */
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
