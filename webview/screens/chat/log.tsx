import * as l10n from '@vscode/l10n';
import { useSignal, useSignalEffect } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { QueuedMessageView } from '../../../src/protocol/chat';
import { focusIfActive } from '../../components/focus';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { createViewportObserver } from '../../components/viewportObserver';
import { Note } from '../../components/note';
import { createScrollPosition, type ScrollPosition } from '../../components/scrollPosition';
import { AttachmentLabels } from './attachmentChips';
import type { Chat } from './chatContext';
import type { TurnView } from './conversation';
import { sentTurns } from './compaction';
import { CompactionNote, NotSentNote } from './compactionNotes';
import { BudgetNote } from './contextRing';
import './queuedMessages.css';
import { TurnArticle } from './turnArticle';
import { drawnAtOnce } from './turnPlaceholder';
import { Empty } from './welcome';
import { labelled, titled } from '../../../src/protocol/sentences';

/** Turns per group. A group far from the viewport is laid out and observed as one, because each single turn costs time in every frame. */
const turnsPerGroup = 20;

/** The conversation. Stays scrolled to its end as long as the user does; Alt with the arrow keys moves between turns. */
export function Log({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const keeper = useSignal<ScrollPosition | undefined>(undefined);
  const turns = session.conversation.turns.value;

  useEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    const made = createScrollPosition(scroller.current, content.current, () =>
      session.draft.saveScroll(made.position()),
    );
    keeper.value = made;
    return () => made.dispose();
  }, [keeper, session]);
  useRestoredScroll(chat, keeper.value);
  useSignalEffect(() => {
    if (session.running.value || session.sent.value?.isQueued === false) keeper.peek()?.toEnd();
  });
  useSignalEffect(() => {
    if (session.editing.value !== undefined) keeper.peek()?.letGo();
  });

  return (
    <div class="log-frame">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={l10n.t('Conversation')}
        tabIndex={0}
        ref={scroller}
        onKeyDown={moveBetweenTurns}
      >
        <h1 class="spoken">{l10n.t('Conversation')}</h1>
        <div class="turns" ref={content}>
          {!session.page.value && !session.error.value && <p class="log-loading">{l10n.t('Loading…')}</p>}
          {session.page.value && turns.length === 0 && !session.sent.value && <Empty chat={chat} />}
          <Turns chat={chat} />
          <SentQuestion chat={chat} />
          <QueuedMessages chat={chat} />
          <UnsavedNote chat={chat} />
          <Errors chat={chat} />
        </div>
      </div>
      {keeper.value && !keeper.value.atEnd.value && (
        <button
          type="button"
          class="jump"
          onClick={() => keeper.peek()?.toEnd()}
          title={l10n.t('Scroll to Bottom')}
          aria-label={l10n.t('Scroll to Bottom')}
        >
          <Icon name="arrow-down" />
        </button>
      )}
    </div>
  );
}

