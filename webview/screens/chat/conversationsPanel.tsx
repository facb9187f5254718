import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { nextIndex } from '../../components/pickerItems';
import type { Chat } from './chatContext';
import { ConversationItem } from './conversationItem';
import './conversations.css';

/** Rows drawn initially, and added by each "more". Measured: drawing 500 at once took half a second. */
const rowsAtOnce = 100;

/** All conversations, on top of the page. A search box, then arrow keys; Escape returns to the question box. */
export function ConversationsPanel({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const { list } = session;
  const panel = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const active = useSignal(0);
  const drawn = useSignal(rowsAtOnce);
  const rows = list.rows.value?.conversations ?? [];
  const count = Math.min(rows.length, drawn.value);
  useLayoutEffect(() => {
    search.current?.focus();
    return () => requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-text')?.focus());
  }, []);

  const showMore = () => {
    const next = drawn.peek();
    drawn.value += rowsAtOnce;
    requestAnimationFrame(() => focusRow(next));
  };
  const focusRow = (index: number) => {
    active.value = index;
    panel.current?.querySelectorAll<HTMLElement>('.conversation-open')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isInSearch = event.target === search.current;
    const moved = nextIndex(event.key, isInSearch && event.key === 'ArrowDown' ? -1 : active.value, count);
    if (event.key === 'Escape') list.close();
    else if (moved !== undefined) {
      if (event.key === 'ArrowUp' && !isInSearch && active.value === 0) search.current?.focus();
      else focusRow(moved);
    } else if (event.key === 'Enter' && isInSearch && rows[0]) void list.choose(rows[0].id);
    else return;
    event.preventDefault();
  };

  const onSearch = () => {
    active.value = 0;
    drawn.value = rowsAtOnce;
  };
  return (
    <section class="conversations" role="dialog" aria-label={l10n.t('Conversations')} ref={panel} onKeyDown={onKeyDown}>
      <Head chat={chat} search={search} onSearch={onSearch} />
      <Trouble chat={chat} />
      <Rows
        chat={chat}
        active={active}
        drawn={drawn.value}
        onGone={() => setTimeout(() => search.current?.focus(), 0)}
      />
      {rows.length > drawn.value && <More hidden={rows.length - drawn.value} onMore={showMore} />}
      {list.rows.value && rows.length === 0 && <p class="conversations-empty">{emptyText(list.query.value)}</p>}
      <Deleted chat={chat} />
    </section>
  );
}

function emptyText(query: string): string {
  return query.trim() === ''
    ? l10n.t('No conversation yet. The first question begins one.')
    : l10n.t('No conversation has these words.');
}

/** The last error. Its actions close the list. */
function Trouble({ chat: { session } }: { readonly chat: Chat }) {
  const trouble = session.trouble.value;
  const act = (action: string) => {
    session.list.close();
    void session.act(action);
  };
  return trouble ? <Note tone="error" {...trouble} onAct={act} /> : null;
}

interface RowsProps {
  readonly chat: Chat;
  readonly active: Signal<number>;
  /** Maximum number of rows drawn. */
  readonly drawn: number;
  readonly onGone: () => void;
}

function Rows({ chat, active, drawn, onGone }: RowsProps) {
  const rows = chat.session.list.rows.value?.conversations ?? [];
  return (
    <ul class="conversations-list" aria-label={l10n.t('Conversations')}>
      {rows.slice(0, drawn).map((row, index) => (
        <ConversationItem
          key={row.id}
          chat={chat}
          row={row}
          isActive={index === Math.min(active.value, rows.length - 1)}
          onFocus={() => (active.value = index)}
          onGone={onGone}
        />
      ))}
    </ul>
  );
}

interface HeadProps {
  readonly chat: Chat;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onSearch: () => void;
}

function Head({ chat, search, onSearch }: HeadProps) {
  const { session } = chat;
  return (
    <div class="conversations-head">
      <input
        ref={search}
        class="conversations-search"
        type="text"
        dir="auto"
        aria-label={l10n.t('Search titles and texts')}
        placeholder={l10n.t('Search titles and texts')}
        value={session.list.query.value}
        onInput={(event) => {
          onSearch();
          session.list.search(event.currentTarget.value);
        }}
      />
      <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={() => session.list.close()} />
    </div>
  );
}

/** Draws more rows. The search also finds conversations that are not drawn. */
function More({ hidden, onMore }: { readonly hidden: number; readonly onMore: () => void }) {
  return (
    <button type="button" class="link conversations-more" onClick={onMore}>
      {l10n.t('Show more ({0} not shown)', pageNumber(hidden))}
    </button>
  );
}

function Deleted({ chat: { session } }: { readonly chat: Chat }) {
  const deleted = session.list.rows.value?.deleted;
  if (!deleted) return null;
  return (
    <p class="conversations-deleted" role="status">
      {l10n.t('“{0}” was deleted. It can be had back for an hour.', deleted.title || l10n.t('Without a name'))}{' '}
      <button type="button" class="link" onClick={() => void session.list.restore(deleted.id)}>
        {l10n.t('Undo')}
      </button>
    </p>
  );
}
