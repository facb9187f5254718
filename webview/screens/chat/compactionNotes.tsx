import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { Chat } from './chatContext';
import type { TurnView } from './conversation';
import './foldNotes.css';
import { pageNumber } from '../../components/pageLanguage';
import { focusIfActive } from '../../components/focus';

interface NoteProps {
  readonly chat: Chat;
  /** The turns the note is about. */
  readonly turns: readonly TurnView[];
}

/** Shown after turns that the next request sends as one transcript: lists them and shows the transcript. */
export function CompactionNote({ chat, turns, uncompacted }: NoteProps & { readonly uncompacted: TurnView }) {
  const { session } = chat;
  const [open, setOpen] = useState(false);
  const limit = session.compaction.now.value?.limit ?? 0;
  const title =
    turns.length === 1
      ? l10n.t('1 earlier turn sent as a transcript')
      : l10n.t('{0} earlier turns sent as a transcript', pageNumber(turns.length));
  return (
    <div class="sent-note" dir="auto">
      <details class="fold-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="sent-title">
          <Icon name="chevron-right" />
          {title}
        </summary>
        {open && (
          <div class="fold-inside">
            <p class="sent-detail">
              {l10n.t('These turns are sent as one message. The limit is {0} messages per request.', pageNumber(limit))}
            </p>
            <ol class="fold-turns" tabIndex={0} aria-label={title}>
              {turns.map(({ id, question }) => (
                <li key={id} class="fold-turn" dir="auto">
                  {question}
                </li>
              ))}
            </ol>
            <FoldedText chat={chat} />
          </div>
        )}
      </details>
      <StartLink chat={chat} turnId={uncompacted.id} label={l10n.t('Start Fresh from Here')} />
    </div>
  );
}

/** The transcript as it is sent. Loaded when it is opened, and again when other turns are compacted. */
function FoldedText({ chat: { session } }: { readonly chat: Chat }) {
  const id = useId();
  const [text, setText] = useState<string | undefined>(undefined);
  const compaction = session.compaction.now.value;
  useEffect(() => {
    let isCurrent = true;
    void session.compaction.loadText().then((loaded) => isCurrent && setText(loaded));
    return () => void (isCurrent = false);
  }, [session, compaction]);
  return (
    <>
      <p class="fold-text-label" id={id}>
        {l10n.t('Conversation transcript')}
      </p>
      <pre class="fold-text" dir="auto" tabIndex={0} role="region" aria-labelledby={id}>
        {text ?? l10n.t('Loading…')}
      </pre>
    </>
  );
}

/** Shown after turns that are no longer sent. */
export function NotSentNote({ chat, turns }: NoteProps) {
  return (
    <div class="sent-note" dir="auto">
      <span class="sent-title">{notSent(chat, turns.length)}</span>
      <StartLink chat={chat} turnId={null} label={l10n.t('Send Again')} />
    </div>
  );
}

interface StartLinkProps {
  readonly chat: Chat;
  readonly turnId: string | null;
  readonly label: string;
}

/** Changes which turns are sent. That removes the note that contains the link, so the focus moves to the note that replaces it. */
function StartLink({ chat, turnId, label }: StartLinkProps) {
  const link = useRef<HTMLButtonElement>(null);
  const start = async () => {
    const log = link.current?.closest<HTMLElement>('.log');
    await chat.session.compaction.startFrom(turnId);
    setTimeout(() => focusIfActive(log?.querySelector<HTMLElement>('.sent-note .link') ?? log));
  };
  return (
    <button type="button" class="link" ref={link} onClick={() => void start()}>
      {label}
    </button>
  );
}

/** Offered by every turn except the first one the request sends. */
export function StartFresh({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  const { session, announcer } = chat;
  const isStart = useComputed(
    () => (session.compaction.now.value?.startTurnId ?? session.conversation.turns.value[0]?.id) === turn.id,
  );
  if (isStart.value) return null;
  const start = async () => {
    await session.compaction.startFrom(turn.id);
    const before = session.conversation.turns.peek().findIndex(({ id }) => id === turn.id);
    if (session.compaction.now.peek()?.startTurnId === turn.id) announcer.say(notSent(chat, before));
  };
  return <IconButton icon="milestone" label={l10n.t('Start Fresh from Here')} onClick={() => void start()} />;
}

function notSent(chat: Chat, turns: number): string {
  return turns === 1
    ? l10n.t('The turn above is no longer sent')
    : l10n.t('The {0} turns above are no longer sent', pageNumber(turns));
}
