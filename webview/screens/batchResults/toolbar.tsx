import type { ResultsTab } from '../../../src/protocol/batchResults';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import type { Results } from './resultsContext';

export function Toolbar({ results }: { readonly results: Results }) {
  const { session, strings } = results;
  return (
    <div class="results-bar">
      <ResultTabs results={results} />
      {session.summary.value && (
        <button type="button" class="tab" onClick={() => session.compare()}>
          {strings.compareWith}
        </button>
      )}
      <span class="results-find">
        <MatchCount table={session.table} stop={strings.stopSearch} />
        <SearchField
          label={strings.search}
          query={session.table.choice.value.query}
          onSearch={(query) => session.table.change({ query })}
        />
      </span>
    </div>
  );
}

function ResultTabs({ results: { session, strings } }: { readonly results: Results }) {
  const labels: Readonly<Record<ResultsTab, string>> = {
    all: strings.tabAll,
    answered: strings.tabAnswered,
    failed: strings.tabFailed,
    missing: strings.tabMissing,
    extra: strings.tabExtra,
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <Tabs
      label={strings.tabs}
      tabs={counts.map(({ tab, text }) => ({ id: tab, label: labels[tab], count: text }))}
      chosen={session.table.choice.value.tab}
      panelId="results-body"
      onChoose={(tab) => session.table.change({ tab, group: null })}
    />
  );
}
