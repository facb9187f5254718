import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ResultsTableRow } from '../../../src/protocol/batchResults';
import { GroupHeading, toggleActive, useTableWidth } from '../../components/groupedRows';
import { Icon } from '../../components/icon';
import { ModelTable } from '../../components/modelTable';
import { TableHead } from '../../components/tableHead';
import { TableRow, type TableCell } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import { fitColumns, type DrawnColumn, type DrawnColumns } from './columnFit';
import type { Results } from './resultsContext';
import { StateDot } from './stateDot';

const rowHeight = 24;

/** The table of the results shown; only those in the viewport are drawn. */
export function ResultsTable({ results }: { readonly results: Results }) {
  const { session } = results;
  const { table } = session;
  const width = useTableWidth();
  const layout = session.columns.layout.value;
  const fitted = fitColumns(session.summary.value?.columns.all ?? [], {
    ids: session.columns.shown.value,
    widths: layout.widths,
    isChosen: layout.columns !== null,
    isBeside: session.table.selected.value !== null && session.table.details.value !== undefined,
    width,
  });
  const { columns } = fitted;
  // The choice is read only if there are no rows: otherwise each choice would render all rows twice.
  const whyNone =
    table.count.value > 0 ? '' : table.choice.value.query === '' ? l10n.t('No pairs.') : l10n.t('No matches.');
  return (
    <ColumnsArea fitted={fitted} width={width}>
      <ModelTable
        name="results"
        label={l10n.t('Results')}
        columns={columns.length}
        rowHeight={rowHeight}
        table={table}
        head={<ColumnHead results={results} columns={columns} />}
        drawRow={(drawn) => <Row key={drawn.index} {...drawn} results={results} columns={columns} />}
        nothing={session.summary.value === undefined ? '' : whyNone}
        onMove={(index) => void table.select(index)}
        onOpen={(row) => void session.ask('results/goTo', { row })}
        onKey={(key, row, event) => onTableKey(results, key, row, event)}
      />
    </ColumnsArea>
  );
}

interface ColumnsAreaProps {
  readonly fitted: DrawnColumns;
  /** The width of the table in pixels; 0 until it is known. */
  readonly width: number;
  readonly children: ComponentChildren;
}

/** Gives the rows of a table their columns. The table scrolls if it is narrower than these need. */
export function ColumnsArea({ fitted: { columns, leastWidth }, width, children }: ColumnsAreaProps) {
  const isWide = width > 0 && leastWidth > width;
  return (
    <div
      class={`results-columns ${isWide ? 'results-wide' : ''}`}
      style={{
        '--columns': columns.map((column) => column.width).join(' '),
        '--least-width': isWide ? `${leastWidth}px` : '0',
        '--first': columns[0]?.width ?? '0',
      }}
    >
      {children}
    </div>
  );
}

function onTableKey({ session }: Results, key: string, row: number | null, event: KeyboardEvent): void {
  const isCopy = key.toLowerCase() === 'c';
  if (isCopy && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void session.copyRows();
  } else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (isCopy && row !== null) void session.ask('results/copy', { row });
  else if (key === 'j') void session.table.step(1);
  else if (key === 'k') void session.table.step(-1);
  else if (key === ' ') void toggleActive(session, event);
}

interface ColumnsProps {
  readonly results: Results;
  readonly columns: readonly DrawnColumn[];
}

function ColumnHead({ results: { session }, columns }: ColumnsProps) {
  const { sort, descending } = session.table.choice.value;
  const heads = columns.map(({ id, label, name }) => ({
    name,
    label,
    sort: id === 'run:request' ? 'run:line' : id,
    id,
  }));
  const onSort = (by: string) =>
    session.table.change({ sort: by, descending: sort === by ? !descending : by.startsWith('run:tokens') });
  return (
    <TableHead
      name="results"
      columns={heads}
      sort={sort}
      descending={descending}
      onSort={onSort}
      onResize={(index, width) => {
        const id = columns[index]?.id;
        if (id !== undefined) session.columns.resize(id, width);
      }}
    />
  );
}

function Row({ row, results, columns, ...drawn }: DrawnRow<ResultsTableRow> & ColumnsProps) {
  const { session } = results;
  if (row?.heading)
    return <GroupHeading heading={row.heading} drawn={drawn} session={session} columns={columns.length} />;
  const first = columns.find(({ id }) => id.startsWith('response:') || id === 'run:answer')?.id;
  const cells = columns.map((column) => cellOf(column, row, column.id === first));
  return (
    <TableRow
      name="results"
      drawn={drawn}
      cells={cells}
      onSelect={() => void session.table.select(drawn.index, row)}
      onOpen={() => row && void session.ask('results/goTo', { row: row.row })}
    />
  );
}

/** `isFirst`: the first column of the response shows the error, or a response that is not JSON. */
function cellOf({ id, name }: DrawnColumn, row: ResultsTableRow | undefined, isFirst: boolean): TableCell {
  if (!row) return { name, text: '' };
  switch (id) {
    case 'run:state':
      return { name, content: <StateDot state={row.state} /> };
    case 'run:customId':
      return { name, text: row.customId };
    case 'run:request':
      return { name, text: row.request };
    case 'run:tokens':
      return { name, text: row.tokens };
    case 'reference:answer':
      return differenceOf(name, row.cells[id]);
    default: {
      const { text = '', isAsExpected } = row.cells[id] ?? {};
      const isAnswer = id === 'run:answer' || (isFirst && text === '');
      const shown: TableCell = isAnswer ? { name, text: row.answer, tone: row.tone } : { name, text };
      return isAsExpected === undefined ? shown : { ...shown, before: <ExpectedMark isMet={isAsExpected} /> };
    }
  }
}

function differenceOf(name: string, cell: ResultsTableRow['cells'][string] | undefined): TableCell {
  if (!cell) return { name, text: '' };
  const { text, before } = cell;
  if (before === undefined) return { name, text: l10n.t('same'), tone: 'muted' };
  return {
    name,
    content: (
      <bdi title={`${before} → ${text}`}>
        {before} → <strong>{text}</strong>
      </bdi>
    ),
  };
}

/** Whether an answer is as expected, as a symbol before it. */
export function ExpectedMark({ isMet }: { readonly isMet: boolean }) {
  const text = isMet ? l10n.t('Expected response') : l10n.t('Unexpected response');
  return (
    <span class={`expected-mark ${isMet ? '' : 'expected-missed'}`} title={text}>
      <Icon name={isMet ? 'check' : 'close'} />
      <span class="spoken">{text}</span>
    </span>
  );
}
