import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { TableCell } from '../../components/tableRow';
import { VirtualTable } from '../../components/virtualTable';
import type { DrawnRow } from '../../components/virtualTable';
import type { RowList } from './rowList';

const rowHeight = 28;

/** Returns a column whose header has the class of its cells. */
export function columnOf(name: string, label: string): Column<undefined> {
  return { name: `${name} rerank-cell-${name}`, label };
}

interface ListedDocument {
  readonly index: number;
  readonly canOpen: boolean;
}

interface DocumentTableProps<Row extends ListedDocument> {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<undefined>[];
  readonly count: number;
  readonly list: RowList<Row>;
  readonly cells: (drawn: DrawnRow<Row>) => readonly TableCell[];
  readonly isOff?: (row: Row | undefined) => boolean;
  readonly onOpen: (index: number) => void;
  /** Called for a key pressed on a row that is not for moving. */
  readonly onKey: (key: string, row: Row, event: KeyboardEvent) => void;
  readonly children?: ComponentChildren;
}

/** A table of documents. The selected one is shown in full in the details; Enter or a double click goes to its source. */
export function DocumentTable<Row extends ListedDocument>({
  name,
  label,
  columns,
  count,
  list,
  cells,
  isOff = () => false,
  onOpen,
  onKey,
  children,
}: DocumentTableProps<Row>) {
  useEffect(() => list.revealActive(), []);
  const onAnyKey = (key: string, event: KeyboardEvent) => {
    const { row } = list;
    if (!isPlain(event)) return;
    if (key === 'Escape') list.close();
    if (!row) return;
    if (key === 'Enter' && row.canOpen) onOpen(row.index);
    onKey(key, row, event);
  };
  return (
    <VirtualTable
      name={name}
      label={label}
      columns={columns.length}
      count={count}
      rowHeight={rowHeight}
      pages={list.pages}
      active={list.active.value}
      reveal={list.reveal.value}
      head={<TableHead name={name} columns={columns} sort={undefined} descending={false} onSort={() => undefined} />}
      drawRow={(drawn) => (
        <TableRow
          key={drawn.index}
          name={name}
          cellsOf="rerank"
          drawn={drawn}
          cells={cells(drawn)}
          isOff={isOff(drawn.row)}
          onSelect={() => void list.select(drawn.index, drawn.row)}
          onOpen={() => drawn.row && onOpen(drawn.row.index)}
        />
      )}
      onMove={(at) => void list.select(at)}
      onKey={onAnyKey}
    >
      {children}
    </VirtualTable>
  );
}

/** Whether a key is for the table, not for the editor around it. */
function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey;
}
