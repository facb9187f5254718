import type { ProgressMonitor } from '../../async/progressMonitor';
import type { Row } from './template';

/** Rows that can be iterated as often as needed, one at a time. */
/** The limit of Excel. A row has a field for each column, so the memory for rows grows with their number. */
export const mostColumns = 16_384;

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
        const whole = row.slice();
        for (const [index, field] of fields.entries()) whole[columns.length + index] = field;
        yield whole;
      }
    },
  };
}
