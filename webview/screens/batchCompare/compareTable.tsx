import type { CompareRow, CompareSort, PairTab } from '../../../src/protocol/batchCompare';
import { ModelTable } from '../../components/modelTable';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import type { Compare } from './batchCompare';

const rowHeight = 28;

/** The table of the pairs shown; only those in the viewport are drawn. */
export function CompareTable({ compare }: { readonly compare: Compare }) {
  const { session, strings } = compare;
  const { table } = session;
  const whyNone = table.choice.value.query === '' ? strings.noneHere : strings.noMatch;
  return (
    <ModelTable
      name="compare"
      label={strings.table}
      columns={5}
      rowHeight={rowHeight}
      table={table}
      head={<Head compare={compare} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} compare={compare} />}
      nothing={session.summary.value === undefined ? '' : whyNone}
      onMove={(index) => void table.select(index)}
      onOpen={(row) => session.goTo(row)}
    />
  );
}

function Head({ compare: { session, strings } }: { readonly compare: Compare }) {
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<CompareSort>[] = [
    { name: 'state', label: strings.columnState, sort: 'state' },
    { name: 'id', label: strings.columnId, sort: 'customId' },
    { name: 'request', label: strings.columnRequest, sort: 'line' },
    { name: 'a', label: strings.runA },
    { name: 'b', label: strings.runB },
  ];
  const onSort = (by: CompareSort) => session.table.change({ sort: by, descending: sort === by && !descending });
  return <TableHead name="compare" columns={columns} sort={sort} descending={descending} onSort={onSort} />;
}

function Row({ row, compare, ...drawn }: DrawnRow<CompareRow> & { readonly compare: Compare }) {
  const { session, strings } = compare;
  const cells = [
    { name: 'state', content: row && <PairDot state={row.state} strings={strings} /> },
    { name: 'id', text: row?.customId ?? '' },
    { name: 'request', text: row?.request ?? '' },
    { name: 'a', text: row?.a.text ?? '', tone: row?.a.tone ?? 'plain' },
    { name: 'b', text: row?.b.text ?? '', tone: row?.b.tone ?? 'plain' },
  ];
  return (
    <TableRow
      name="compare"
      drawn={drawn}
      cells={cells}
      onSelect={() => void session.table.select(drawn.index, row)}
      onOpen={() => row && session.goTo(row.row)}
    />
  );
}

/** How two answers compare: a symbol of its own shape, and its name. */
export function PairDot({
  state,
  strings,
}: {
  readonly state: Exclude<PairTab, 'all'>;
  readonly strings: Compare['strings'];
}) {
  const words = {
    same: strings.tabSame,
    different: strings.tabDifferent,
    onlyA: strings.tabOnlyA,
    onlyB: strings.tabOnlyB,
    neither: strings.tabNeither,
  };
  return (
    <span class={`state pair-${state}`} title={words[state]}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{words[state]}</span>
    </span>
  );
}
