import * as l10n from '@vscode/l10n';
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
import type { RerankSession } from './session';
import { Sources } from './sources';
import { pageNumber } from '../../components/pageLanguage';

export function RerankView({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  return (
    <>
      <Head session={session} />
      {page?.source === '' ? (
        <>
          <Notes session={session} />
          <Sources session={session} />
        </>
      ) : (
        <>
          <QueryForm session={session} />
          <Notes session={session} />
          <Bar session={session} />
          <Panel session={session} />
        </>
      )}
    </>
  );
}

function Bar({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const count = (value: number | undefined) => (value === undefined ? '' : pageNumber(value));
  const tabs: readonly { readonly id: RerankTab; readonly label: string; readonly count: string }[] = [
    { id: 'documents', label: l10n.t('Documents'), count: count(page?.count) },
    { id: 'ranking', label: l10n.t('Ranking'), count: count(page?.ranking?.count) },
    { id: 'comparison', label: l10n.t('Compare'), count: '' },
  ];
  return (
    <div class="rerank-bar">
      <Tabs
        label={l10n.t('Documents, ranking, comparison')}
        tabs={tabs}
        chosen={session.tab.value}
        panelId="rerank-body"
        onChoose={(tab) => session.choose(tab)}
      />
      <div class="rerank-bar-end">
        {session.tab.value === 'documents' && <SendAll session={session} />}
        {session.tab.value === 'ranking' && <RankingActions session={session} />}
      </div>
    </div>
  );
}

function Panel({ session }: { readonly session: RerankSession }) {
  const tab = session.tab.value;
  return (
    <div class="rerank-body" id="rerank-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      {tab === 'documents' && <DocumentsPanel session={session} />}
      {tab === 'ranking' && <RankingPanel session={session} />}
      {tab === 'comparison' && <ComparisonPanel session={session} />}
      {session.list.isOpen.value && <Details session={session} />}
    </div>
  );
}
