import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useState } from 'preact/hooks';
import './groupedRows.css';
import { Icon } from './icon';
import { SelectField } from './selectField';
import type { DrawnRow } from './virtualTable';

/** The heading of a group of rows. Texts are localized, except for the value. */
interface RowHeading {
  /** The common value of the rows, if it is text of a user or a service. */
  readonly value?: string;
  /** In place of a missing or empty value. */
  readonly label: string;
  readonly facts: string;
  readonly isClosed: boolean;
}

/** The session of a table with grouped rows. */
interface GroupedSession<Heading> {
  readonly table: {
    readonly active: Signal<number | undefined>;
    readonly pages: { fetch(index: number): Promise<{ readonly heading?: Heading } | undefined> };
  };
  toggleGroup(heading: Heading): void;
}

interface GroupHeadingProps<Heading> {
  readonly heading: Heading;
  readonly drawn: Omit<DrawnRow<unknown>, 'row'>;
  readonly session: GroupedSession<Heading>;
  /** The number of columns of the table. */
  readonly columns: number;
}

/** The heading of a group of rows, which opens and closes it. */
export function GroupHeading<Heading extends RowHeading>({
  heading,
  drawn: { index, top, isActive },
  session,
  columns,
}: GroupHeadingProps<Heading>) {
  const { value, label, facts, isClosed } = heading;
  return (
    <div
      class="virtual-row group-heading"
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        session.table.active.value = index;
        session.toggleGroup(heading);
      }}
    >
      <div
        class="virtual-cell group-heading-cell"
        role="gridcell"
        aria-colindex={1}
        aria-colspan={columns}
        aria-expanded={!isClosed}
      >
        <Icon name={isClosed ? 'chevron-right' : 'chevron-down'} />
        <bdi class={value === '' ? 'group-heading-none' : 'group-heading-value'}>{value || label}</bdi>
        <span class="group-heading-facts">{facts}</span>
      </div>
    </div>
  );
}

/** A table whose rows are grouped by the values of a column. */
interface GroupedTable {
  readonly choice: {
    readonly value: { readonly groupBy: string | null };
    peek(): { readonly closed: readonly string[] };
  };
  change(part: { readonly groupBy: string | null; readonly closed: string[] }): void;
  changeInPlace(part: { readonly closed: string[] }): void;
}

interface GroupFieldProps {
  readonly table: GroupedTable;
  /** Those whose values can group the rows. Labels are localized. */
  readonly columns: readonly { readonly id: string; readonly label: string }[];
}

/** Chooses the column whose values group the rows. */
export function GroupField({ table, columns }: GroupFieldProps) {
  if (columns.length === 0) return null;
  return (
    <SelectField
      label={l10n.t('Group by')}
      value={table.choice.value.groupBy ?? ''}
      options={[
        { value: '', label: l10n.t('No grouping') },
        ...columns.map(({ id, label }) => ({ value: id, label: l10n.t('Group by {0}', label) })),
      ]}
      onChoose={(id) => table.change({ groupBy: id === '' ? null : id, closed: [] })}
    />
  );
}

/** Opens or closes the group of a value. */
export function toggleGroup(
  table: GroupedTable,
  { value, isClosed }: { readonly value: string; readonly isClosed: boolean },
): void {
  const { closed } = table.choice.peek();
  table.changeInPlace({ closed: isClosed ? closed.filter((one) => one !== value) : [...closed, value] });
}

/** Opens or closes the group whose heading is active. */
export async function toggleActive<Heading>(session: GroupedSession<Heading>, event: KeyboardEvent): Promise<void> {
  const index = session.table.active.peek();
  if (index === undefined) return;
  event.preventDefault();
  const row = await session.table.pages.fetch(index);
  if (row?.heading) session.toggleGroup(row.heading);
}

/** Returns the width of the page's table in pixels, also as it changes. */
export function useTableWidth(): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const table = document.querySelector('.virtual-table');
    if (!table) return undefined;
    const observer = new ResizeObserver(() => setWidth(table.clientWidth));
    observer.observe(table);
    setWidth(table.clientWidth);
    return () => observer.disconnect();
  }, []);
  return width;
}
