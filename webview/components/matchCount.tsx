import './foundCount.css';
import { IconButton } from './iconButton';
import type { TableModel } from './tableModel';

export interface MatchCountProps {
  readonly table: Pick<TableModel<never, never, unknown>, 'searching' | 'countText' | 'stopSearch'>;
  /** Worded: what is said in its place while nothing is searched for. */
  readonly instead?: string;
  /** Worded. */
  readonly stop: string;
}

/** How many rows a table shows, or how far the search for them is. */
export function MatchCount({ table, instead = '', stop }: MatchCountProps) {
  const searching = table.searching.value;
  return (
    <span class="found-count">
      {searching ? searching.text : instead || table.countText.value}
      {searching && <IconButton icon="debug-stop" label={stop} onClick={() => table.stopSearch()} />}
    </span>
  );
}
