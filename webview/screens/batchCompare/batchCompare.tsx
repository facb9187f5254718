import { render } from 'preact';
import type { BatchCompareScreen, CompareCell, CompareRow, CompareTab } from '../../../src/protocol/batchCompare';
import type { ResultsColumn } from '../../../src/protocol/batchResults';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import '../../components/tablePage.css';
import '../batchResults/batchResults.css';
import '../batchResults/resultsTable.css';
import './batchCompare.css';
import { CompareSession } from './session';
import * as l10n from '@vscode/l10n';
import { MatchCount } from '../../components/matchCount';
import { ModelTable } from '../../components/modelTable';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import { Reading } from '../../components/reading';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';
import { Tabs } from '../../components/tabs';
import { ErrorNotice } from '../../components/errorNotice';
import { GroupField, GroupHeading, toggleActive, useTableWidth } from '../../components/groupedRows';
import { TableHead } from '../../components/tableHead';
import { TableRow, type TableCell } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';
import { ActionButton } from '../batchResults/actionButton';
import { ColumnChooser } from '../batchResults/columnChooser';
import { fitColumns, type DrawnColumn } from '../batchResults/columnFit';
import { ColumnsArea, ExpectedMark } from '../batchResults/resultsTable';
import { ComparedDetails, ComparedDot, onRowKey } from './comparedDetails';
import { RunsTable } from './runsTable';

export function mountBatchCompare(root: HTMLElement, host: Host<BatchCompareScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page results';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CompareSession(host, (text) => announcer.say(text));
  render(<ComparePage session={session} />, page);
  void session.start();
}

function ComparePage({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const loading = session.loading.progress.value;
  const notices = session.summary.value?.notices ?? [];
  const count = session.runs.value.length;
  return (
    <>
      <Head session={session} />
      <ErrorNotice error={session.error.value} onReadAgain={() => void session.load(true)} />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={() => undefined} />
          ))}
        </div>
      )}
      <RunsTable session={session} />
      {loading && (
        <Reading
          {...loading}
          label={l10n.t('Loading…')}
          cancel={l10n.t('Cancel')}
          onCancel={() => void session.ask('compare/stop', {})}
        />
      )}
      <Toolbar session={session} />
      <div
        class="table-page-body results-body"
        id="results-body"
        role="tabpanel"
        aria-labelledby={`tab-${table.choice.value.tab}`}
      >
        <CompareTable session={session} />
        {table.selected.value !== null && table.details.value && <ComparedDetails session={session} />}
      </div>
      <PageFoot
        text={table.countText.value || (session.summary.value?.facts ?? '')}
        keys={[
          ['J K', l10n.t('Next, previous')],
          [`1–${count}`, l10n.t('Set reference')],
          ['Enter', l10n.t('Go to line')],
          ['Esc', l10n.t('Close row')],
        ]}
      />
    </>
  );
}

function Head({ session }: { readonly session: CompareSession }) {
  const summary = session.summary.value;
  const runs = session.runs.value;
  const next = nextRun(session);
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name">{l10n.t('Comparison')}</h1>
      </div>
      {summary && (
        <div class="results-actions">
          {session.canAddRuns.value && (
            <ActionButton icon="add" label={l10n.t('Add Runs…')} onClick={() => void session.addRuns()} />
          )}
          <ActionButton icon="save-as" label={l10n.t('Export…')} onClick={() => session.export()} />
          {next !== undefined && (
            <vscode-button
              title={l10n.t('Edit the requests of Run {0}, then rerun them', runs[next]?.letter ?? '')}
              onClick={() => void session.ask('compare/runAgain', { run: next })}
            >
              {l10n.t('Run {0} Again With…', runs[next]?.letter ?? '')}
            </vscode-button>
          )}
        </div>
      )}
    </header>
  );
}

