import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RerankScreen, RerankSourceKind, RerankTable, RerankDocument } from '../../../src/protocol/rerank';
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
import { JudgeButtons, columnOf, DocumentTable, Nothing } from './documentTable';
import { Notes } from './notes';
import { QueryForm } from './queryForm';
import { RankingPanel, RankingActions } from './rankingPanel';
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
        {whole.isCut && <p class="details-note">{l10n.t('Only part of the text is shown. The full text is sent.')}</p>}
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

/** The documents to send, as they are split; each can be excluded. */
function DocumentsPanel({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  const toggle = (row: RerankDocument) => void session.exclude(row.index, !row.isExcluded);
  const onKey = (key: string, row: RerankDocument, event: KeyboardEvent) => {
    if (key !== ' ') return;
    event.preventDefault();
    toggle(row);
  };
  const columns = [
    columnOf('sent', l10n.t('Send')),
    columnOf('number', l10n.t('No.')),
    columnOf('document', l10n.t('Document')),
    columnOf('place', l10n.t('Location')),
  ];
  return (
    <DocumentTable
      name="documents"
      label={l10n.t('Documents to send')}
      columns={columns}
      count={page?.count ?? 0}
      list={session.documents}
      cells={({ index, row }) => [
        { name: 'sent', content: row && <Sent row={row} onToggle={toggle} /> },
        { name: 'number', content: pageNumber(index + 1) },
        { name: 'document', content: <DocumentText row={row} /> },
        { name: 'place', text: row?.place },
      ]}
      isOff={(row) => row?.isExcluded === true}
      onOpen={(index) => void session.ask('rerank/goTo', { index })}
      onKey={onKey}
    >
      {page?.count === 0 && (
        <Nothing
          title={l10n.t('No documents in this source.')}
          detail={l10n.t('Split the text differently, or choose another source.')}
        />
      )}
    </DocumentTable>
  );
}

function DocumentText({ row }: { readonly row: RerankDocument | undefined }) {
  return (
    <>
      {row?.problem && (
        <span class="rerank-row-trouble" title={row.problem}>
          <Icon name="warning" />
          <span class="spoken">{row.problem}</span>
        </span>
      )}
      <bdi title={row?.text}>{row?.text}</bdi>
    </>
  );
}

interface SentProps {
  readonly row: RerankDocument;
  readonly onToggle: (row: RerankDocument) => void;
}

function Sent({ row, onToggle }: SentProps) {
  return (
    <span class="check">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={l10n.t('Send document {0}', pageNumber(row.index + 1))}
        checked={!row.isExcluded}
        onClick={(event) => event.stopPropagation()}
        onChange={() => onToggle(row)}
      />
    </span>
  );
}

/** A check box for all documents, and the number of those excluded. */
function SendAll({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLInputElement>(null);
  const { count = 0, excluded = 0 } = session.page.value ?? {};
  const isPart = excluded > 0 && excluded < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  if (count === 0) return null;
  return (
    <>
      {excluded > 0 && <span class="rerank-muted">{l10n.t('Excluded: {0}', pageNumber(excluded))}</span>}
      <label class="check">
        <input
          ref={box}
          type="checkbox"
          checked={excluded === 0}
          onChange={() => void session.excludeAll(excluded === 0)}
        />
        {l10n.t('Send all')}
      </label>
    </>
  );
}
