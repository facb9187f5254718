import type { TableModel } from './tableModel';
import { VirtualTable } from './virtualTable';
import type { TableDrawing } from './virtualTable';

export interface ModelTableProps<Row extends { readonly row: number }> extends TableDrawing<Row> {
  readonly table: Pick<
    TableModel<never, Row, unknown>,
    'count' | 'pages' | 'active' | 'reveal' | 'searching' | 'selected' | 'close'
  >;
  /** Localized reason why there are no rows. Empty if none is shown. */
  readonly nothing: string;
  /** Called on Enter. */
  readonly onOpen: (row: number) => void;
  /** Called for any other key, with the selected row; `null` if there is none. */
  readonly onKey?: (key: string, row: number | null, event: KeyboardEvent) => void;
}

/** A virtual table bound to its model. Escape closes the details. */
export function ModelTable<Row extends { readonly row: number }>({
  table,
  nothing,
  onOpen,
  onKey,
  ...drawing
}: ModelTableProps<Row>) {
  const count = table.count.value;
  return (
    <VirtualTable
      {...drawing}
      count={count}
      pages={table.pages}
      active={table.active.value}
      reveal={table.reveal.value}
      onKey={(key, event) => {
        const row = table.selected.peek();
        if (key === 'Escape') table.close();
        else if (key !== 'Enter') onKey?.(key, row, event);
        else if (row !== null) onOpen(row);
      }}
    >
      {count === 0 && !table.searching.value && nothing !== '' && <p class="table-nothing">{nothing}</p>}
    </VirtualTable>
  );
}
