import * as l10n from '@vscode/l10n';
import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { FieldNote } from '../../components/parameter';
import type { RerankSession } from './session';
import { BarPanel } from '../../components/barPanel';
import { IconButton } from '../../components/iconButton';
import { nextIndex } from '../../components/pickerItems';
import { focusIfActive, useFocusAtStart } from '../../components/focus';

const panelId = 'history-panel';

/** The query, in a box that grows with it. Enter runs it; the arrow keys recall earlier queries. */
export function QueryBox({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const open = useSignal(false);
  const issue = session.typed.answer.value.query;
  const { onKeyDown, leave } = useWalk(session);
  useFocusAtStart(box, session.page.value !== undefined);
  return (
    <div class="rerank-query">
      <div class="rerank-query-box">
        <textarea
          ref={box}
          class="rerank-query-text"
          rows={1}
          dir="auto"
          aria-label={l10n.t('Query')}
          aria-invalid={issue !== undefined}
          aria-describedby="query-issue"
          placeholder={l10n.t("Describe what you're looking for")}
          value={session.typed.form.value.query}
          onInput={({ currentTarget }) => {
            leave();
            session.typed.edit({ query: currentTarget.value });
          }}
          onPointerDown={leave}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="icon-button bar-history"
          title={l10n.t('Recent Queries')}
          aria-label={l10n.t('Recent Queries')}
          aria-haspopup="dialog"
          aria-expanded={open.value}
          aria-controls={open.value ? panelId : undefined}
          onClick={() => (open.value = !open.peek())}
        >
          <Icon name="history" />
        </button>
      </div>
      <FieldNote id="query-issue" issue={issue} />
      <HistoryPanel
        id={panelId}
        open={open}
        session={session}
        onChoose={(query) => {
          leave();
          session.typed.edit({ query });
          box.current?.focus();
        }}
      />
    </div>
  );
}

/** Keyboard handling of the box. Once it shows an earlier query, the arrow keys continue through the history until any other edit. */
function useWalk(session: RerankSession) {
  const walk = useRef(notWalking);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      return void session.run();
    }
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined;
    if (step === undefined) {
      walk.current = notWalking;
      return;
    }
    const { selectionEnd, value } = event.currentTarget as HTMLTextAreaElement;
    const isAtStart = step === 1 && selectionEnd === 0;
    if (walk.current.at === -1 && !isAtStart) return;
    const next = walkHistory(session.page.peek()?.history ?? [], walk.current, step, value);
    if (!next) return;
    event.preventDefault();
    walk.current = next.walk;
    session.typed.edit({ query: next.query });
  };
  return { onKeyDown, leave: () => void (walk.current = notWalking) };
}

/** The position in the history of queries, newest first; -1 for the typed query. */
interface HistoryWalk {
  readonly at: number;
  readonly typed: string;
}

export const notWalking: HistoryWalk = { at: -1, typed: '' };

/** Returns the query one step older (1) or newer (-1) than the one in the box; `undefined` if there is none. */
export function walkHistory(
  history: readonly string[],
  walk: HistoryWalk,
  step: 1 | -1,
  shown: string,
): { readonly walk: HistoryWalk; readonly query: string } | undefined {
  const typed = walk.at === -1 ? shown : walk.typed;
  let at = walk.at + step;
  while (history[at] !== undefined && history[at] === shown) at += step;
  if (at === -1 && walk.at !== -1) return { walk: notWalking, query: typed };
  const query = history[at];
  return query === undefined ? undefined : { walk: { at, typed }, query };
}

interface HistoryPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly session: RerankSession;
  readonly onChoose: (query: string) => void;
}

/** Earlier queries, newest first; each can be removed. */
function HistoryPanel({ id, open, session, onChoose }: HistoryPanelProps) {
  const list = useRef<HTMLUListElement>(null);
  const history = session.page.value?.history ?? [];
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('.rerank-earlier') ?? [])];
  const forget = async (query: string, at: number) => {
    await session.forgetQuery(query);
    const left = buttons();
    focusIfActive(left[Math.min(at, left.length - 1)] ?? document.querySelector<HTMLElement>('.bar-history'));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = buttons().findIndex((button) => button === document.activeElement);
    const next = at === -1 ? undefined : nextIndex(event.key, at, history.length);
    const query = history[at];
    if (next !== undefined) buttons()[next]?.focus();
    else if (event.key === 'Delete' && query !== undefined) void forget(query, at);
    else return;
    event.preventDefault();
  };
  return (
    <BarPanel
      action="history"
      id={id}
      open={open}
      title={l10n.t('Recent Queries')}
      closeLabel={l10n.t('Close')}
      focus={history.length > 0 ? '.rerank-earlier' : '.icon-button'}
    >
      {history.length === 0 && <p class="rerank-muted">{l10n.t('No queries yet.')}</p>}
      <ul class="rerank-history" ref={list} onKeyDown={onKeyDown}>
        {history.map((query, at) => (
          <li class="rerank-history-item" key={query}>
            <button
              type="button"
              class="rerank-earlier"
              title={query}
              onClick={() => {
                open.value = false;
                onChoose(query);
              }}
            >
              <bdi>{query}</bdi>
            </button>
            <IconButton
              icon="close"
              label={l10n.t('Remove "{0}" (Delete)', query)}
              onClick={() => void forget(query, at)}
            />
          </li>
        ))}
      </ul>
    </BarPanel>
  );
}
