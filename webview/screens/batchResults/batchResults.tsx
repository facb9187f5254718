import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { render } from 'preact';
import type {
  BatchResultsScreen,
  ResultsPhase,
  ResultsRetry,
  ResultsTab,
  ResultsGroup,
} from '../../../src/protocol/batchResults';
import { createAnnouncer } from '../../components/announcer';
import { listenToLinks } from '../../components/outsideLinks';
import type { Host } from '../../host';
import { codePressOf } from '../../markdown/codeBlocks';
import { CodeColours } from '../../markdown/codeColours';
import { createMarkdownRenderer } from '../../markdown/renderer';
import '../../components/tablePage.css';
import './batchResults.css';
import './phases.css';
import './resultsTable.css';
import type { Results } from './resultsContext';
import { ResultsSession } from './session';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { ErrorNotice } from '../../components/errorNotice';
import { Details } from './details';
import { stateText } from './stateDot';
import { ActionButton } from './actionButton';
import { ColumnChooser } from './columnChooser';
import { ResultsTable } from './resultsTable';
import { GroupField } from '../../components/groupedRows';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import { Icon } from '../../components/icon';
import { createMenus } from '../../components/menu';
import { PageFoot } from '../../components/pageFoot';
import { IconButton } from '../../components/iconButton';

export function mountBatchResults(root: HTMLElement, host: Host<BatchResultsScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page results';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ResultsSession(host, (text) => announcer.say(text));
  const results: Results = {
    session,
    announcer,
    renderer: createMarkdownRenderer(),
    colours: new CodeColours(),
    openMenu: createMenus(root),
  };
  render(<ResultsPage results={results} />, page);
  listenToLinks(page, (url) => void session.ask('results/openLink', { url }));
  page.addEventListener('click', ({ target }) => {
    const press = target instanceof Element ? codePressOf(target) : undefined;
    if (press?.name !== 'copy') return;
    void session.ask('results/copyText', { text: press.code });
    announcer.say(l10n.t('Copied'));
  });
  host.on('results/head', (head) => session.showHead(head));
  host.on('results/stale', () => void session.load(true));
  host.on('results/reveal', ({ row }) => void session.show(row));
  void session.start();
}

function ResultsPage({ results }: { readonly results: Results }) {
  const { session } = results;
  const head = session.head.value;
  const summary = session.summary.value;
  const tabId = useComputed(() => `tab-${session.table.choice.value.tab}`);
  const waiting = summary || session.loading.progress.value || session.error.value ? undefined : head?.waiting;
  return (
    <>
      <Head results={results} />
      {head && head.phases.length > 0 && <Phases phases={head.phases} />}
      <Notes results={results} />
      <Faults results={results} />
      {waiting ? (
        <p class="table-nothing">{waiting}</p>
      ) : (
        <>
          <Toolbar results={results} />
          <Groups results={results} />
          <div class="table-page-body results-body" id="results-body" role="tabpanel" aria-labelledby={tabId}>
            <ResultsTable results={results} />
            {session.table.selected.value !== null && session.table.details.value && <Details results={results} />}
          </div>
          <Foot results={results} />
        </>
      )}
    </>
  );
}

/** How many rows are shown, and the keys of the table. */
function Foot({ results: { session } }: { readonly results: Results }) {
  const { table, summary } = session;
  const all = summary.value?.counts.find(({ tab }) => tab === 'all');
  const rows = all && (all.count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', all.text));
  const isOpen = table.selected.value !== null;
  return (
    <PageFoot
      text={table.countText.value || (rows ?? '')}
      keys={[
        ['J K', l10n.t('Next, previous')],
        ['Enter', l10n.t('Go to line')],
        ['Ctrl+C', l10n.t('Copy as TSV')],
        isOpen ? ['Esc', l10n.t('Close row')] : ['C', l10n.t('Copy response')],
      ]}
    />
  );
}

function Head({ results: { session } }: { readonly results: Results }) {
  const head = session.head.value;
  const summary = session.summary.value;
  const retry = summary?.retry[session.table.choice.value.tab];
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name" title={head?.name}>
          <bdi>{head?.name}</bdi>
        </h1>
        {head?.runs !== undefined && (
          <button
            type="button"
            class="results-runs"
            title={l10n.t('Open Another Run…')}
            onClick={() => void session.ask('results/otherRun', {})}
          >
            {head.runs}
            <Icon name="chevron-down" />
          </button>
        )}
        <span class="table-page-facts" title={head?.factsHint}>
          {[head?.facts, summary?.facts].filter(Boolean).join(' · ')}
        </span>
      </div>
      {summary && (
        <div class="results-actions">
          <ActionButton icon="save-as" label={l10n.t('Export…')} onClick={() => session.export()} />
          <ActionButton
            icon="debug-rerun"
            label={l10n.t('Run Again With…')}
            onClick={() => void session.ask('results/runAgain', session.table.choice.peek())}
          />
          {retry && <RetryButton retry={retry} session={session} />}
        </div>
      )}
    </header>
  );
}

