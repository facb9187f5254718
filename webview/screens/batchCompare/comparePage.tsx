import type { PairTab } from '../../../src/protocol/batchCompare';
import { MatchCount } from '../../components/matchCount';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import { ErrorNotice } from '../../components/errorNotice';
import type { Compare } from './batchCompare';
import { CompareTable } from './compareTable';
import { PairDetails } from './pairDetails';

export function ComparePage({ compare }: { readonly compare: Compare }) {
  const { session, strings } = compare;
  const { table } = session;
  const loading = session.loading.progress.value;
  const notices = session.summary.value?.notices ?? [];
  return (
    <>
      <Head compare={compare} />
      <ErrorNotice
        trouble={session.trouble.value}
        readAgain={strings.readAgain}
        onReadAgain={() => void session.load(true)}
      />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={() => undefined} />
          ))}
        </div>
      )}
      {loading && (
        <Reading {...loading} label={strings.reading} cancel={strings.cancel} onCancel={() => session.stopLoading()} />
      )}
      <Toolbar compare={compare} />
      <div
        class="table-page-body results-body"
        id="results-body"
        role="tabpanel"
        aria-labelledby={`tab-${table.choice.value.tab}`}
      >
        <CompareTable compare={compare} />
        {table.selected.value !== null && table.details.value && <PairDetails compare={compare} />}
      </div>
    </>
  );
}

function Head({ compare: { session, strings } }: { readonly compare: Compare }) {
  const runs = session.runs.value;
  const summary = session.summary.value;
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name">{strings.title}</h1>
        <span class="table-page-facts">{summary?.agreement}</span>
      </div>
      {summary && (
        <div class="results-actions">
          <vscode-button appearance="secondary" onClick={() => session.export()}>
            {strings.exportPairs}
          </vscode-button>
        </div>
      )}
      {runs && (
        <dl class="compared">
          {[
            { letter: 'A', name: strings.runA, run: runs.a },
            { letter: 'B', name: strings.runB, run: runs.b },
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

function Toolbar({ compare: { session, strings } }: { readonly compare: Compare }) {
  const { table } = session;
  const { tab, query, isLoose } = table.choice.value;
  const labels: Readonly<Record<PairTab, string>> = {
    all: strings.tabAll,
    same: strings.tabSame,
    different: strings.tabDifferent,
    onlyA: strings.tabOnlyA,
    onlyB: strings.tabOnlyB,
    neither: strings.tabNeither,
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <div class="results-bar">
      <Tabs
        label={strings.tabs}
        tabs={counts.map((one) => ({ id: one.tab, label: labels[one.tab], count: one.text }))}
        chosen={tab}
        panelId="results-body"
        onChoose={(next) => table.change({ tab: next })}
      />
      <span class="results-find">
        <MatchCount table={table} stop={strings.stopSearch} />
        <label class="check">
          <input
            type="checkbox"
            checked={isLoose}
            onChange={({ currentTarget }) => table.change({ isLoose: currentTarget.checked })}
          />
          {strings.loose}
        </label>
        <SearchField label={strings.search} query={query} onSearch={(text) => table.change({ query: text })} />
      </span>
    </div>
  );
}
