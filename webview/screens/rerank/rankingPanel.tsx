import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RankingRow, RankingSummary, CopyForm } from '../../../src/protocol/rerank';
import { BarPanel } from '../../components/barPanel';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { BestCount } from './bestCount';
import { columnOf, DocumentTable, isolated, JudgeButtons, judgeByKey, Nothing } from './documentTable';
import { NoteList } from './notes';
import { toCount, type RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** The documents by score, what the scores refer to, and whether they are outdated. */
export function RankingPanel({ session }: { readonly session: RerankSession }) {
  const ranking = session.page.value?.ranking;
  if (!ranking)
    return session.page.value ? (
      <Nothing title={l10n.t('No ranking yet.')} detail={l10n.t('Enter a query and select Rerank.')} />
    ) : null;
  const stale = {
    tone: 'warning',
    title: l10n.t('This ranking is out of date'),
    detail: l10n.t('Rerank to update the ranking.'),
  } as const;
  const notices = [...(session.isStale.value ? [stale] : []), ...ranking.notices];
  return (
    <>
      <NoteList notices={notices} onAct={(id) => session.act(id)} />
      <About ranking={ranking} session={session} />
      <RankingTable count={ranking.count} session={session} />
    </>
  );
}

function About({ ranking, session }: { readonly ranking: RankingSummary; readonly session: RerankSession }) {
  const about = l10n.t('Ranked for "{0}" with {1}', isolated(ranking.query), isolated(ranking.model));
  return (
    <div class="rerank-about" data-stale={session.isStale.value}>
      <span class="rerank-about-query" title={about}>
        {about}
      </span>
      <dl class="rerank-about-facts">
        {ranking.facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <span class="rerank-muted">{session.done.value}</span>
    </div>
  );
}

function RankingTable({ count, session }: { readonly count: number; readonly session: RerankSession }) {
  const columns = [
    columnOf('rank', l10n.t('Rank')),
    columnOf('score', l10n.t('Score')),
    columnOf('document', l10n.t('Document')),
    columnOf('place', l10n.t('Location')),
    columnOf('was', l10n.t('No.')),
    columnOf('judged', l10n.t('Rating')),
  ];
  return (
    <DocumentTable
      name="ranking"
      label={l10n.t('Documents by score')}
      columns={columns}
      count={count}
      list={session.ranking}
      cells={({ row }) => [
        { name: 'rank', content: row && pageNumber(row.rank) },
        { name: 'score', content: row && <Score row={row} /> },
        { name: 'document', text: row?.text },
        { name: 'place', text: row?.place },
        { name: 'was', content: row && pageNumber(row.was) },
        { name: 'judged', content: row && <JudgeButtons row={row} session={session} tabIndex={-1} /> },
      ]}
      onOpen={(index) => void session.ask('rerank/goTo', { index })}
      onKey={(key, row) => row !== null && judgeByKey(key, row, session)}
    />
  );
}

function Score({ row: { part, score } }: { readonly row: RankingRow }) {
  return (
    <span class="score">
      <span class="score-track" aria-hidden="true">
        <span class="score-bar" style={{ width: `${Math.min(1, Math.max(0, part)) * 100}%` }} />
      </span>
      <span class="score-number">{score}</span>
    </span>
  );
}

/** The actions on a ranking. */
export function RankingActions({ session }: { readonly session: RerankSession }) {
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
            hint={l10n.t('Sort the text by score')}
            onClick={() => void session.ask('rerank/reorder', {})}
          />
          <ActionButton
            id="keep"
            icon="filter"
            label={l10n.t('Keep Best…')}
            hint={l10n.t('Remove all other documents')}
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
    void session.ask('rerank/reorder', { keep: count });
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
        <p class="rerank-muted">{l10n.t('Remove all other documents')}</p>
        <vscode-button appearance="secondary" disabled={count === undefined} onClick={keep}>
          {l10n.t('Keep Top {0}', pageNumber(count ?? 0))}
        </vscode-button>
      </form>
    </BarPanel>
  );
}

interface CopyPanelProps {
  readonly open: Signal<boolean>;
  readonly ranking: RankingSummary;
  readonly session: RerankSession;
}

/** Chooses the format in which the ranking is copied, and how many documents. */
function CopyPanel({ open, ranking, session }: CopyPanelProps) {
  const text = useSignal('');
  const isAll = text.value.trim() === '';
  const count = isAll ? undefined : toCount(text.value, ranking.count);
  const canCopy = isAll || count !== undefined;
  const forms: readonly { readonly as: CopyForm; readonly label: string }[] = [
    { as: 'list', label: l10n.t('List') },
    { as: 'markdownTable', label: l10n.t('Markdown Table') },
    { as: 'json', label: l10n.t('JSON') },
  ];
  return (
    <BarPanel
      action="copy"
      id="copy-panel"
      open={open}
      title={l10n.t('Copy As…')}
      closeLabel={l10n.t('Close')}
      focus=".rerank-copy"
    >
      <div class="rerank-copies">
        {forms.map(({ as, label }) => (
          <button
            type="button"
            class="rerank-copy"
            key={as}
            disabled={!canCopy}
            onClick={() => {
              open.value = false;
              document.querySelector<HTMLElement>('.bar-copy')?.focus();
              void session.copy(as, count);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <BestCount
        label={l10n.t('Number of results to copy')}
        placeholder={l10n.t('All')}
        text={text}
        count={isAll ? ranking.count : count}
        most={ranking.count}
      />
    </BarPanel>
  );
}