interface RetryButtonProps {
  readonly retry: ResultsRetry;
  readonly session: Results['session'];
}

/** The main action of the page, with fewer words where the page is narrow. */
function RetryButton({ retry: { label, short, which }, session }: RetryButtonProps) {
  const onClick = () => void session.ask('results/retry', { which });
  return (
    <>
      <vscode-button class="results-long" onClick={onClick}>
        {label}
      </vscode-button>
      <vscode-button class="results-short" title={label} aria-label={label} onClick={onClick}>
        {short}
      </vscode-button>
    </>
  );
}

/** Notes on the run and its files, with possible actions. */
function Notes({ results: { session } }: { readonly results: Results }) {
  const error = session.error.value;
  const loading = session.loading.progress.value;
  const notices = [...(session.head.value?.notices ?? []), ...(session.summary.value?.notices ?? [])];
  return (
    <>
      <ErrorNotice
        error={error}
        actions={error?.actions ?? []}
        onAct={(id) => void session.ask('results/act', { id })}
        onReadAgain={() => void session.load(true)}
      />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={(id) => void session.ask('results/act', { id })} />
          ))}
        </div>
      )}
      {loading && (
        <Reading
          {...loading}
          label={l10n.t('Loading results…')}
          cancel={l10n.t('Cancel')}
          onCancel={() => void session.ask('results/stop', {})}
        />
      )}
    </>
  );
}

/** The phases of the batch: those it has passed, with their times, and those ahead. */
function Phases({ phases }: { readonly phases: readonly ResultsPhase[] }) {
  const states = {
    done: l10n.t('done'),
    current: l10n.t('current'),
    ahead: l10n.t('pending'),
    ended: l10n.t('ended'),
  };
  return (
    <ol class="phases" aria-label={l10n.t('Batch progress')}>
      {phases.map(({ label, detail, hint, state }, index) => (
        <li
          class={`phase phase-${state}`}
          key={index}
          title={hint || undefined}
          aria-current={state === 'current' ? 'step' : undefined}
        >
          <span class="phase-label">{label}</span>
          <span class="spoken">{states[state]}</span>
          <span class="phase-detail">{detail}</span>
        </li>
      ))}
    </ol>
  );
}