/** The run to continue with: the one with most responses as expected, or else the latest. */
function nextRun(session: CompareSession): number | undefined {
  const rates = session.summary.value?.runs.map(({ rate }) => rate?.estimate) ?? [];
  const best = rates.reduce<number>((most, rate) => Math.max(most, rate ?? -1), -1);
  const run = best < 0 ? rates.length - 1 : rates.lastIndexOf(best);
  return run < 0 ? undefined : run;
}

function Toolbar({ session }: { readonly session: CompareSession }) {
  const { table, available } = session;
  const { tab, query, reference } = table.choice.value;
  const letter = session.runs.value[reference]?.letter ?? '';
  const labels: Readonly<Record<CompareTab, string>> = {
    all: l10n.t('All'),
    changed: l10n.t('Changed'),
    worse: l10n.t('Worse than {0}', letter),
    better: l10n.t('Better than {0}', letter),
    unanswered: l10n.t('Incomplete'),
    same: l10n.t('Same'),
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <div class="results-bar">
      <div class="results-filters">
        <Tabs
          label={l10n.t('Row filter')}
          tabs={counts.map((one) => ({ id: one.tab, label: labels[one.tab], count: one.text }))}
          chosen={tab}
          panelId="results-body"
          onChoose={(next) => table.change({ tab: next })}
        />
      </div>
      <span class="results-find">
        <MatchCount table={table} stop={l10n.t('Stop Search')} />
        <span class="results-option compare-option">
          <LooseField session={session} />
        </span>
        <span class="results-option compare-option">
          <CompareByField session={session} />
        </span>
        <span class="results-option compare-option">
          <GroupBy session={session} />
        </span>
        <SearchField
          label={l10n.t('Search IDs and text')}
          hint={l10n.t('Search IDs and text. For one column: name:text.')}
          query={query}
          onSearch={(text) => table.change({ query: text })}
        />
        {available.value && (
          <ColumnChooser columns={session.columns}>
            <LooseField session={session} />
            <CompareByField session={session} />
            <GroupBy session={session} />
          </ColumnChooser>
        )}
      </span>
    </div>
  );
}

function LooseField({ session: { table } }: { readonly session: CompareSession }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={table.choice.value.isLoose}
        onChange={({ currentTarget }) => table.change({ isLoose: currentTarget.checked })}
      />
      {l10n.t('Ignore case and spaces')}
    </label>
  );
}

/** Which part of the responses is compared. */
function CompareByField({ session }: { readonly session: CompareSession }) {
  const columns = session.available.value?.all ?? [];
  const answers = columns.filter(({ id, group }) => group === 'response' || id === 'run:answer');
  if (answers.length < 2) return null;
  return (
    <SelectField
      label={l10n.t('Compare by')}
      value={session.by.value}
      options={answers.map(({ id, label, group }) => ({
        value: id,
        label: group === 'run' ? l10n.t('Compare entire responses') : l10n.t('Compare {0}', label),
      }))}
      onChoose={(by) => session.table.change({ by })}
    />
  );
}

function GroupBy({ session: { table, available } }: { readonly session: CompareSession }) {
  const columns = (available.value?.all ?? []).filter(({ group }) => group === 'source' || group === 'response');
  return <GroupField table={table} columns={columns} />;
}

const rowHeight = 24;

