import './foundCount.css';
import { IconButton } from './iconButton';
import type { TableModel } from './tableModel';

export interface MatchCountProps {
  readonly table: Pick<TableModel<never, never, unknown>, 'searching' | 'countText' | 'stopSearch'>;
  /** Localized text shown instead of the count while no search is running. */
  readonly instead?: string;
  /** Localized. */
  readonly stop: string;
}

/** How many rows a table shows, or the progress of the search for them. */
export function MatchCount({ table, instead = '', stop }: MatchCountProps) {
  const searching = table.searching.value;
  return (
    <span class="found-count">
      {searching ? searching.text : instead || table.countText.value}
      {searching && <IconButton icon="debug-stop" label={stop} onClick={() => table.stopSearch()} />}
    </span>
  );
}
