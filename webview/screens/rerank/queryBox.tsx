import * as l10n from '@vscode/l10n';
import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { FieldNote } from '../../components/parameter';
import type { RerankSession } from './session';
import { BarPanel } from '../../components/barPanel';
import { IconButton } from '../../components/iconButton';
import { useHistoryWalk } from '../../components/historyWalk';
import { nextIndex } from '../../components/pickerItems';
import { focusIfActive, useFocusAtStart } from '../../components/focus';

const panelId = 'history-panel';

/** The query, in a box that grows with it. Enter runs it; the arrow keys recall earlier queries. */
export function QueryBox({ session }: { readonly session: RerankSession }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const open = useSignal(false);
  const issue = session.typed.answer.value.query;
  const keys = useQueryKeys(session);
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
            keys.leave();
            session.typed.edit({ query: currentTarget.value });
          }}
          onPointerDown={keys.leave}
          onKeyDown={keys.onKeyDown}
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
          keys.leave();
          session.typed.edit({ query });
          box.current?.focus();
        }}
      />
    </div>
  );
}

function useQueryKeys(session: RerankSession) {
  const walk = useHistoryWalk(
    () => session.page.peek()?.history ?? [],
    (query) => session.typed.edit({ query }),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void session.run();
    } else walk.onArrow(event);
  };
  return { onKeyDown, leave: walk.leave };
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
