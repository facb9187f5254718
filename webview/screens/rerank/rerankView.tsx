import type { RerankTab } from '../../../src/protocol/rerank';
import { Tabs } from '../../components/tabs';
import { ComparisonPanel } from './comparisonPanel';
import { Details } from './details';
import { DocumentsPanel, SendAll } from './documentsPanel';
import { Head } from './head';
import { Notes } from './notes';
import { QueryForm } from './queryForm';
import { RankingActions } from './rankingActions';
import { RankingPanel } from './rankingPanel';
import type { Rerank } from './rerankContext';
import { Sources } from './sources';

export function RerankView({ rerank }: { readonly rerank: Rerank }) {
  const { session } = rerank;
  const page = session.page.value;
  return (
    <>
      <Head rerank={rerank} />
      {page?.source === '' ? (
        <>
          <Notes rerank={rerank} />
          <Sources rerank={rerank} />
        </>
      ) : (
        <>
          <QueryForm rerank={rerank} />
          <Notes rerank={rerank} />
          <Bar rerank={rerank} />
          <Panel rerank={rerank} />
        </>
      )}
    </>
  );
}

function Bar({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings, number } = rerank;
  const page = session.page.value;
  const count = (value: number | undefined) => (value === undefined ? '' : number(value));
  const tabs: readonly { readonly id: RerankTab; readonly label: string; readonly count: string }[] = [
    { id: 'documents', label: strings.tabDocuments, count: count(page?.count) },
    { id: 'ranking', label: strings.tabRanking, count: count(page?.ranking?.count) },
    { id: 'comparison', label: strings.tabComparison, count: '' },
  ];
  return (
    <div class="rerank-bar">
      <Tabs
        label={strings.tabs}
        tabs={tabs}
        chosen={session.tab.value}
        panelId="rerank-body"
        onChoose={(tab) => session.choose(tab)}
      />
      <div class="rerank-bar-end">
        {session.tab.value === 'documents' && <SendAll rerank={rerank} />}
        {session.tab.value === 'ranking' && <RankingActions rerank={rerank} />}
      </div>
    </div>
  );
}

function Panel({ rerank }: { readonly rerank: Rerank }) {
  const { session } = rerank;
  const tab = session.tab.value;
  return (
    <div class="rerank-body" id="rerank-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      {tab === 'documents' && <DocumentsPanel rerank={rerank} />}
      {tab === 'ranking' && <RankingPanel rerank={rerank} />}
      {tab === 'comparison' && <ComparisonPanel rerank={rerank} />}
      {session.list.isOpen.value && <Details rerank={rerank} />}
    </div>
  );
}