/** The turns, with a note between those not sent, those compacted and those sent. Only turns near the viewport are fully drawn. */
function Turns({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const turns = session.conversation.turns.value;
  const { start, uncompacted } = sentTurns(turns, session.compaction.now.value);
  const viewportObserver = useMemo(() => createViewportObserver('.log'), []);
  useEffect(() => () => viewportObserver.dispose(), [viewportObserver]);
  const toArticle = (turn: TurnView, index: number) => (
    <Fragment key={`${turn.id} ${turn.tryId}`}>
      {index === start && index > 0 && <NotSentNote chat={chat} turns={turns.slice(0, start)} />}
      {index === uncompacted && uncompacted > start && (
        <CompactionNote
          chat={chat}
          turns={turns.slice(start, uncompacted).filter(({ facts }) => !facts.value.omitted)}
          uncompacted={turn}
        />
      )}
      <TurnArticle
        chat={chat}
        turn={turn}
        isLast={index === turns.length - 1}
        viewportObserver={viewportObserver}
        isDrawnAtOnce={index >= turns.length - drawnAtOnce}
      />
    </Fragment>
  );
  const firsts = Array.from({ length: Math.ceil(turns.length / turnsPerGroup) }, (_, group) => group * turnsPerGroup);
  return (
    <>
      {firsts.map((first) => {
        const group = turns.slice(first, first + turnsPerGroup);
        return (
          <div key={first} class="turn-group" style={{ '--turns': group.length }}>
            {group.map((turn, index) => toArticle(turn, first + index))}
          </div>
        );
      })}
    </>
  );
}

/** Shown below the last answer, always visible: the conversation could not be saved to disk, with actions to retry or copy it. */
function UnsavedNote({ chat: { session, announcer } }: { readonly chat: Chat }) {
  const { unsaved, conversationId } = session.page.value ?? {};
  const text = unsaved && titled(unsaved.title, unsaved.detail);
  useEffect(() => {
    if (text === undefined) return undefined;
    announcer.say(text);
    return () => {
      const now = session.page.peek();
      if (now?.conversationId === conversationId && !now?.unsaved) announcer.say(l10n.t('Saved'));
    };
  }, [text, conversationId]);
  const act = (action: string) => {
    void session.act(action);
    if (action === 'copyUnsaved') announcer.say(l10n.t('Copied'));
  };
  return (
    unsaved && (
      <div class="unsaved-note">
        <Note tone="error" title={unsaved.title} detail={unsaved.detail} actions={unsaved.actions} onAct={act} />
      </div>
    )
  );
}

/** Errors outside of answers: of the last call to the host, and of the list of models. */
function Errors({ chat }: { readonly chat: Chat }) {
  const { session, announcer } = chat;
  const page = session.page.value;
  const error = session.error.value;
  const act = (action: string) => void session.act(action);
  const canRetry = error?.actions.some(({ id }) => id === 'retry');
  useEffect(() => {
    if (error) announcer.say(titled(error.title, error.detail));
  }, [error, announcer]);
  const hasNoModels = page?.modelsState === 'ready' && page.models.length === 0 && page.model === undefined;
  return (
    <>
      <BudgetNote chat={chat} />
      {error && (
        <Note
          tone="error"
          title={page ? error.title : labelled(l10n.t("Couldn't load the conversation"), error.title)}
          detail={error.detail}
          actions={page || canRetry ? error.actions : [...error.actions, { id: 'retry', label: l10n.t('Try Again') }]}
          onAct={act}
        />
      )}
      {page?.modelsState === 'failed' && (
        <Note
          tone="warning"
          title={l10n.t("Couldn't load models")}
          detail={[page.modelsError?.title, page.modelsError?.detail].filter(Boolean).join('\n')}
          actions={[
            ...(page.modelsError?.actions ?? []).filter(({ id }) => id !== 'retry'),
            { id: 'refreshModels', label: l10n.t('Refresh') },
          ]}
          onAct={act}
        />
      )}
      {hasNoModels && (
        <Note
          tone="warning"
          title={l10n.t('No chat models')}
          detail={l10n.t("{0} doesn't list chat models. Enter a model ID.", page.profileName)}
          actions={[
            { id: 'chooseModel', label: l10n.t('Enter Model ID…') },
            { id: 'refreshModels', label: l10n.t('Refresh') },
          ]}
          onAct={act}
        />
      )}
    </>
  );
}

/** Restores the scroll position from before a reload, and scrolls to the end of another conversation. */
function useRestoredScroll({ session }: Chat, keeper: ScrollPosition | undefined): void {
  const shown = session.page.value?.conversationId;
  useEffect(() => {
    if (shown !== undefined) keeper?.restore(session.draft.scrollTop);
  }, [shown, keeper, session]);
}

function moveBetweenTurns(event: KeyboardEvent): void {
  const { key, altKey, currentTarget, target } = event;
  if (!altKey || (key !== 'ArrowUp' && key !== 'ArrowDown') || !(currentTarget instanceof HTMLElement)) return;
  const turns = [...currentTarget.querySelectorAll<HTMLElement>('.turn')];
  const at = target instanceof Element ? turns.findIndex((turn) => turn.contains(target)) : -1;
  const from = at < 0 && key === 'ArrowUp' ? turns.length : at;
  const next = turns[Math.max(0, Math.min(turns.length - 1, from + (key === 'ArrowUp' ? -1 : 1)))];
  next?.focus();
  event.preventDefault();
}

/** The question that was just sent, until its turn is there. */
function SentQuestion({ chat: { session } }: { readonly chat: Chat }) {
  const sent = session.sent.value;
  if (!sent || sent.isQueued) return null;
  return (
    <div class="turn-sent">
      <div class="question">
        <p class="question-text" dir="auto">
          {sent.text}
        </p>
        <AttachmentLabels chips={sent.chips} />
      </div>
    </div>
  );
}

/** The messages that wait for the running answer, or that were not sent because it failed, was stopped, or VS Code was closed. */
function QueuedMessages({ chat }: { readonly chat: Chat }) {
  const { session, announcer } = chat;
  const queued = session.page.value?.queued ?? [];
  const sent = session.sent.value;
  const isQueuing = sent?.isQueued === true;
  useEffect(() => {
    if (isQueuing) announcer.say(l10n.t('Queued'));
  }, [isQueuing, announcer]);
  return (
    <>
      {queued.map((message) => (
        <Queued key={message.id} chat={chat} message={message} />
      ))}
      {sent && isQueuing && (
        <Queued chat={chat} message={{ id: onItsWay, text: sent.text, attachments: sent.chips, isAutomatic: true }} />
      )}
    </>
  );
}

/** The ID of a message that the host doesn't have yet. */
const onItsWay = '';

function Queued({ chat, message }: { readonly chat: Chat; readonly message: QueuedMessageView }) {
  const { session, announcer } = chat;
  const { id, text, attachments, isAutomatic, error } = message;
  const toBox = () => focusIfActive(document.querySelector<HTMLElement>('.composer-box .composer-text'));
  const edit = () => void session.unqueue(message, true).then(toBox);
  const remove = () =>
    void session.unqueue(message, false).then(() => {
      announcer.say(l10n.t('Removed'));
      toBox();
    });
  return (
    <div class="queued" role="group" aria-label={isAutomatic ? l10n.t('Queued') : l10n.t('Message not sent yet')}>
      <p class="question-text" dir="auto">
        {text}
      </p>
      <AttachmentLabels chips={attachments} />
      {error && (
        <Note
          tone={error.kind === 'accountChanged' ? 'info' : 'error'}
          {...error}
          onAct={(action) => void session.act(action)}
        />
      )}
      <div class="queued-actions">
        <span class="queued-state">{isAutomatic ? l10n.t('Queued') : l10n.t('Message not sent yet')}</span>
        <span class="queued-buttons" inert={id === onItsWay}>
          <IconButton icon="edit" label={l10n.t('Edit')} onClick={edit} />
          <IconButton
            icon="arrow-up"
            label={l10n.t('Send Now')}
            onClick={() => void session.sendQueued(id).then(toBox)}
          />
          <IconButton icon="trash" label={l10n.t('Remove')} onClick={remove} />
        </span>
      </div>
    </div>
  );
}
