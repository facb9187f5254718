import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import type { ActivityAction, ActivityRow, ActivityView } from '../../../src/protocol/activity';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import { pageNumber } from '../../components/pageLanguage';
import { SelectField } from '../../components/selectField';
import { Bar } from './bar';
import type { ActivitySession } from './session';
import { Spend } from './spend';

export function ActivityPage({ session }: { readonly session: ActivitySession }) {
  const view = session.view.value;
  const problem = session.problem.value ?? view?.error;
  const error = problem && <Note tone="error" {...problem} actions={[]} onAct={() => undefined} />;
  if (!view) return error ?? null;
  const { stopped } = view;
  return (
    <>
      <div class="activity-scroll">
        <Head view={view} session={session} />
        {stopped && (
          <Note
            tone="warning"
            title={stopped.text}
            detail=""
            actions={[{ id: 'change', label: stopped.changeLabel }]}
            onAct={() => session.changeLimit(stopped.id)}
          />
        )}
        {error}
        {view.active.length > 0 && <Rows title={l10n.t('In progress')} rows={view.active} session={session} />}
        <Spend view={view} session={session} />
        <Rows
          title={l10n.t('Finished')}
          rows={view.finished}
          empty={l10n.t('Batches, images, and videos appear here when they end.')}
          session={session}
        />
      </div>
      <PageFoot
        text={l10n.t('Charged amounts come from the service, from prices, or from your balance. ~ marks estimates.')}
        keys={[
          [l10n.t('Enter'), l10n.t('Open')],
          [l10n.t('Delete'), l10n.t('Cancel or remove')],
        ]}
      />
    </>
  );
}

function Head({ view, session }: { readonly view: ActivityView; readonly session: ActivitySession }) {
  const accounts = [
    { value: '', label: l10n.t('All accounts') },
    ...view.accounts.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <header class="activity-head">
      <h1>{l10n.t('Activity and Spend')}</h1>
      <span class="activity-account" title={view.account}>
        <bdi>{view.account}</bdi>
      </span>
      {view.accounts.length > 1 && (
        <SelectField
          label={l10n.t('Account')}
          value={view.selection.account}
          options={accounts}
          onChoose={(account) => session.select({ account })}
        />
      )}
      <vscode-button appearance="secondary" onClick={() => session.export()}>
        {l10n.t('Export…')}
      </vscode-button>
    </header>
  );
}

const kindIcons: Readonly<Record<ActivityRow['kind'], IconName>> = {
  batch: 'table',
  image: 'file-media',
  video: 'device-camera-video',
};
const outcomeIcons: Readonly<Record<Exclude<ActivityRow['outcome'], 'active'>, IconName>> = {
  done: 'pass',
  partly: 'warning',
  failed: 'error',
  uncertain: 'question',
};
const outcomeTexts: Readonly<Record<ActivityRow['outcome'], () => string>> = {
  active: () => l10n.t('In progress'),
  done: () => l10n.t('Done'),
  partly: () => l10n.t('Partly done'),
  failed: () => l10n.t('Failed'),
  uncertain: () => l10n.t('Needs attention'),
};
const actionIcons: Readonly<Record<ActivityAction, IconName>> = {
  checkNow: 'refresh',
  cancel: 'debug-stop',
  stopParts: 'debug-stop',
  retry: 'debug-restart',
  fetchAgain: 'cloud-download',
  cleanUp: 'trash',
  forget: 'close',
};

interface RowsProps {
  readonly title: string;
  readonly rows: readonly ActivityRow[];
  /** Shown without rows. */
  readonly empty?: string;
  readonly session: ActivitySession;
}

function Rows({ title, rows, empty = '', session }: RowsProps) {
  const [focused, setFocused] = useState<string>();
  const body = useRef<HTMLTableSectionElement>(null);
  const current = rows.some(({ id }) => id === focused) ? focused : rows[0]?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex(({ id }) => id === current);
    const row = rows[at];
    if (!row) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) body.current?.querySelectorAll<HTMLElement>('tr')[at + step]?.focus();
    else if (event.key === 'Enter') session.open(row.id);
    else if (event.key === 'Delete') {
      const last = row.actions.find(({ action }) => action === 'cancel' || action === 'forget');
      if (last) session.act([row.id], last.action);
    } else return;
    event.preventDefault();
  };
  return (
    <section class="activity-section" aria-label={title}>
      <div class="activity-title">
        <h2>{title}</h2>
        <Together rows={rows} session={session} />
      </div>
      {rows.length === 0 ? (
        <p class="activity-empty">{empty}</p>
      ) : (
        <table class="activity-rows" onKeyDown={onKeyDown}>
          <tbody ref={body}>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                isFocused={row.id === current}
                onFocus={() => setFocused(row.id)}
                session={session}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What can be done with several rows at once. Batches are created again one by one, because each is asked about. */
function Together({ rows, session }: { readonly rows: readonly ActivityRow[]; readonly session: ActivitySession }) {
  const labels = {
    retry: (count: number) => l10n.t('Retry {0} Failed…', pageNumber(count)),
    fetchAgain: (count: number) => l10n.t('Download {0} Again', pageNumber(count)),
  };
  return (['retry', 'fetchAgain'] as const).map((action) => {
    const ids = rows.flatMap(({ id, kind, actions }) =>
      kind !== 'batch' && actions.some((one) => one.action === action) ? [id] : [],
    );
    if (ids.length < 2) return null;
    return (
      <button type="button" class="link" key={action} onClick={() => session.act(ids, action)}>
        {labels[action](ids.length)}
      </button>
    );
  });
}

interface RowProps {
  readonly row: ActivityRow;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly session: ActivitySession;
}

function Row({ row, isFocused, onFocus, session }: RowProps) {
  const { id, kind, outcome, name, state, progress, time, cost, costHint, actions } = row;
  return (
    <tr
      class={`activity-row activity-is-${outcome}`}
      tabIndex={isFocused ? 0 : -1}
      onFocus={onFocus}
      onDblClick={() => session.open(id)}
    >
      <td class="activity-icon" title={outcomeTexts[outcome]()}>
        <Icon name={outcome === 'active' ? kindIcons[kind] : outcomeIcons[outcome]} />
        <span class="activity-hidden">{outcomeTexts[outcome]()}</span>
      </td>
      <th scope="row" class="activity-name" title={name} dir="auto">
        <button type="button" title={name} tabIndex={-1} onClick={() => session.open(id)}>
          {name}
        </button>
      </th>
      <td class="activity-state" title={state} dir="auto">
        {state}
      </td>
      <td class="activity-progress">{progress !== undefined && <Bar label={state} used={progress} />}</td>
      <td class="activity-time">
        <span class="activity-when">{time}</span>
        <span class="activity-actions">
          {actions.map(({ action, label }) => (
            <IconButton
              key={action}
              icon={actionIcons[action]}
              label={label}
              tabIndex={-1}
              onClick={() => session.act([id], action)}
            />
          ))}
        </span>
      </td>
      <td class="activity-cost" title={costHint}>
        {cost}
      </td>
    </tr>
  );
}
