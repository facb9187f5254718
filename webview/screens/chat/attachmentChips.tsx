import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { useEffect, useRef } from 'preact/hooks';
import type { AttachmentChip } from '../../../src/protocol/chat';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import './attachmentChips.css';
import type { OfferedContext } from './attachments';
import type { Chat } from './chatContext';
import { shortenMiddle } from './modelNames';
import { focusIfActive } from '../../components/focus';

const icons: Readonly<Record<AttachmentChip['kind'], IconName>> = {
  file: 'file',
  selection: 'selection',
  problems: 'warning',
  folder: 'list-tree',
  terminal: 'terminal',
  changes: 'diff',
};

/** Maximum length in characters; both ends of a path are shown. */
const maxLabel = 36;

/** The attachments of the next question. A click shows one; Delete and the close button remove it. */
export function AttachmentChips({ chat }: { readonly chat: Chat }) {
  const { session, announcer } = chat;
  const list = useRef<HTMLUListElement>(null);
  const { chips } = session.attachments;
  const known = useRef(chips.value);
  useEffect(() => {
    const isNew = ({ id }: AttachmentChip) => !known.current.some((old) => old.id === id);
    for (const { label } of chips.value.filter(isNew)) announcer.say(l10n.t('{0} attached.', label));
    known.current = chips.value;
  }, [chips.value, announcer]);

  const detach = async ({ id, label }: AttachmentChip, index: number) => {
    await session.attachments.detach(id);
    announcer.say(l10n.t('{0} removed.', label));
    const left = list.current?.querySelectorAll<HTMLElement>('.chip-text') ?? [];
    const next = left[Math.min(index, left.length - 1)] ?? document.querySelector<HTMLElement>('.composer-text');
    focusIfActive(next);
  };
  return (
    <>
      {chips.value.length > 0 && (
        <ul class="chips" aria-label={l10n.t('Attachments')} ref={list}>
          {chips.value.map((chip, index) => (
            <Chip
              key={chip.id}
              chip={chip}
              onShow={() => void session.attachments.show(chip.id)}
              onDetach={() => void detach(chip, index)}
            />
          ))}
        </ul>
      )}
      {session.attachments.offered.value.length > 0 && (
        <span class="chip-offers">
          {session.attachments.offered.value.map((offered) => (
            <OfferedChip key={offered.from} chat={chat} offered={offered} />
          ))}
        </span>
      )}
    </>
  );
}

/** What the user works on in the editor: a click or Enter attaches it, Backspace removes the offer. */
function OfferedChip({ chat: { session }, offered }: { readonly chat: Chat; readonly offered: OfferedContext }) {
  const toBox = () => focusIfActive(document.querySelector<HTMLElement>('.composer-box .composer-text'));
  const title = l10n.t('Attach {0}', offered.label);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    session.attachments.dismiss(offered);
    toBox();
  };
  return (
    <button
      type="button"
      class="chip-offer"
      title={title}
      aria-label={title}
      onClick={() => void session.attachments.attachContext(offered).then(toBox)}
      onKeyDown={onKeyDown}
    >
      <Icon name={offered.from === 'selection' ? 'selection' : 'file'} />
      <bdi class="chip-label">{lastPart(offered.label)}</bdi>
      <Icon name="add" />
    </button>
  );
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

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
    <ul class="chips chips-sent" aria-label={l10n.t('Attachments')}>
      {chips.map((chip, index) => (
        <Chip key={chip.id} chip={chip} onShow={() => void chat.session.attachments.showSent(turnId, index)} />
      ))}
    </ul>
  );
}

/** The attachments of a message that waits. */
export function AttachmentLabels({ chips }: { readonly chips: readonly AttachmentChip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips chips-sent" aria-label={l10n.t('Attachments')}>
      {chips.map(({ id, kind, label }) => (
        <li key={id} class="chip" title={label}>
          <span class="chip-text">
            <Icon name={icons[kind]} />
            <bdi class="chip-label">{shortenMiddle(label, maxLabel)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ChipProps {
  readonly chip: AttachmentChip;
  readonly onShow: () => void;
  /** Absent if the attachment can no longer be removed. */
  readonly onDetach?: () => void;
}

function Chip({ chip, onShow, onDetach }: ChipProps) {
  const { kind, label, characters, tokens } = chip;
  const title = l10n.t(
    '{0}: {1} characters, about {2} tokens (±25%). Click to preview.',
    label,
    pageNumber(characters),
    pageNumber(tokens),
  );
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
      </button>
      {onDetach && (
        <button
          type="button"
          class="chip-remove"
          title={l10n.t('Remove {0}', label)}
          aria-label={l10n.t('Remove {0}', label)}
          onClick={onDetach}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
