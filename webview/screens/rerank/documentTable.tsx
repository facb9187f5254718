import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { TableCell } from '../../components/tableRow';
import { VirtualTable } from '../../components/virtualTable';
import type { DrawnRow } from '../../components/virtualTable';
import * as l10n from '@vscode/l10n';
import type { JudgedDocument } from '../../../src/protocol/rerank';
import { Icon } from '../../components/icon';
import type { RerankSession, RowList } from './session';
import { pageNumber } from '../../components/pageLanguage';

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

interface JudgeButtonsProps {
  readonly row: JudgedDocument;
  readonly session: RerankSession;
  /** -1 in a table, where keys do the same. */
  readonly tabIndex: number;
}

/** Buttons to judge a document as relevant to the query or not; pressing one again clears the judgment. */
export function JudgeButtons({ row, session, tabIndex }: JudgeButtonsProps) {
  const choices = [
    { judgement: 'relevant', icon: 'thumbsup', label: l10n.t('Mark as Relevant (R)') },
    { judgement: 'notRelevant', icon: 'thumbsdown', label: l10n.t('Mark as Not Relevant (N)') },
  ] as const;
  return (
    <span class="judge" role="group" aria-label={l10n.t('Rate document {0}', pageNumber(row.index + 1))}>
      {choices.map(({ judgement, icon, label }) => {
        const isChosen = row.judgement === judgement;
        return (
          <button
            type="button"
            class={`judge-button judge-${judgement}`}
            key={judgement}
            title={label}
            aria-label={label}
            aria-pressed={isChosen}
            tabIndex={tabIndex}
            onClick={(event) => {
              event.stopPropagation();
              void session.judge(row, judgement);
            }}
          >
            <Icon name={isChosen ? `${icon}-filled` : icon} />
          </button>
        );
      })}
    </span>
  );
}

/** Handles the keys for judging, in tables, where a row is active instead of a button. */
export function judgeByKey(key: string, row: JudgeButtonsProps['row'], session: RerankSession): void {
  if (key === 'r') void session.judge(row, 'relevant');
  if (key === 'n') void session.judge(row, 'notRelevant');
}

/** Shown instead of rows if there are none. */
export function Nothing({ title, detail }: { readonly title: string; readonly detail: string }) {
  return (
    <div class="rerank-nothing">
      <p>{title}</p>
      <p class="rerank-muted">{detail}</p>
    </div>
  );
}

/** Isolates text of any direction within a sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