/** The table of the rows shown; only those in the viewport are drawn. */
function CompareTable({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const width = useTableWidth();
  const { all, ids } = runColumns(session);
  const by = session.by.value;
  const fitted = fitColumns(all, {
    ids,
    widths: session.columns.layout.value.widths,
    isChosen: session.columns.layout.value.columns !== null,
    isBeside: table.selected.value !== null && table.details.value !== undefined,
    width,
    always: ids.filter((id) => id.startsWith(`${by}@`)),
  });
  const { columns } = fitted;
  const whyNone = table.choice.value.query === '' ? l10n.t('No rows.') : l10n.t('No matches.');
  return (
    <ColumnsArea fitted={fitted} width={width}>
      <ModelTable
        name="compare"
        label={l10n.t('Responses side by side')}
        columns={columns.length}
        rowHeight={rowHeight}
        table={table}
        head={<ColumnHead session={session} columns={columns} />}
        drawRow={(drawn) => <Row key={drawn.index} {...drawn} session={session} columns={columns} />}
        nothing={session.summary.value === undefined ? '' : whyNone}
        onMove={(index) => void table.select(index)}
        onOpen={(row) => void session.ask('compare/goTo', { row })}
        onKey={(key, _row, event) => onTableKey(session, key, event)}
      />
    </ColumnsArea>
  );
}

function onTableKey(session: CompareSession, key: string, event: KeyboardEvent): void {
  if (key !== ' ') onRowKey(session, key, event);
  else if (!event.ctrlKey && !event.metaKey && !event.altKey) void toggleActive(session, event);
}

const ofRequest = ['run:state', 'run:customId', 'run:request'];

/** The columns with one of each run in place of those that have a value in each. */
function runColumns(session: CompareSession): {
  readonly all: readonly ResultsColumn[];
  readonly ids: readonly string[];
} {
  const runs = session.runs.value;
  const [by, known] = [session.by.value, session.available.value?.all ?? []];
  const isOfEach = (id: string) => !id.startsWith('source:') && !ofRequest.includes(id);
  return {
    all: known.flatMap((column) => {
      if (!isOfEach(column.id)) return [column];
      return runs.map(({ letter, name }, run) => ({
        ...column,
        id: `${column.id}@${run}`,
        label: `${letter} ${column.id === by ? name : column.label}`,
      }));
    }),
    ids: session.ids.value.flatMap((id) => (isOfEach(id) ? runs.map((_, run) => `${id}@${run}`) : [id])),
  };
}

interface ColumnsProps {
  readonly session: CompareSession;
  readonly columns: readonly DrawnColumn[];
}

function ColumnHead({ session, columns }: ColumnsProps) {
  const { sort, descending } = session.table.choice.value;
  const heads = columns.map(({ id, label, name }) => ({
    name,
    label,
    sort: id === 'run:request' ? 'run:line' : id,
  }));
  return (
    <TableHead
      name="compare"
      columns={heads}
      sort={sort}
      descending={descending}
      onSort={(by) => session.table.change({ sort: by, descending: sort === by && !descending })}
      onResize={(index, width) => {
        const id = columns[index]?.id;
        if (id !== undefined) session.columns.resize(id, width);
      }}
    />
  );
}

function Row({ row, session, columns, ...drawn }: DrawnRow<CompareRow> & ColumnsProps) {
  if (row?.heading)
    return <GroupHeading heading={row.heading} drawn={drawn} session={session} columns={columns.length} />;
  return (
    <TableRow
      name="compare"
      drawn={drawn}
      cells={columns.map((column) => cellOf(column, row))}
      onSelect={() => void session.table.select(drawn.index, row)}
      onOpen={() => row && void session.ask('compare/goTo', { row: row.row })}
    />
  );
}

function cellOf({ id, name }: DrawnColumn, row: CompareRow | undefined): TableCell {
  if (!row) return { name, text: '' };
  switch (id) {
    case 'run:state':
      return { name, content: <ComparedDot state={row.state} /> };
    case 'run:customId':
      return { name, text: row.customId };
    case 'run:request':
      return { name, text: row.request };
    default:
      return answerOf(name, row.cells[id]);
  }
}

/** A changed value is bold, never only in another color, and a screen reader says that it is changed. */
function answerOf(name: string, cell: CompareCell | undefined): TableCell {
  const { text = '', tone = 'plain', isChanged = false, isAsExpected } = cell ?? {};
  return {
    name,
    tone,
    content: (
      <bdi title={text}>
        {isChanged && <span class="spoken">{l10n.t('Changed')} </span>}
        {isChanged ? <strong>{text}</strong> : text}
      </bdi>
    ),
    ...(isAsExpected !== undefined && { before: <ExpectedMark isMet={isAsExpected} /> }),
  };
}
