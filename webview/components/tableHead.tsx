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
  /** Set if columns can be resized. Gets the new width in pixels, or `undefined` for the usual one. */
  readonly onResize?: (index: number, width: number | undefined) => void;
}

/** The header row of a virtual table. */
export function TableHead<Sort>({ name, columns, sort, descending, onSort, onResize }: TableHeadProps<Sort>) {
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
              key={index}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={isSorted ? order : undefined}
            >
              {by === undefined ? (
                <span class="virtual-label">{column.label}</span>
              ) : (
                <button
                  type="button"
                  class="virtual-sort"
                  title={column.label}
                  onClick={() => onSort(by)}
                  onKeyDown={(event) => onResize && resizeByKey(event, (width) => onResize(index, width))}
                >
                  <span class="virtual-label">{column.label}</span>
                  {isSorted && <Icon name={descending ? 'arrow-down' : 'arrow-up'} />}
                </button>
              )}
              {onResize && <Grip onResize={(width) => onResize(index, width)} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const leastWidth = 24;
const stepWidth = 16;

function widthOf(element: Element | null): number {
  return Math.round(element?.closest('.virtual-cell')?.getBoundingClientRect().width ?? 0);
}

/** Alt with an arrow key makes a column wider or narrower. */
function resizeByKey(event: KeyboardEvent, onResize: (width: number) => void): void {
  const by = event.key === 'ArrowRight' ? stepWidth : event.key === 'ArrowLeft' ? -stepWidth : 0;
  if (!event.altKey || by === 0) return;
  event.preventDefault();
  onResize(Math.max(leastWidth, widthOf(event.currentTarget as Element) + by));
}

/** The end of a column's head, which is dragged to resize it. A double click restores the usual width. */
function Grip({ onResize }: { readonly onResize: (width: number | undefined) => void }) {
  const drag = (event: PointerEvent) => {
    const grip = event.currentTarget as HTMLElement;
    const start = { x: event.clientX, width: widthOf(grip) };
    const isLeftward = getComputedStyle(grip).direction === 'rtl';
    const ending = new AbortController();
    const { signal } = ending;
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
    const widthAt = ({ clientX }: PointerEvent) => start.width + (clientX - start.x) * (isLeftward ? -1 : 1);
    grip.addEventListener('pointermove', (move) => onResize(Math.max(leastWidth, Math.round(widthAt(move)))), {
      signal,
    });
    grip.addEventListener('pointerup', () => ending.abort(), { signal });
    grip.addEventListener('pointercancel', () => ending.abort(), { signal });
  };
  return <span class="virtual-grip" aria-hidden="true" onPointerDown={drag} onDblClick={() => onResize(undefined)} />;
}
