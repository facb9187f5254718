import * as l10n from '@vscode/l10n';
import type { CompareRow, CompareSort, PairTab } from '../../../src/protocol/batchCompare';
import { ModelTable } from '../../components/modelTable';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import type { CompareSession } from './session';

const rowHeight = 28;

/** The table of the pairs shown; only those in the viewport are drawn. */
export function CompareTable({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const whyNone = table.choice.value.query === '' ? l10n.t('No pairs.') : l10n.t('No matching pairs.');
  return (
    <ModelTable
      name="compare"
      label={l10n.t('Responses side by side')}
      columns={5}
      rowHeight={rowHeight}
      table={table}
      head={<Head session={session} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} session={session} />}
      nothing={session.summary.value === undefined ? '' : whyNone}
      onMove={(index) => void table.select(index)}
      onOpen={(row) => void session.ask('compare/goTo', { row })}
    />
  );
}

function Head({ session }: { readonly session: CompareSession }) {
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<CompareSort>[] = [
    { name: 'state', label: l10n.t('State'), sort: 'state' },
    { name: 'id', label: l10n.t('custom_id'), sort: 'customId' },
    { name: 'request', label: l10n.t('Request'), sort: 'line' },
    { name: 'a', label: l10n.t('Run A') },
    { name: 'b', label: l10n.t('Run B') },
  ];
  const onSort = (by: CompareSort) => session.table.change({ sort: by, descending: sort === by && !descending });
  return <TableHead name="compare" columns={columns} sort={sort} descending={descending} onSort={onSort} />;
}

function Row({ row, session, ...drawn }: DrawnRow<CompareRow> & { readonly session: CompareSession }) {
  const cells = [
    { name: 'state', content: row && <PairDot state={row.state} /> },
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
      onOpen={() => row && void session.ask('compare/goTo', { row: row.row })}
    />
  );
}

/** How two answers compare: a symbol of its own shape, and its name. */
export function PairDot({ state }: { readonly state: Exclude<PairTab, 'all'> }) {
  const words = {
    same: l10n.t('Same'),
    different: l10n.t('Different'),
    onlyA: l10n.t('A only'),
    onlyB: l10n.t('B only'),
    neither: l10n.t('Neither'),
  };
  return (
    <span class={`state pair-${state}`} title={words[state]}>
      <span class="state-dot" aria-hidden="true" />
      <span class="state-word">{words[state]}</span>
    </span>
  );
}
