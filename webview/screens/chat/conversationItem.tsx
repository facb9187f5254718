import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ConversationRow } from '../../../src/protocol/chatConversations';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { Chat } from './chatContext';
import { askedAt } from './facts';

interface ItemProps {
  readonly chat: Chat;
  readonly row: ConversationRow;
  /** Whether Tab reaches this item; the others are reached by the arrow keys. */
  readonly isActive: boolean;
  readonly onFocus: () => void;
  /** Called when the item is deleted, which loses the focus. */
  readonly onGone: () => void;
}

/** One conversation of the list: Enter opens it, F2 renames it, Delete deletes it. */
export function ConversationItem({ chat, row, isActive, onFocus, onGone }: ItemProps) {
  const { session } = chat;
  const opener = useRef<HTMLButtonElement>(null);
  const isNaming = useSignal(false);
  const tabIndex = isActive ? 0 : -1;
  const rename = () => (isNaming.value = true);
  const remove = () => {
    onGone();
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
    requestAnimationFrame(() => opener.current?.focus());
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
            label={l10n.t('Open in editor tab')}
            tabIndex={tabIndex}
            onClick={() => void session.list.openInEditor(row.id)}
          />
        )}
        <IconButton icon="trash" label={l10n.t('Delete (Del)')} tabIndex={tabIndex} onClick={remove} />
      </span>
    </li>
  );
}

function RowText({ chat: { session, now }, row }: Pick<ItemProps, 'chat' | 'row'>) {
  const time = askedAt(row.at, now(), session.page.value?.locale ?? 'en');
  const elsewhere = row.elsewhere !== undefined && l10n.t('open in another window');
  const facts = [
    row.pinned && l10n.t('pinned'),
    row.running && l10n.t('answering'),
    row.unsaved && l10n.t('not saved'),
    placeWords(row),
    elsewhere,
    row.age,
  ].filter(Boolean);
  return (
    <>
      <span class="conversation-title" dir="auto" title={row.title}>
        {row.pinned && <Icon name="pinned" />}
        {row.title || l10n.t('Without a name')}
      </span>
      <span class="conversation-facts" title={time.full}>
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
  return place === 'editor' ? l10n.t('in an editor tab') : l10n.t('in the side bar');
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
    if (event.isComposing) return;
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
      aria-label={l10n.t('Name of the conversation')}
      defaultValue={title}
      onKeyDown={onKeyDown}
      onBlur={() => end(box.current?.value)}
    />
  );
}
