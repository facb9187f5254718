import type { ProgressMonitor } from '../../async/progressMonitor';
import type { Row } from './template';

/** Rows that can be iterated as often as needed, one at a time. */
export interface RowSource {
  readonly columns: readonly string[];
  /** The total that the progress of `rows` counts up to. */
  readonly bytes: number;
  /** Throws `MakingError` at a row that cannot be read. */
  rows(monitor?: Partial<ProgressMonitor>): AsyncIterable<Row>;
}

/** Adds columns with the same field in every row. Columns of the source take precedence over those of the same name. */
export function withConstants(source: RowSource, constants: Readonly<Record<string, string>>): RowSource {
  const added = Object.entries(constants).filter(([name]) => !source.columns.includes(name));
  const fields = added.map(([, field]) => field);
  const { columns } = source;
  return {
    columns: [...columns, ...added.map(([name]) => name)],
    bytes: source.bytes,
    async *rows(monitor) {
      for await (const row of source.rows(monitor)) {
        // A row may be shorter than the header.
        const whole = columns.map((_, index) => row[index] ?? '');
        yield [...whole, ...fields];
      }
    },
  };
}