/** The service's reasons for rejecting the batch. If one names a line, a link goes to it. */
function Faults({ results: { session } }: { readonly results: Results }) {
  const faults = session.head.value?.faults ?? [];
  if (faults.length === 0) return null;
  return (
    <section class="results-faults" aria-label={l10n.t('Service errors')} tabIndex={0}>
      <h2 class="results-faults-title">{l10n.t('Service errors')}</h2>
      <ul class="results-faults-list">
        {faults.map(({ text, code, line, isChanged }, index) => (
          <li class="results-fault" key={index}>
            {line !== undefined && (
              <button
                type="button"
                class="link results-fault-line"
                onClick={() => void session.ask('results/goToFault', { fault: index })}
              >
                {line}
              </button>
            )}
            <span class="results-fault-text">
              <bdi>{text}</bdi>
              {code !== '' && <code class="results-fault-code">{code}</code>}
              {isChanged && <span class="results-fault-changed">{l10n.t('Changed since submission')}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Toolbar({ results }: { readonly results: Results }) {
  const { session } = results;
  return (
    <div class="results-bar">
      <div class="results-filters">
        <ResultTabs results={results} />
        <UnexpectedToggle results={results} />
        <ChangedToggle results={results} />
      </div>
      <span class="results-find">
        <MatchCount table={session.table} stop={l10n.t('Stop Search')} />
        <CompareButton results={results} />
        <span class="results-option">
          <GroupBy results={results} />
        </span>
        <SearchField
          label={l10n.t('Search IDs and text')}
          hint={l10n.t('Search IDs and text. For one column: name:text.')}
          query={session.table.choice.value.query}
          onSearch={(query) => session.table.change({ query })}
        />
        {session.summary.value && (
          <ColumnChooser columns={session.columns}>
            <GroupBy results={results} />
          </ColumnChooser>
        )}
      </span>
    </div>
  );
}

/** Shows only the responses that differ from those of the reference run. */
function ChangedToggle({ results: { session } }: { readonly results: Results }) {
  const reference = session.summary.value?.reference;
  if (!reference) return null;
  const { isDifferent } = session.table.choice.value;
  return (
    <button
      type="button"
      class="tab results-toggle"
      aria-pressed={isDifferent}
      title={l10n.t('Compared with {0}', reference.label)}
      onClick={() => session.table.change({ isDifferent: !isDifferent })}
    >
      {l10n.t('Changed')} <span class="tab-count">{reference.different}</span>
    </button>
  );
}

/** Compares the responses with those of another run, in a column or on a separate page. */
function CompareButton({ results: { session, openMenu } }: { readonly results: Results }) {
  const summary = session.summary.value;
  if (!summary) return null;
  const { reference } = summary;
  const column = reference
    ? { label: l10n.t('Remove Comparison Column'), run: () => void session.setReference(false) }
    : { label: l10n.t('Add Comparison Column…'), run: () => void session.setReference(true) };
  const runs = { label: l10n.t('Compare Runs…'), run: () => void session.ask('results/compare', {}) };
  const label = reference ? l10n.t('Compared with {0}', reference.label) : l10n.t('Compare');
  return (
    <button
      type="button"
      class="results-runs results-compare"
      title={label}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ currentTarget }) => openMenu(currentTarget, [column, runs])}
    >
      <Icon name="diff" />
      <span class="results-compare-text">{label}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** Shows only the answers that are not as expected. */
function UnexpectedToggle({ results: { session } }: { readonly results: Results }) {
  const count = session.summary.value?.unexpected;
  if (count === undefined) return null;
  const { isUnexpected } = session.table.choice.value;
  return (
    <button
      type="button"
      class="tab results-toggle"
      aria-pressed={isUnexpected}
      onClick={() => session.table.change({ isUnexpected: !isUnexpected })}
    >
      {l10n.t('Unexpected')} <span class="tab-count">{count}</span>
    </button>
  );
}

const ungrouped = ['run:customId', 'run:line', 'run:request', 'run:tokens', 'run:tokensIn', 'run:tokensOut'];

function GroupBy({ results: { session } }: { readonly results: Results }) {
  const columns = (session.summary.value?.columns.all ?? []).filter(({ id }) => !ungrouped.includes(id));
  return <GroupField table={session.table} columns={columns} />;
}

function ResultTabs({ results: { session } }: { readonly results: Results }) {
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <Tabs
      label={l10n.t('Result filter')}
      tabs={counts.map(({ tab, text }) => ({ id: tab, label: tabText(tab), count: text }))}
      chosen={session.table.choice.value.tab}
      panelId="results-body"
      onChoose={(tab) => session.table.change({ tab, group: null })}
    />
  );
}

function tabText(tab: ResultsTab): string {
  if (tab === 'all') return l10n.t('All');
  return tab === 'empty' ? l10n.t('Filtered or Empty') : stateText(tab);
}

/** The kinds of errors with their counts. Each kind can be filtered by, opened at its first line, and retried. */
function Groups({ results }: { readonly results: Results }) {
  const { session } = results;
  const { tab, group: chosen } = session.table.choice.value;
  const groups = session.summary.value?.groups ?? [];
  if (tab !== 'failed' || groups.length === 0) return null;
  return (
    <ul class="results-groups" aria-label={l10n.t('Errors by type')} tabIndex={0}>
      {groups.map((group) => (
        <Group key={group.group} group={group} isChosen={group.group === chosen} results={results} />
      ))}
      {chosen !== null && (
        <li class="results-group">
          <button type="button" class="link" onClick={() => session.table.change({ group: null })}>
            {l10n.t('Show All Failures')}
          </button>
        </li>
      )}
    </ul>
  );
}

interface GroupProps {
  readonly group: ResultsGroup;
  readonly isChosen: boolean;
  readonly results: Results;
}

function Group({ group: { group, text, count, row }, isChosen, results: { session } }: GroupProps) {
  return (
    <li class="results-group">
      <button
        type="button"
        class="results-group-name"
        aria-pressed={isChosen}
        title={text}
        onClick={() => session.table.change({ group: isChosen ? null : group })}
      >
        <span class="results-group-count">{count}</span>
        <bdi class="results-group-text">{text}</bdi>
      </button>
      <IconButton
        icon="go-to-file"
        label={l10n.t('Go to First Failed Line')}
        onClick={() => void session.ask('results/goTo', { row })}
      />
      <IconButton
        icon="debug-restart"
        label={l10n.t('Retry These Requests')}
        onClick={() => void session.ask('results/retry', { which: { group } })}
      />
    </li>
  );
}
