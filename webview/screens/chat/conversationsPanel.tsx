import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { nextIndex } from '../../components/pickerItems';
import type { Chat } from './chatContext';
import { ConversationItem } from './conversationItem';
import './conversations.css';

/** All conversations, over the page. Search, then arrow keys; Escape goes back to the question box. */
export function ConversationsPanel({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const { list } = session;
  const panel = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const active = useSignal(0);
  const rows = list.rows.value?.conversations ?? [];
  const trouble = session.trouble.value;
  useEffect(() => {
    search.current?.focus();
    return () => requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-text')?.focus());
  }, []);

  const focusRow = (index: number) => {
    active.value = index;
    panel.current?.querySelectorAll<HTMLElement>('.conversation-open')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isInSearch = event.target === search.current;
    const moved = nextIndex(event.key, isInSearch && event.key === 'ArrowDown' ? -1 : active.value, rows.length);
    if (event.key === 'Escape') list.close();
    else if (moved !== undefined) {
      if (event.key === 'ArrowUp' && !isInSearch && active.value === 0) search.current?.focus();
      else focusRow(moved);
    } else if (event.key === 'Enter' && isInSearch && rows[0]) void list.choose(rows[0].id);
    else return;
    event.preventDefault();
  };

  return (
    <section class="conversations" role="dialog" aria-label={strings.conversations} ref={panel} onKeyDown={onKeyDown}>
      <Head chat={chat} search={search} onSearch={() => (active.value = 0)} />
      {trouble && <Note tone="error" {...trouble} onAct={(action) => void session.act(action)} />}
      <ul class="conversations-list" aria-label={strings.conversations}>
        {rows.map((row, index) => (
          <ConversationItem
            key={row.id}
            chat={chat}
            row={row}
            isActive={index === Math.min(active.value, rows.length - 1)}
            onFocus={() => (active.value = index)}
            onGone={() => setTimeout(() => search.current?.focus(), 0)}
          />
        ))}
      </ul>
      {list.rows.value && rows.length === 0 && (
        <p class="conversations-empty">
          {list.query.value.trim() === '' ? strings.noConversations : strings.noConversationMatches}
        </p>
      )}
      <Deleted chat={chat} />
    </section>
  );
}

interface HeadProps {
  readonly chat: Chat;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onSearch: () => void;
}

function Head({ chat, search, onSearch }: HeadProps) {
  const { strings, session } = chat;
  return (
    <div class="conversations-head">
      <input
        ref={search}
        class="conversations-search"
        type="text"
        aria-label={strings.searchConversations}
        placeholder={strings.searchConversations}
        value={session.list.query.value}
        onInput={(event) => {
          onSearch();
          session.list.search(event.currentTarget.value);
        }}
      />
      <IconButton icon="close" label={strings.closeConversations} onClick={() => session.list.close()} />
    </div>
  );
}

function Deleted({ chat: { session, strings } }: { readonly chat: Chat }) {
  const deleted = session.list.rows.value?.deleted;
  if (!deleted) return null;
  return (
    <p class="conversations-deleted" role="status">
      {fill(strings.deleted, deleted.title || strings.untitled)}{' '}
      <button type="button" class="link" onClick={() => void session.list.restore(deleted.id)}>
        {strings.undo}
      </button>
    </p>
  );
}
