import { useEffect, useRef } from 'preact/hooks';
import type { AttachmentChip } from '../../../src/protocol/chat';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import './attachmentChips.css';
import type { Chat } from './chatContext';
import { shortenMiddle } from './modelNames';

const icons: Readonly<Record<AttachmentChip['kind'], IconName>> = {
  file: 'file',
  selection: 'selection',
  problems: 'warning',
  folder: 'list-tree',
  terminal: 'terminal',
};

/** Maximum length in characters; both ends of a path are shown. */
const maxLabel = 36;

/** The attachments of the next question. A click shows one; Delete and the close button remove it. */
export function AttachmentChips({ chat }: { readonly chat: Chat }) {
  const { session, strings, announcer } = chat;
  const list = useRef<HTMLUListElement>(null);
  const { chips } = session.attachments;
  const known = useRef(chips.value);
  useEffect(() => {
    const isNew = ({ id }: AttachmentChip) => !known.current.some((old) => old.id === id);
    for (const { label } of chips.value.filter(isNew)) announcer.say(fill(strings.attached, label));
    known.current = chips.value;
  }, [chips.value, announcer, strings]);
  if (chips.value.length === 0) return null;

  const detach = async ({ id, label }: AttachmentChip, index: number) => {
    await session.attachments.detach(id);
    announcer.say(fill(strings.detached, label));
    const left = list.current?.querySelectorAll<HTMLElement>('.chip-text') ?? [];
    const next = left[Math.min(index, left.length - 1)] ?? document.querySelector<HTMLElement>('.composer-text');
    next?.focus();
  };
  return (
    <ul class="chips" aria-label={strings.attachments} ref={list}>
      {chips.value.map((chip, index) => (
        <Chip
          key={chip.id}
          chat={chat}
          chip={chip}
          onShow={() => void session.attachments.show(chip.id)}
          onDetach={() => void detach(chip, index)}
        />
      ))}
    </ul>
  );
}

/** The attachments of a question that was sent. */
export function SentChips({
  chat,
  turnId,
  chips,
}: {
  readonly chat: Chat;
  readonly turnId: string;
  readonly chips: readonly AttachmentChip[];
}) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips chips-sent" aria-label={chat.strings.attachments}>
      {chips.map((chip, index) => (
        <Chip
          key={chip.id}
          chat={chat}
          chip={chip}
          onShow={() => void chat.session.attachments.showSent(turnId, index)}
        />
      ))}
    </ul>
  );
}

interface ChipProps {
  readonly chat: Chat;
  readonly chip: AttachmentChip;
  readonly onShow: () => void;
  /** Absent if the attachment can no longer be removed. */
  readonly onDetach?: () => void;
}

function Chip({ chat: { strings }, chip, onShow, onDetach }: ChipProps) {
  const { kind, label, characters, tokens } = chip;
  const title = fill(strings.attachmentTitle, label, characters, tokens);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onDetach?.();
  };
  return (
    <li class="chip">
      <button type="button" class="chip-text" title={title} onClick={onShow} onKeyDown={onKeyDown}>
        <Icon name={icons[kind]} />
        <bdi class="chip-label">{shortenMiddle(label, maxLabel)}</bdi>
        <span class="chip-size">{fill(strings.attachmentSize, characters, tokens)}</span>
      </button>
      {onDetach && (
        <button
          type="button"
          class="chip-remove"
          title={fill(strings.detach, label)}
          aria-label={fill(strings.detach, label)}
          onClick={onDetach}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
