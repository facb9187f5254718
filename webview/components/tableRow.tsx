import type { ComponentChildren } from 'preact';
import type { DrawnRow } from './virtualTable';

export interface TableCell {
  /** The cell gets the class `<cellsOf>-cell-<name>`. */
  readonly name: string;
  readonly text?: string | undefined;
  /** `muted`: a remark in place of a value. */
  readonly tone?: 'plain' | 'failed' | 'muted';
  /** Shown if there is no text. */
  readonly content?: ComponentChildren;
  /** Shown before the text. */
  readonly before?: ComponentChildren;
}

export interface TableRowProps {
  /** Prefix of the row's class. */
  readonly name: string;
  /** Prefix of the cells' classes; `name` by default. */
  readonly cellsOf?: string;
  /** Whether the row is excluded from what the table is for. */
  readonly isOff?: boolean;
  readonly drawn: Omit<DrawnRow<unknown>, 'row'>;
  readonly cells: readonly TableCell[];
  readonly onSelect: () => void;
  /** Called on a double click. */
  readonly onOpen: () => void;
}

/** A row of a virtual table. */
export function TableRow({ name, cellsOf = name, isOff = false, drawn, cells, onSelect, onOpen }: TableRowProps) {
  const { index, top, isActive } = drawn;
  return (
    <div
      class={`virtual-row ${name}-row`}
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      data-off={isOff}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onSelect}
      onDblClick={onOpen}
    >
      {cells.map((cell, column) => (
        <div
          class={`virtual-cell ${cellsOf}-cell-${cell.name} tone-${cell.tone ?? 'plain'}`}
          key={column}
          role="gridcell"
          aria-colindex={column + 1}
        >
          {cell.before}
          {cell.text === undefined ? cell.content : <bdi title={cell.text}>{cell.text}</bdi>}
        </div>
      ))}
    </div>
  );
}
