import { render } from 'preact';
import type {
  BatchCompareScreen,
  PairTab,
  CompareSide,
  CompareRow,
  CompareSort,
} from '../../../src/protocol/batchCompare';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import '../../components/tablePage.css';
import '../batchResults/batchResults.css';
import '../batchResults/resultsTable.css';
import './batchCompare.css';
import { CompareSession } from './session';
import * as l10n from '@vscode/l10n';
import { MatchCount } from '../../components/matchCount';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import { ErrorNotice } from '../../components/errorNotice';
import { pageNumber } from '../../components/pageLanguage';
import { DetailsPane } from '../../components/detailsPane';
import { PairList, Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';
import { ModelTable } from '../../components/modelTable';
import { TableHead } from '../../components/tableHead';
import type { Column } from '../../components/tableHead';
import { TableRow } from '../../components/tableRow';
import type { DrawnRow } from '../../components/virtualTable';

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
  return (
    <>
      <Head session={session} />
      <ErrorNotice trouble={session.error.value} onReadAgain={() => void session.load(true)} />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={() => undefined} />
          ))}
        </div>
      )}
      {loading && (
        <Reading
          {...loading}
          label={l10n.t('Loading both runs…')}
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
        {table.selected.value !== null && table.details.value && <PairDetails session={session} />}
      </div>
    </>
  );
}

function Head({ session }: { readonly session: CompareSession }) {
  const runs = session.runs.value;
  const summary = session.summary.value;
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name">{l10n.t('Comparison')}</h1>
        <span class="table-page-facts">{summary?.agreement}</span>
      </div>
      {summary && (
        <div class="results-actions">
          <vscode-button appearance="secondary" onClick={() => session.export()}>
            {l10n.t('Export…')}
          </vscode-button>
        </div>
      )}
      {runs && (
        <dl class="compared">
          {[
            { letter: 'A', name: l10n.t('Run A'), run: runs.a },
            { letter: 'B', name: l10n.t('Run B'), run: runs.b },
          ].map(({ letter, name, run }) => (
            <div class="compared-run" key={letter}>
              <dt class="compared-letter">
                <span aria-hidden="true">{letter}</span>
                <span class="spoken">{name}</span>
              </dt>
              <dd class="compared-name">
                <bdi title={run.name}>{run.name}</bdi> <span class="table-page-facts">{run.facts}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </header>
  );
}

function Toolbar({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const { tab, query, isLoose } = table.choice.value;
  const labels: Readonly<Record<PairTab, string>> = {
    all: l10n.t('All'),
    same: l10n.t('Same'),
    different: l10n.t('Different'),
    onlyA: l10n.t('A only'),
    onlyB: l10n.t('B only'),
    neither: l10n.t('Neither'),
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <div class="results-bar">
      <Tabs
        label={l10n.t('Pair filter')}
        tabs={counts.map((one) => ({ id: one.tab, label: labels[one.tab], count: one.text }))}
        chosen={tab}
        panelId="results-body"
        onChoose={(next) => table.change({ tab: next })}
      />
      <span class="results-find">
        <MatchCount table={table} stop={l10n.t('Stop Search')} />
        <label class="check">
          <input
            type="checkbox"
            checked={isLoose}
            onChange={({ currentTarget }) => table.change({ isLoose: currentTarget.checked })}
          />
          {l10n.t('Ignore case and spaces')}
        </label>
        <SearchField
          label={l10n.t('Search IDs and responses')}
          query={query}
          onSearch={(text) => table.change({ query: text })}
        />
      </span>
    </div>
  );
}

/** Both answers side by side, with the differences between them marked. */
function PairDetails({ session }: { readonly session: CompareSession }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, customId, state, messages, a, b } = details;
  const head = (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      {line !== undefined && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Go to Input Line {0}', pageNumber(line + 1))}
          onClick={() => void session.ask('compare/goTo', { row })}
        />
      )}
    </>
  );
  return (
    <DetailsPane
      class="compare-details"
      label={l10n.t('Selected pair')}
      row={row}
      head={head}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
    >
      <p class="details-names">
        <PairDot state={state} />
      </p>
      <div class="compare-sides">
        <Side title={l10n.t('Run A')} side={a} />
        <Side title={l10n.t('Run B')} side={b} />
      </div>
      <section aria-label={l10n.t('Request')}>
        <Texts texts={messages} />
      </section>
    </DetailsPane>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
}

function Side({ title, side: { pieces, cut, tone, facts } }: SideProps) {
  return (
    <section class="compare-side">
      <h3 class="details-role">{title}</h3>
      <p class={`details-text tone-${tone}`} dir="auto">
        {pieces.map(({ text, differs }, index) =>
          differs ? (
            <mark class="compare-differs" key={index} title={l10n.t('In this response only')}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      {cut && <p class="details-note">{cut}</p>}
      <PairList pairs={facts} />
    </section>
  );
}

const rowHeight = 28;

/** The table of the pairs shown; only those in the viewport are drawn. */
function CompareTable({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const whyNone = table.choice.value.query === '' ? l10n.t('No pairs.') : l10n.t('No matching pairs.');
  return (
    <ModelTable
      name="compare"
      label={l10n.t('Responses side by side')}
      columns={5}
      rowHeight={rowHeight}
      table={table}
      head={<ColumnHead session={session} />}
      drawRow={(drawn) => <Row key={drawn.index} {...drawn} session={session} />}
      nothing={session.summary.value === undefined ? '' : whyNone}
      onMove={(index) => void table.select(index)}
      onOpen={(row) => void session.ask('compare/goTo', { row })}
    />
  );
}

function ColumnHead({ session }: { readonly session: CompareSession }) {
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
function PairDot({ state }: { readonly state: Exclude<PairTab, 'all'> }) {
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
