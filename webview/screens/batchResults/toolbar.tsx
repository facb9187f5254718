import * as l10n from '@vscode/l10n';
import type { ResultsTab } from '../../../src/protocol/batchResults';
import { MatchCount } from '../../components/matchCount';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import type { Results } from './resultsContext';

export function Toolbar({ results }: { readonly results: Results }) {
  const { session } = results;
  return (
    <div class="results-bar">
      <ResultTabs results={results} />
      {session.summary.value && (
        <button type="button" class="tab" onClick={() => session.compare()}>
          {l10n.t('Compare with…')}
        </button>
      )}
      <span class="results-find">
        <MatchCount table={session.table} stop={l10n.t('Stop the search')} />
        <SearchField
          label={l10n.t('Search ids and texts')}
          query={session.table.choice.value.query}
          onSearch={(query) => session.table.change({ query })}
        />
      </span>
    </div>
  );
}

function ResultTabs({ results: { session } }: { readonly results: Results }) {
  const labels: Readonly<Record<ResultsTab, string>> = {
    all: l10n.t('All'),
    answered: l10n.t('Answered'),
    failed: l10n.t('Failed'),
    missing: l10n.t('Missing'),
    extra: l10n.t('Extra'),
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <Tabs
      label={l10n.t('Which results')}
      tabs={counts.map(({ tab, text }) => ({ id: tab, label: labels[tab], count: text }))}
      chosen={session.table.choice.value.tab}
      panelId="results-body"
      onChoose={(tab) => session.table.change({ tab, group: null })}
    />
  );
}
