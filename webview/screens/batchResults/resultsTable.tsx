import * as l10n from '@vscode/l10n';
import type { ResultsSort, ResultsTableRow } from '../../../src/protocol/batchResults';
import { ModelTable } from '../../components/modelTable';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import type { Results } from './resultsContext';
import { StateDot } from './stateDot';

const rowHeight = 28;

/** The table of the results shown; only those in the viewport are drawn. */
export function ResultsTable({ results }: { readonly results: Results }) {
  const { session } = results;
  const { table } = session;
  const whyNone = table.choice.value.query === '' ? l10n.t('No pairs.') : l10n.t('No matching pairs.');
  return (
    <ModelTable
      name="results"
      label={l10n.t('Results')}
      columns={5}
      rowHeight={rowHeight}
      table={table}
      head={<Head results={results} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} results={results} />}
      nothing={session.summary.value === undefined ? '' : whyNone}
      onMove={(index) => void table.select(index)}
      onOpen={(row) => void session.ask('results/goTo', { row })}
      onKey={(key, row) => {
        if (key === 'c') void session.ask('results/copy', { row });
      }}
    />
  );
}

function Head({ results: { session } }: { readonly results: Results }) {
  const { sort, descending } = session.table.choice.value;
  const columns: readonly Column<ResultsSort>[] = [
    { name: 'state', label: l10n.t('State'), sort: 'state' },
    { name: 'id', label: l10n.t('custom_id'), sort: 'customId' },
    { name: 'request', label: l10n.t('Request'), sort: 'line' },
    { name: 'answer', label: l10n.t('Response') },
    { name: 'tokens', label: l10n.t('Tokens'), sort: 'tokens' },
  ];
  const onSort = (by: ResultsSort) =>
    session.table.change({ sort: by, descending: sort === by ? !descending : by === 'tokens' });
  return <TableHead name="results" columns={columns} sort={sort} descending={descending} onSort={onSort} />;
}

function Row({ row, results, ...drawn }: DrawnRow<ResultsTableRow> & { readonly results: Results }) {
  const { session } = results;
  const cells = [
    { name: 'state', content: row && <StateDot state={row.state} /> },
    { name: 'id', text: row?.customId ?? '' },
    { name: 'request', text: row?.request ?? '' },
    { name: 'answer', text: row?.answer ?? '', tone: row?.tone ?? 'plain' },
    { name: 'tokens', text: row?.tokens ?? '' },
  ];
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
