import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { BarPanel } from '../../components/barPanel';
import { IconButton } from '../../components/iconButton';
import { nextIndex } from '../../components/pickerItems';
import type { RerankSession } from './session';

interface HistoryPanelProps {
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly session: RerankSession;
  readonly onChoose: (query: string) => void;
}

/** Earlier queries, newest first; each can be removed. */
export function HistoryPanel({ id, open, session, onChoose }: HistoryPanelProps) {
  const list = useRef<HTMLUListElement>(null);
  const history = session.page.value?.history ?? [];
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('.rerank-earlier') ?? [])];
  const forget = async (query: string, at: number) => {
    await session.forgetQuery(query);
    const left = buttons();
    (left[Math.min(at, left.length - 1)] ?? document.querySelector<HTMLElement>('.bar-history'))?.focus();
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
      title={l10n.t('Earlier queries')}
      closeLabel={l10n.t('Close')}
      focus={history.length > 0 ? '.rerank-earlier' : '.icon-button'}
    >
      {history.length === 0 && <p class="rerank-muted">{l10n.t('No query was run yet.')}</p>}
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
              label={l10n.t('Forget “{0}” (Delete)', query)}
              onClick={() => void forget(query, at)}
            />
          </li>
        ))}
      </ul>
    </BarPanel>
  );
}
