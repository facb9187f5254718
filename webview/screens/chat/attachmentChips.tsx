import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AttachmentChip } from '../../../src/protocol/chat';
import { offerIcons } from '../../../src/protocol/offerIcons';
import { Icon } from '../../components/icon';
import { ImageView } from '../../components/imageView';
import './attachmentChips.css';
import type { OfferedContext } from './attachments';
import type { Chat } from './chatContext';
import { shortenMiddle } from './modelNames';
import { focusIfActive } from '../../components/focus';

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
              chat={chat}
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

/** The user's context in VS Code: a click or Enter attaches it, Backspace removes the offer. */
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
        <Chip
          key={chip.id}
          chat={chat}
          chip={chip}
          turnId={turnId}
          onShow={() => void chat.session.attachments.showSent(turnId, index)}
        />
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
            <Icon name={offerIcons[kind]} />
            <bdi class="chip-label">{shortenMiddle(label, maxLabel)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ChipProps {
  readonly chat: Chat;
  readonly chip: AttachmentChip;
  /** The turn of the question that it was sent with. */
  readonly turnId?: string;
  readonly onShow: () => void;
  /** Absent if the attachment can no longer be removed. */
  readonly onDetach?: () => void;
}

function Chip({ chat, chip, turnId, onShow, onDetach }: ChipProps) {
  const { id, kind, label, size } = chip;
  const [source, setSource] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const title = chipTitle(chip);
  const { attachments } = chat.session;
  useEffect(() => {
    if (size) void attachments.image(id, { turnId }).then(setSource);
  }, [chat, id, turnId, size === undefined]);
  const open = async () => {
    // Loading it for the chip may have failed, which need not stay so.
    const loaded = source ?? (await attachments.image(id, { turnId, tellsError: true }));
    setSource(loaded);
    setOpen(loaded !== undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onDetach?.();
  };
  return (
    <li class="chip">
      <button
        type="button"
        class="chip-text"
        title={title}
        onClick={size ? () => void open() : onShow}
        onKeyDown={onKeyDown}
      >
        {size ? <Thumbnail source={source} /> : <Icon name={offerIcons[kind]} />}
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
      {isOpen && source !== undefined && (
        <ImageView
          picture={{ src: source, alt: label, ...size }}
          name={label}
          facts={<p>{imageFacts(chip)}</p>}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

/** An image instead of an icon. Empty until it is loaded, so that the layout doesn't shift. */
function Thumbnail({ source }: { readonly source: string | undefined }) {
  return source === undefined ? (
    <span class="chip-image" />
  ) : (
    <img class="chip-image" src={source} alt="" decoding="async" />
  );
}

function chipTitle(chip: AttachmentChip): string {
  const { label, characters, tokens, size } = chip;
  if (size) return l10n.t('{0}: {1}. Click to view.', label, imageFacts(chip));
  return l10n.t(
    '{0}: {1} characters, about {2} tokens (±25%). Click to preview.',
    label,
    pageNumber(characters),
    pageNumber(tokens),
  );
}

function imageFacts({ size, tokens }: AttachmentChip): string {
  const { width = 0, height = 0 } = size ?? {};
  return l10n.t('{0} × {1} px, estimated tokens: {2}', pageNumber(width), pageNumber(height), pageNumber(tokens));
}
