import { render } from 'preact';
import type { ActivityScreen, ActivityAction, ActivityRow, ActivityView } from '../../../src/protocol/activity';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './activity.css';
import { ActivitySession } from './session';
import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import { pageNumber } from '../../components/pageLanguage';
import { SelectField } from '../../components/selectField';
import { Bar } from './bar';
import { Spend } from './spend';

export function mountActivity(root: HTMLElement, host: Host<ActivityScreen>): void {
  const page = document.createElement('main');
  page.className = 'activity';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ActivitySession(host, (text) => announcer.say(text));
  render(<ActivityPage session={session} />, page);
  void session.start();
}

function ActivityPage({ session }: { readonly session: ActivitySession }) {
  const view = session.view.value;
  const problem = session.error.value ?? view?.error;
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
          empty={l10n.t('No finished jobs yet. Batches, runs, images, and videos appear here.')}
          session={session}
        />
        {view.unreadable !== '' && <p class="activity-empty">{view.unreadable}</p>}
        {view.older > 0 && (
          <p class="activity-empty">
            {l10n.t('Older items: {0}', pageNumber(view.older))}{' '}
            <button type="button" class="link" onClick={() => session.showMore()}>
              {l10n.t('Show More')}
            </button>
          </p>
        )}
      </div>
      <PageFoot
        text={l10n.t('Costs come from the service, its prices, or your balance. ~ marks estimates.')}
        keys={[
          [l10n.t('Enter'), l10n.t('Open')],
          [l10n.t('Space'), l10n.t('Select')],
          ['Delete', l10n.t('Cancel or remove')],
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
      <SelectField
        label={l10n.t('Account')}
        value={view.selection.account}
        options={accounts}
        onChoose={(account) => session.select({ account })}
      />
      <vscode-button appearance="secondary" onClick={() => void session.ask('activity/export', {})}>
        {l10n.t('Export…')}
      </vscode-button>
    </header>
  );
}

const kindIcons: Readonly<Record<ActivityRow['kind'], IconName>> = {
  batch: 'table',
  run: 'play',
  eval: 'beaker',
  image: 'file-media',
  video: 'device-camera-video',
  chat: 'comment-discussion',
  completion: 'edit',
  search: 'search',
  speech: 'unmute',
  tool: 'tools',
  other: 'clock',
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
  pause: 'debug-pause',
  resume: 'play',
  stop: 'debug-stop',
  cancel: 'debug-stop',
  stopParts: 'debug-stop',
  continue: 'play',
  retry: 'debug-restart',
  retryFailed: 'debug-restart',
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
  const hasEstimates = rows.some(({ estimate }) => estimate !== undefined);
  const { body, current, chosen, selected, setFocused, toggle, onKeyDown } = useRowKeys(rows, session);
  return (
    <section class="activity-section" aria-label={title}>
      <div class="activity-title">
        <h2>{title}</h2>
        <Together rows={rows} selected={selected} session={session} />
      </div>
      {rows.length === 0 ? (
        <p class="activity-empty">{empty}</p>
      ) : (
        <table class="activity-rows" role="grid" aria-multiselectable aria-label={title} onKeyDown={onKeyDown}>
          <tbody ref={body}>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                isFocused={row.id === current}
                isSelected={chosen.has(row.id)}
                hasEstimates={hasEstimates}
                onFocus={() => setFocused(row.id)}
                onToggle={() => toggle(row.id)}
                session={session}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The focus and the selection of rows, and what keys do with them. */
function useRowKeys(rows: readonly ActivityRow[], session: ActivitySession) {
  const [focused, setFocused] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const body = useRef<HTMLTableSectionElement>(null);
  const current = rows.some(({ id }) => id === focused) ? focused : rows[0]?.id;
  const selected = rows.filter(({ id }) => chosen.has(id));
  const toggle = (id: string) =>
    setChosen(new Set([...chosen].filter((one) => one !== id).concat(chosen.has(id) ? [] : id)));
  const end = (row: ActivityRow) => {
    const has = (action: ActivityAction) => (one: ActivityRow) => one.actions.some((own) => own.action === action);
    const action = endingActions.find((one) => has(one)(row));
    if (!action) return;
    const targets = chosen.has(row.id) ? selected.filter(has(action)) : [row];
    void session.ask('activity/act', { ids: targets.map(({ id }) => id), action });
  };
  const move = (at: number, isExtending: boolean) => {
    const next = rows[at];
    if (!next) return;
    if (isExtending) setChosen(new Set([...chosen, ...(current === undefined ? [] : [current]), next.id]));
    body.current?.querySelectorAll<HTMLElement>('tr')[at]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLTableRowElement) || event.altKey) return;
    const at = rows.findIndex(({ id }) => id === current);
    const row = rows[at];
    if (!row) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'a') setChosen(new Set(rows.map(({ id }) => id)));
    else if (isCommand) return;
    else if (event.key === 'ArrowDown') move(at + 1, event.shiftKey);
    else if (event.key === 'ArrowUp') move(at - 1, event.shiftKey);
    else if (event.key === ' ') toggle(row.id);
    else if (event.key === 'Enter' && row.opens) void session.ask('activity/open', { id: row.id });
    else if (event.key === 'Delete') end(row);
    else if (event.key === 'Escape' && chosen.size > 0) setChosen(new Set());
    else return;
    event.preventDefault();
  };
  return { body, current, chosen, selected, setFocused, toggle, onKeyDown };
}

/** The actions that end a row's work or take the row off the list, for the Delete key. */
const endingActions: readonly ActivityAction[] = ['cancel', 'stop', 'forget'];

/** Labels of actions on several rows. Other actions concern one row. */
const togetherLabels: Readonly<Partial<Record<ActivityAction, (count: string) => string>>> = {
  stop: (count) => l10n.t('Stop {0}', count),
  cancel: (count) => l10n.t('Cancel {0} Batches…', count),
  retry: (count) => l10n.t('Retry {0} Failed…', count),
  fetchAgain: (count) => l10n.t('Download {0} Again', count),
  forget: (count) => l10n.t('Remove {0} from List…', count),
};
/** Offered for all rows while none is selected. Batches are created again one by one, because each is asked about. */
const unasked: readonly ActivityAction[] = ['retry', 'fetchAgain'];

interface TogetherProps {
  readonly rows: readonly ActivityRow[];
  readonly selected: readonly ActivityRow[];
  readonly session: ActivitySession;
}

/** What can be done with several rows at once: with the selected ones, else with all that failed. */
function Together({ rows, selected, session }: TogetherProps) {
  const isChosen = selected.length > 1;
  return (Object.keys(togetherLabels) as ActivityAction[]).map((action) => {
    if (!isChosen && !unasked.includes(action)) return null;
    const ids = (isChosen ? selected : rows).flatMap(({ id, kind, actions }) =>
      (isChosen || kind !== 'batch') && actions.some((one) => one.action === action) ? [id] : [],
    );
    if (ids.length < 2) return null;
    return (
      <button type="button" class="link" key={action} onClick={() => void session.ask('activity/act', { ids, action })}>
        {togetherLabels[action]?.(pageNumber(ids.length))}
      </button>
    );
  });
}

interface RowProps {
  readonly row: ActivityRow;
  readonly isFocused: boolean;
  readonly isSelected: boolean;
  /** Whether the table has a column for what was estimated. */
  readonly hasEstimates: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
  readonly session: ActivitySession;
}

function Row({ row, isFocused, isSelected, hasEstimates, onFocus, onToggle, session }: RowProps) {
  const { id, kind, outcome, name, opens, state, progress, time, cost, costHint, estimate, actions } = row;
  return (
    <tr
      class={`activity-row activity-is-${outcome}`}
      aria-selected={isSelected}
      tabIndex={isFocused ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) onToggle();
      }}
      onDblClick={() => {
        if (opens) void session.ask('activity/open', { id });
      }}
    >
      <td class="activity-icon" title={outcomeTexts[outcome]()}>
        <Icon name={outcome === 'active' ? kindIcons[kind] : outcomeIcons[outcome]} />
        <span class="activity-hidden">{outcomeTexts[outcome]()}</span>
      </td>
      <th scope="row" class="activity-name" title={name} dir="auto">
        {opens ? (
          <button
            type="button"
            title={name}
            tabIndex={-1}
            onClick={({ ctrlKey, metaKey }) => {
              if (!ctrlKey && !metaKey) void session.ask('activity/open', { id });
            }}
          >
            {name}
          </button>
        ) : (
          name
        )}
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
              tabIndex={isFocused ? 0 : -1}
              onClick={() => void session.ask('activity/act', { ids: [id], action })}
            />
          ))}
        </span>
      </td>
      <td class="activity-cost" title={costHint}>
        {cost}
      </td>
      {hasEstimates && <td class="activity-estimate">{estimate}</td>}
    </tr>
  );
}
