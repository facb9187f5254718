import './conversations.css';
import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { searchInput } from '../../components/composition';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { nextIndex } from '../../components/pickerItems';
import type { Chat } from './chatContext';
import { modelName } from './modelNames';
import type { ConversationRow } from '../../../src/protocol/chatConversations';
import { Icon } from '../../components/icon';
import { timeOfQuestion } from './facts';
import { focusIfActive } from '../../components/focus';

/** Rows rendered initially, and added by each "more", because rendering 500 at once took half a second. */
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
    return () => requestAnimationFrame(() => focusIfActive(document.querySelector<HTMLElement>('.composer-text')));
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
      <ListError chat={chat} />
      <Rows
        chat={chat}
        active={active}
        drawn={drawn.value}
        onRemoved={() => setTimeout(() => focusIfActive(search.current), 0)}
      />
      {rows.length > drawn.value && <More hidden={rows.length - drawn.value} onMore={showMore} />}
      {list.rows.value && rows.length === 0 && <p class="conversations-empty">{emptyText(list.query.value)}</p>}
      <Deleted chat={chat} />
    </section>
  );
}

function emptyText(query: string): string {
  return query.trim() === '' ? l10n.t('No conversations yet. Ask a question to start one.') : l10n.t('No matches.');
}

/** The last error. Its actions close the list. */
function ListError({ chat: { session } }: { readonly chat: Chat }) {
  const error = session.error.value;
  const act = (action: string) => {
    session.list.close();
    void session.act(action);
  };
  return error ? <Note tone="error" {...error} onAct={act} /> : null;
}

interface RowsProps {
  readonly chat: Chat;
  readonly active: Signal<number>;
  /** Maximum number of rows drawn. */
  readonly drawn: number;
  readonly onRemoved: () => void;
}

function Rows({ chat, active, drawn, onRemoved }: RowsProps) {
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
          onRemoved={onRemoved}
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
        aria-label={l10n.t('Search conversations')}
        placeholder={l10n.t('Search conversations')}
        defaultValue={session.list.query.peek()}
        {...searchInput((text) => {
          onSearch();
          session.list.search(text);
        })}
      />
      <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={() => session.list.close()} />
    </div>
  );
}

/** Draws more rows. The search also finds conversations that are not drawn. */
function More({ hidden, onMore }: { readonly hidden: number; readonly onMore: () => void }) {
  return (
    <button type="button" class="link conversations-more" onClick={onMore}>
      {l10n.t('Show More ({0})', pageNumber(hidden))}
    </button>
  );
}

function Deleted({ chat: { session } }: { readonly chat: Chat }) {
  const deleted = session.list.rows.value?.deleted;
  if (!deleted) return null;
  return (
    <p class="conversations-deleted" role="status">
      {l10n.t('Deleted "{0}". You can undo this for an hour.', deleted.title || l10n.t('Untitled'))}{' '}
      <button type="button" class="link" onClick={() => void session.list.restore(deleted.id)}>
        {l10n.t('Undo')}
      </button>
    </p>
  );
}

interface ShownRow {
  readonly chat: Chat;
  readonly row: ConversationRow;
}

interface ItemProps extends ShownRow {
  /** Whether Tab reaches this item; the others are reached by the arrow keys. */
  readonly isActive: boolean;
  readonly onFocus: () => void;
  /** Called when the item is deleted, which loses the focus. */
  readonly onRemoved: () => void;
}

/** One conversation of the list: Enter opens it, F2 renames it, Delete deletes it. */
function ConversationItem({ chat, row, isActive, onFocus, onRemoved }: ItemProps) {
  const { session } = chat;
  const opener = useRef<HTMLButtonElement>(null);
  const isNaming = useSignal(false);
  const tabIndex = isActive ? 0 : -1;
  const rename = () => (isNaming.value = true);
  const remove = () => {
    onRemoved();
    void session.list.remove(row.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isNaming.peek()) return;
    if (event.key === 'F2') rename();
    else if (event.key === 'Delete') remove();
    else return;
    event.preventDefault();
  };
  const endNaming = (title: string | undefined) => {
    isNaming.value = false;
    requestAnimationFrame(() => focusIfActive(opener.current));
    if (title !== undefined && title.trim() !== row.title) void session.list.rename(row.id, title);
  };
  return (
    <li class="conversation" onFocusCapture={onFocus} onKeyDown={onKeyDown}>
      {isNaming.value ? (
        <NameBox title={row.title} onEnd={endNaming} />
      ) : (
        <button
          ref={opener}
          type="button"
          class="conversation-open"
          tabIndex={tabIndex}
          aria-current={row.current}
          onClick={() => void session.list.choose(row.id)}
        >
          <RowText chat={chat} row={row} />
        </button>
      )}
      <span class="conversation-actions">
        <IconButton icon="edit" label={l10n.t('Rename (F2)')} tabIndex={tabIndex} onClick={rename} />
        <IconButton
          icon={row.pinned ? 'pinned' : 'pin'}
          label={row.pinned ? l10n.t('Unpin') : l10n.t('Pin')}
          tabIndex={tabIndex}
          onClick={() => void session.list.pin(row.id, !row.pinned)}
        />
        {row.location !== 'editor' && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Open in Editor')}
            tabIndex={tabIndex}
            onClick={() => void session.list.openInEditor(row.id)}
          />
        )}
        <IconButton icon="trash" label={l10n.t('Delete (Del)')} tabIndex={tabIndex} onClick={remove} />
      </span>
    </li>
  );
}

function RowText({ chat: { session, now }, row }: ShownRow) {
  const time = timeOfQuestion(row.at, now(), session.page.value?.locale ?? 'en');
  const elsewhere = row.elsewhere !== undefined && l10n.t('open in another window');
  const facts = [
    row.pinned && l10n.t('pinned'),
    row.draft && l10n.t('draft'),
    row.running && l10n.t('answering'),
    row.unsaved && l10n.t('unsaved'),
    placeWords(row),
    elsewhere,
    time.short,
    row.model !== undefined && modelName(row.model),
    row.account,
  ].filter(Boolean);
  return (
    <>
      <span class="conversation-title" dir="auto" title={row.title}>
        {row.pinned && <Icon name="pinned" />}
        {row.title || l10n.t('Untitled')}
      </span>
      <span class="conversation-facts" title={[time.full, row.age, row.model, row.account].filter(Boolean).join('\n')}>
        {facts.join(' · ')}
      </span>
      {row.found !== undefined && (
        <span class="conversation-found" dir="auto">
          {row.found}
        </span>
      )}
    </>
  );
}

/** Returns where the conversation is shown, if not on this page. */
function placeWords({ location: place, current }: ConversationRow): string | undefined {
  if (place === undefined || current) return undefined;
  return place === 'editor' ? l10n.t('in an editor') : l10n.t('in the side bar');
}

interface NameBoxProps {
  readonly title: string;
  /** Without a title, the name stays unchanged. */
  readonly onEnd: (title: string | undefined) => void;
}

/** A text box for a new name. Enter and leaving the box save it, Escape does not. */
function NameBox({ title, onEnd }: NameBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  // A layout effect, so that the box has the focus before anything more is typed.
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const end = (name: string | undefined) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter') end(box.current?.value);
    else if (event.key === 'Escape') end(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={box}
      class="conversations-search conversation-name"
      type="text"
      dir="auto"
      maxLength={200}
      aria-label={l10n.t('Conversation name')}
      defaultValue={title}
      onKeyDown={onKeyDown}
      onBlur={() => end(box.current?.value)}
    />
  );
}
