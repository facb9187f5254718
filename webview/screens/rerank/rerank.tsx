import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RerankScreen, RerankSourceKind, RerankTable } from '../../../src/protocol/rerank';
import { createAnnouncer } from '../../components/announcer';
import './rerank.css';
import './rerankForm.css';
import './rerankTable.css';
import './comparison.css';
import '../../components/details.css';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { createMenus, type OpenMenu } from '../../components/menu';
import { pageNumber } from '../../components/pageLanguage';
import { Tabs } from '../../components/tabs';
import type { Host } from '../../host';
import { ComparisonPanel } from './comparisonPanel';
import { JudgeButtons } from './documentTable';
import { DocumentsPanel, SendAll } from './documentsPanel';
import { Notes } from './notes';
import { QueryForm } from './queryForm';
import { RankingActions } from './rankingActions';
import { RankingPanel } from './rankingPanel';
import { RerankSession } from './session';

export function mountRerank(root: HTMLElement, host: Host<RerankScreen>): void {
  const page = document.createElement('main');
  page.className = 'rerank';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new RerankSession(host, (text) => announcer.say(text));
  render(<RerankPage session={session} />, page);
  host.on('rerank/changed', (changed) => session.show(changed));
  void session.start();
}

function RerankPage({ session }: { readonly session: RerankSession }) {
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
  const tabs: readonly { readonly id: RerankTable; readonly label: string; readonly count: string }[] = [
    { id: 'documents', label: l10n.t('Documents'), count: count(page?.count) },
    { id: 'ranking', label: l10n.t('Ranking'), count: count(page?.ranking?.count) },
    { id: 'comparison', label: l10n.t('Comparison'), count: '' },
  ];
  return (
    <div class="rerank-bar">
      <Tabs
        label={l10n.t('Documents and results')}
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

/** The source of the documents, and a menu to choose another. */
function Head({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const reading = session.reading.value;
  const hasSource = page !== undefined && page.source !== '';
  return (
    <header class="rerank-head">
      <h1 class="rerank-title">{l10n.t('Rerank')}</h1>
      {hasSource && (
        <>
          <span class="rerank-source" title={page.source}>
            <bdi>{page.source}</bdi>
          </span>
          <span class="rerank-facts">
            {page.facts}
            {page.price && <span title={page.price.hint}> · {page.price.text}</span>}
          </span>
        </>
      )}
      {reading && (
        <span class="rerank-reading">
          {l10n.t('Loading…')}
          <button type="button" class="link" onClick={() => reading.abort()}>
            {l10n.t('Stop')}
          </button>
        </span>
      )}
      {hasSource && <ChangeSource session={session} />}
    </header>
  );
}

function ChangeSource({ session }: { readonly session: RerankSession }) {
  const menus = useRef<OpenMenu>(undefined);
  const open = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    const items = sources().map(({ kind, name }) => ({
      label: name,
      run: () => void session.chooseSource(kind),
    }));
    menus.current(button, items);
  };
  return (
    <button
      type="button"
      class="link rerank-change"
      aria-haspopup="menu"
      aria-expanded={false}
      disabled={session.running.value !== undefined}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      {l10n.t('Change Source')}
      <Icon name="chevron-down" />
    </button>
  );
}

/** The whole document of the selected row. */
function Details({ session }: { readonly session: RerankSession }) {
  const { list } = session;
  const body = useRef<HTMLDivElement>(null);
  const whole = list.whole.value;
  const { row } = list;
  useEffect(() => body.current?.scrollTo(0, 0), [whole?.index]);
  if (!whole || !row) return null;
  const close = () => {
    list.close();
    document.querySelector<HTMLElement>('.virtual-table')?.focus();
  };
  return (
    <aside
      class="details-pane rerank-details"
      aria-label={l10n.t('Full document')}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div class="details-head">
        <h2 class="details-title">{l10n.t('Document {0}', pageNumber(row.index + 1))}</h2>
        <span class="rerank-muted rerank-details-place" title={row.place}>
          <bdi>{row.place}</bdi>
        </span>
        {'judgement' in row && <JudgeButtons row={row} session={session} tabIndex={0} />}
        {row.canOpen && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Go to Source (Enter)')}
            onClick={() => void session.ask('rerank/goTo', { index: row.index })}
          />
        )}
        <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={close} />
      </div>
      <div class="details-body" ref={body} tabIndex={0} role="group" aria-label={l10n.t('Full document')}>
        {'problem' in row && row.problem && (
          <p class="details-note">
            <span class="rerank-row-trouble">
              <Icon name="warning" />
            </span>
            {row.problem}
          </p>
        )}
        <p class="details-text" dir="auto">
          {whole.text}
        </p>
        {whole.isCut && <p class="details-note">{l10n.t('Only part is shown, but all text is sent.')}</p>}
      </div>
    </aside>
  );
}

interface Source {
  readonly kind: RerankSourceKind;
  readonly icon: IconName;
  readonly name: string;
  readonly hint?: string;
}

function sources(): readonly Source[] {
  return [
    { kind: 'selection', icon: 'list-selection', name: l10n.t('Selection') },
    { kind: 'file', icon: 'file', name: l10n.t('Active file') },
    { kind: 'tabs', icon: 'multiple-windows', name: l10n.t('Open tabs') },
    { kind: 'files', icon: 'files', name: l10n.t('Files…') },
    {
      kind: 'search',
      icon: 'search',
      name: l10n.t('Text search…'),
      hint: l10n.t('Matches in your workspace'),
    },
    {
      kind: 'problems',
      icon: 'warning',
      name: l10n.t('Problems'),
      hint: l10n.t('Errors and warnings in your workspace'),
    },
    { kind: 'clipboard', icon: 'clippy', name: l10n.t('Clipboard') },
  ];
}

/** Shown until a source is chosen. */
function Sources({ session }: { readonly session: RerankSession }) {
  return (
    <section class="rerank-sources" aria-labelledby="sources-heading">
      <h2 class="rerank-sources-title" id="sources-heading">
        {l10n.t('Select what to rank')}
      </h2>
      <p class="rerank-muted">
        {l10n.t('A model scores how well each document matches your query. Text is sent when you select Rerank.')}
      </p>
      <ul class="rerank-source-list">
        {sources().map(({ kind, icon, name, hint }) => (
          <li key={kind}>
            <button type="button" class="rerank-source-button" onClick={() => void session.chooseSource(kind)}>
              <Icon name={icon} />
              <span class="rerank-source-name">{name}</span>
              {hint !== undefined && <span class="rerank-source-hint">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
