import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ResultsColumn } from '../../../src/protocol/batchResults';
import { closeOutside } from '../../components/closeOutside';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import './columnChooser.css';
import type { TableColumns } from './tableColumns';

interface ChooserProps {
  readonly columns: TableColumns;
  /** Further choices about the table, which are in the list only if the page is too narrow for them. */
  readonly children?: ComponentChildren;
}

/** The button that opens the list of all columns. */
export function ColumnChooser({ columns, children }: ChooserProps) {
  const { isChoosing: open } = columns;
  return (
    <span class="columns-anchor">
      <IconButton
        icon="table"
        label={l10n.t('Choose Columns')}
        controls="columns-list"
        expanded={open.value}
        onClick={() => (open.value = !open.value)}
      />
      {open.value && <ColumnList columns={columns}>{children}</ColumnList>}
    </span>
  );
}

function ColumnList({ columns, children }: ChooserProps) {
  const { isChoosing: open } = columns;
  const root = useRef<HTMLDivElement>(null);
  const query = useSignal('');
  useEffect(() => closeOutside(root, open), [open]);
  useEffect(() => root.current?.querySelector('input')?.focus(), []);
  const close = () => {
    open.value = false;
    document.querySelector<HTMLElement>('[aria-controls="columns-list"]')?.focus();
  };
  return (
    <div
      class="columns-list"
      id="columns-list"
      role="dialog"
      aria-label={l10n.t('Columns')}
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <input
        type="text"
        class="columns-search"
        role="searchbox"
        dir="auto"
        aria-label={l10n.t('Filter columns')}
        placeholder={l10n.t('Filter columns')}
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <div class="columns-groups">
        <ColumnGroups columns={columns} filter={query.value.trim().toLowerCase()} />
      </div>
      <div class="columns-options">{children}</div>
      {columns.layout.value.columns !== null && (
        <button type="button" class="link columns-reset" onClick={() => columns.arrange({ columns: null })}>
          {l10n.t('Reset Columns')}
        </button>
      )}
    </div>
  );
}

function ColumnGroups({ columns, filter }: { readonly columns: TableColumns; readonly filter: string }) {
  const { all = [], source } = columns.available ?? {};
  const titles = [
    { title: l10n.t('From the run'), group: 'run' },
    { title: source === undefined ? '' : l10n.t('Columns from {0}', source), group: 'source' },
    { title: l10n.t('From responses'), group: 'response' },
    { title: l10n.t('Compared with'), group: 'reference' },
  ] as const;
  return (
    <>
      {titles.map(({ title, group }) => {
        const found = all.filter((one) => one.group === group && one.label.toLowerCase().includes(filter));
        if (found.length === 0) return null;
        return (
          <section key={group} aria-label={title}>
            <div class="columns-title">{title}</div>
            {found.map((column) => (
              <ColumnEntry key={column.id} column={column} columns={columns} />
            ))}
          </section>
        );
      })}
    </>
  );
}

/** Set as the data of a dragged column. */
const dragType = 'text/plain';

function ColumnEntry({ column, columns }: { readonly column: ResultsColumn; readonly columns: TableColumns }) {
  const { id, label, share } = column;
  const shown = columns.shown.value;
  const isShown = shown.includes(id);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0 || !isShown) return;
    event.preventDefault();
    const others = shown.filter((one) => one !== id);
    const at = Math.min(others.length, Math.max(0, shown.indexOf(id) + by));
    columns.arrange({ columns: others.toSpliced(at, 0, id) });
  };
  return (
    <label
      class="columns-entry"
      draggable={isShown}
      title={isShown ? l10n.t('Drag, or press Alt+Up or Alt+Down, to move the column') : undefined}
      onDragStart={(event) => event.dataTransfer?.setData(dragType, id)}
      onDragOver={(event) => isShown && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const dragged = event.dataTransfer?.getData(dragType) ?? '';
        if (shown.includes(dragged)) columns.move(dragged, id);
      }}
    >
      <input type="checkbox" checked={isShown} onChange={() => columns.toggle(id)} onKeyDown={move} />
      <bdi class="columns-label">{label}</bdi>
      <span class="columns-share">{share}</span>
      <span class="columns-handle">{isShown && <Icon name="gripper" />}</span>
    </label>
  );
}
