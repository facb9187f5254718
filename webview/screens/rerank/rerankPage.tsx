import '../../components/details.css';
import * as l10n from '@vscode/l10n';
import type { RerankTable, RankingSummary } from '../../../src/protocol/rerank';
import { Tabs } from '../../components/tabs';
import { ComparisonPanel } from './comparisonPanel';
import { DocumentsPanel, SendAll } from './documentsPanel';
import { Notes } from './notes';
import { QueryForm } from './queryForm';
import { RankingPanel } from './rankingPanel';
import type { RerankSession } from './session';
import { Sources, sources } from './sources';
import { pageNumber } from '../../components/pageLanguage';
import { useSignal, type Signal } from '@preact/signals';
import { CopyPanel } from './copyPanel';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { BarPanel } from '../../components/barPanel';
import { BestCount } from './bestCount';
import { toCount } from './form';
import { useRef, useEffect } from 'preact/hooks';
import { createMenus, type OpenMenu } from '../../components/menu';
import { IconButton } from '../../components/iconButton';
import { JudgeButtons } from './judgeButtons';

export function RerankPage({ session }: { readonly session: RerankSession }) {
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

/** The actions on a ranking. */
function RankingActions({ session }: { readonly session: RerankSession }) {
  const keep = useSignal(false);
  const copy = useSignal(false);
  const page = session.page.value;
  const ranking = page?.ranking;
  if (!ranking) return null;
  return (
    <>
      {ranking.canShowInEditor && (
        <ActionButton
          id="scores"
          icon={ranking.isShownInEditor ? 'eye' : 'eye-closed'}
          label={l10n.t('Show Scores in Editor')}
          isPressed={ranking.isShownInEditor}
          onClick={() => void session.showScores(!ranking.isShownInEditor)}
        />
      )}
      {page.canReorder && (
        <>
          <ActionButton
            id="reorder"
            icon="list-ordered"
            label={l10n.t('Reorder…')}
            hint={l10n.t('Sort the text by score. You can review the changes first.')}
            onClick={() => session.reorder()}
          />
          <ActionButton
            id="keep"
            icon="filter"
            label={l10n.t('Keep Best…')}
            hint={l10n.t('Remove all other documents from the text. You can review the changes first.')}
            panel={keep}
          />
        </>
      )}
      <ActionButton id="copy" icon="copy" label={l10n.t('Copy As…')} panel={copy} />
      <KeepPanel open={keep} ranking={ranking} session={session} />
      <CopyPanel open={copy} ranking={ranking} session={session} />
    </>
  );
}

interface ActionButtonProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** The label if absent. */
  readonly hint?: string;
  readonly isPressed?: boolean;
  /** Whether the panel the button controls is open. */
  readonly panel?: Signal<boolean>;
  readonly onClick?: () => void;
}

/** A button whose label is hidden if there is little space. */
function ActionButton({ id, icon, label, hint, isPressed, panel, onClick }: ActionButtonProps) {
  return (
    <button
      type="button"
      class={`bar-button bar-${id}`}
      title={hint ?? label}
      aria-label={label}
      aria-pressed={isPressed}
      {...(panel && { 'aria-haspopup': 'dialog', 'aria-expanded': panel.value })}
      aria-controls={panel?.value ? `${id}-panel` : undefined}
      onClick={onClick ?? (() => panel && (panel.value = !panel.peek()))}
    >
      <Icon name={icon} />
      <span class="rerank-action-name">{label}</span>
    </button>
  );
}

interface KeepPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly session: RerankSession;
}

/** Chooses how many of the best documents stay in the text. */
function KeepPanel({ open, ranking, session }: KeepPanelProps) {
  const text = useSignal(String(Math.min(10, ranking.count)));
  const count = toCount(text.value, ranking.count);
  const keep = () => {
    if (count === undefined) return;
    open.value = false;
    session.reorder(count);
  };
  return (
    <BarPanel
      action="keep"
      id="keep-panel"
      open={open}
      title={l10n.t('Keep Best…')}
      closeLabel={l10n.t('Close')}
      focus="input"
    >
      <form
        class="rerank-small-form"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <BestCount
          label={l10n.t('Number of documents to keep')}
          placeholder=""
          text={text}
          count={count}
          most={ranking.count}
        />
        <p class="rerank-muted">
          {l10n.t('Remove all other documents from the text. You can review the changes first.')}
        </p>
        <vscode-button appearance="secondary" disabled={count === undefined} onClick={keep}>
          {l10n.t('Keep Top {0}', pageNumber(count ?? 0))}
        </vscode-button>
      </form>
    </BarPanel>
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
          {l10n.t('Loading text…')}
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
      disabled={session.runner.running.value !== undefined}
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
            onClick={() => session.goTo(row.index)}
          />
        )}
        <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={close} />
      </div>
      <div class="details-body" ref={body} tabIndex={0} role="group" aria-label={l10n.t('Full document')}>
        {'trouble' in row && row.trouble && (
          <p class="details-note">
            <span class="rerank-row-trouble">
              <Icon name="warning" />
            </span>
            {row.trouble}
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
