import { Icon } from './icon';

export interface Column<Sort> {
  /** The cells get the class `<table>-cell-<name>`. */
  readonly name: string;
  readonly label: string;
  /** Set if the table can be sorted by this column. */
  readonly sort?: Sort;
}

export interface TableHeadProps<Sort> {
  /** Prefix of the classes. */
  readonly name: string;
  readonly columns: readonly Column<Sort>[];
  readonly sort: Sort;
  readonly descending: boolean;
  readonly onSort: (sort: Sort) => void;
}

/** The header row of a virtual table. */
export function TableHead<Sort>({ name, columns, sort, descending, onSort }: TableHeadProps<Sort>) {
  const order = descending ? 'descending' : 'ascending';
  return (
    <div class="virtual-heads" role="rowgroup">
      <div class={`virtual-row ${name}-row`} role="row" aria-rowindex={1}>
        {columns.map((column, index) => {
          const by = column.sort;
          const isSorted = by !== undefined && by === sort;
          return (
            <div
              class={`virtual-cell ${name}-cell-${column.name}`}
              key={column.name}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={isSorted ? order : undefined}
            >
              {by === undefined ? (
                <span class="virtual-label">{column.label}</span>
              ) : (
                <button type="button" class="virtual-sort" title={column.label} onClick={() => onSort(by)}>
                  <span class="virtual-label">{column.label}</span>
                  {isSorted && <Icon name={descending ? 'arrow-down' : 'arrow-up'} />}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
