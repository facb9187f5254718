import * as l10n from '@vscode/l10n';
import { computed, effect, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useMemo, useRef, useLayoutEffect } from 'preact/hooks';
import { answerLimitOfStep, modelOfStep } from '../../../src/protocol/modelStep';
import { IconButton } from '../../components/iconButton';
import type { ViewportObserver } from '../../components/viewportObserver';
import { Note } from '../../components/note';
import { AnswerBlocks } from './answerBlocks';
import { SentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { showTargets } from './codeUse';
import { Citations } from './citations';
import { Comparison, ShowComparison } from './compare/comparison';
import { answerText, isRunning, type TurnView } from './conversation';
import { StartFresh } from './compactionNotes';
import { FactLine } from './factLine';
import { timeOfQuestion, endedAtLimit } from './facts';
import { modelName, shortenMiddle } from './modelNames';
import { PriceNear, usePricedActions, type PricedRequest } from './priceNear';
import { TurnPlaceholder, useDrawn } from './turnPlaceholder';
import { ToolLimitNote, UnreadCall } from './tools/toolNotes';
import { WaitingForToken, WaitNote } from './waitNote';
import { focusIfActive } from '../../components/focus';
import { pageNumber } from '../../components/pageLanguage';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import './branches.css';

interface ShownTurn {
  readonly chat: Chat;
  readonly turn: TurnView;
}

export interface TurnProps extends ShownTurn {
  /** Only the last answer's error offers a retry. */
  readonly isLast: boolean;
}

interface TurnArticleProps extends TurnProps {
  readonly viewportObserver: ViewportObserver;
  /** Whether the turn is drawn right away, because it is visible when the conversation opens. */
  readonly isDrawnAtOnce: boolean;
}

const maxModelName = 48;

/** One question and its answer. */
export function TurnArticle({ chat, turn, isLast, viewportObserver, isDrawnAtOnce }: TurnArticleProps) {
  const id = useId();
  const article = useRef<HTMLElement>(null);
  const isNear = useDrawn(article, viewportObserver, isDrawnAtOnce);
  const isCompared = (turn.comparison?.columns.length ?? 0) > 0;
  const isDrawn = isNear.value || isLast || isCompared;
  const isSent = isLast && !isCompared && chat.session.lastSent.value === turn.id;
  useCodeTargets(chat, turn, article, isDrawn);
  return (
    <article
      class={`turn${isCompared ? ' turn-compared' : ''}${isLast ? ' turn-last' : ''}${isSent ? ' turn-sent' : ''}`}
      data-turn={turn.id}
      aria-labelledby={`${id}-question`}
      tabIndex={-1}
      ref={article}
    >
      {isDrawn ? (
        <>
          <Question chat={chat} turn={turn} id={`${id}-question`} />
          <QuestionBand turn={turn} />
          {isCompared ? (
            <Comparison chat={chat} turn={turn} isLast={isLast} />
          ) : (
            <ShownAnswer chat={chat} turn={turn} isLast={isLast} />
          )}
        </>
      ) : (
        <TurnPlaceholder turn={turn} id={`${id}-question`} />
      )}
    </article>
  );
}

/** Minimum time between two calls for the targets of an answer's code, because each reads files. */
const targetsMs = 500;

/** Shows where the answer's code belongs, also of the blocks that are complete while the rest arrives. */
function useCodeTargets(
  { session }: Chat,
  turn: TurnView,
  article: RefObject<HTMLElement | null>,
  isDrawn: boolean,
): void {
  useEffect(() => {
    if (!isDrawn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let askedAt = -targetsMs;
    let askedBlocks = 0;
    const show = async () => {
      timer = undefined;
      // Complete ones: the last one of an answer that still arrives is drawn elsewhere.
      const blocks = article.current?.querySelectorAll('.md-part .md-code').length ?? 0;
      if (isOver || blocks === 0 || (isRunning(turn.facts.peek()) && blocks === askedBlocks)) return;
      askedAt = performance.now();
      askedBlocks = blocks;
      const found = await session.codeTargets(turn.id);
      if (found && !isOver && article.current) showTargets(article.current, found);
    };
    const showSoon = () =>
      (timer ??= setTimeout(() => void show(), Math.max(0, askedAt + targetsMs - performance.now())));
    // After the answer is drawn, because nobody waits for this.
    const stop = effect(() => {
      if (isRunning(turn.facts.value)) for (const { text } of turn.blocks.value) void text.value;
      requestAnimationFrame(showSoon);
    });
    // What was applied, undone, or kept is said at the code. Each key pressed in a changed file reports a change.
    const listening = session.host.on('chat/editsChanged', showSoon);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
      listening();
    };
  }, [session, turn, article, isDrawn]);
}

function Question({ chat, turn, id }: { readonly chat: Chat; readonly turn: TurnView; readonly id: string }) {
  const { session } = chat;
  const isEditing = session.editing.value === turn.id;
  return (
    <div class="question">
      <h2 class="spoken" id={id}>
        {l10n.t('You')}
      </h2>
      {isEditing ? (
        <>
          <QuestionEditor chat={chat} turn={turn} />
          <SentChips chat={chat} turnId={turn.id} chips={turn.attachments} />
        </>
      ) : (
        <>
          <p class="question-text" dir="auto">
            {turn.question}
          </p>
          <SentChips chat={chat} turnId={turn.id} chips={turn.attachments} />
          <QuestionEnd chat={chat} turn={turn} />
        </>
      )}
    </div>
  );
}

/**
 * The question in one line, at the top while its answer is read further down. A click scrolls to the question. Screen readers and keys have
 * the question itself.
 */
function QuestionBand({ turn }: { readonly turn: TurnView }) {
  const toQuestion = ({ currentTarget }: { readonly currentTarget: HTMLElement }) =>
    currentTarget.closest('.turn')?.scrollIntoView({ block: 'start' });
  return (
    turn.question !== '' && (
      <div class="question-passed" aria-hidden="true">
        <div class="question-band" data-question={turn.question} onClick={toQuestion} />
      </div>
    )
  );
}

/** The answer shown: of several attempts, the chosen one. */
function ShownAnswer({ chat, turn, isLast }: TurnProps) {
  const { model } = turn.facts.value;
  return (
    <div class="answer">
      <h3 class="who-model spoken" title={model}>
        {authorOf(chat, model)}
      </h3>
      <AnswerBlocks chat={chat} turn={turn} />
      <Citations citations={turn.facts.value.citations} />
      <AnswerEnd chat={chat} turn={turn} isLast={isLast} />
    </div>
  );
}

function authorOf({ session }: Chat, model: string): string {
  const name = shortenMiddle(modelName(model), maxModelName);
  return session.page.value?.isDemo ? l10n.t('Demo ({0})', name) : name;
}

/** Shown below the answer: its progress, its error, its facts and its actions. */
function AnswerEnd({ chat, turn, isLast }: TurnProps) {
  const { session, announcer, now } = chat;
  const answer = turn.facts.value;
  const text = useMemo(() => computed(() => answerText(turn)), [turn]);
  const locale = session.page.value?.locale ?? 'en';
  const isSilent = turn.blocks.value.length === 0;

  if (answer.state === 'waiting' || (answer.state === 'streaming' && isSilent)) {
    return <Waiting chat={chat} turn={turn} />;
  }
  if (isRunning(answer)) return <p class="facts">{l10n.t('Answering')}</p>;

  const { exchangeId } = answer;
  const time = timeOfQuestion(turn.askedAt, now(), locale);
  const canAsk = session.page.value?.account === 'ready' && session.running.value === undefined;
  const copyAnswer = () => {
    void session.copy(text.peek());
    announcer.say(l10n.t('Copied'));
  };
  return (
    <>
      {isSilent && answer.state === 'done' && answer.stopReason !== 'refusal' && (
        <p class="facts">{l10n.t('The response is empty.')}</p>
      )}
      <AnswerError chat={chat} turn={turn} isLast={isLast} />
      <div class="facts" role="group" aria-label={l10n.t('Response details')}>
        <FactLine answer={answer} locale={locale} model={authorOf(chat, answer.model)} time={time} />
        <BranchSwitcher chat={chat} turn={turn} among="tries" />
        <ShowComparison chat={chat} turn={turn} />
        <span class="facts-actions">
          {isLast && canAsk && <ContinueButton chat={chat} turn={turn} />}
          {text.value && <IconButton icon="copy" label={l10n.t('Copy Response')} onClick={copyAnswer} />}
          <StartFresh chat={chat} turn={turn} />
          {exchangeId !== undefined && (
            <IconButton
              icon="output"
              label={l10n.t('Show Request and Response')}
              onClick={() => void session.act(`showExchange:${exchangeId}`)}
            />
          )}
          {canAsk && (
            <PriceNear session={session} turnId={turn.id}>
              <IconButton
                icon="refresh"
                label={l10n.t('Regenerate Response')}
                onClick={() => void session.act('retry', turn.id)}
              />
            </PriceNear>
          )}
        </span>
      </div>
    </>
  );
}

/** Continues an answer that ended too early without an error; if there is a note, the note offers this. */
function ContinueButton({ chat: { session }, turn }: ShownTurn) {
  const { canContinue, state, toolLimit, model } = turn.facts.value;
  if (!canContinue || toolLimit !== undefined || (state !== 'done' && state !== 'stopped')) return null;
  if (endedAtLimit(turn.facts.value)) return null;
  return (
    <PriceNear session={session} turnId={turn.id} model={model} continues>
      <button type="button" class="link facts-continue" onClick={() => void session.act('continue', turn.id)}>
        {l10n.t('Continue')}
      </button>
    </PriceNear>
  );
}

/** Shown before the first token: why the answer is held up, or that it is waiting. */
function Waiting({ chat, turn }: ShownTurn) {
  const { wait } = turn.facts.value;
  const passed = useSignal(0);
  if (wait && wait.until > Math.max(passed.value, chat.now())) {
    return (
      <WaitNote
        chat={chat}
        wait={wait}
        onAct={(action) => void chat.session.act(action, turn.id)}
        onOver={() => (passed.value = wait.until)}
      />
    );
  }
  return <WaitingForToken chat={chat} since={turn.facts.value.waitingSince} />;
}

function AnswerError({ chat: { session }, turn, isLast }: TurnProps) {
  const { state, error, canContinue, stopReason, toolLimit, unreadCall } = turn.facts.value;
  const onAct = (action: string) => void session.act(action, turn.id);
  const requestOf = (action: string) => requestIn(action, turn.facts.peek().model);
  const priced = usePricedActions(session, turn.id, { onAct, requestOf });
  const again = isLast && error?.kind !== 'notOffered' ? [{ id: 'retry', label: l10n.t('Try Again') }] : [];
  const continueActions = isLast && canContinue ? [{ id: 'continue', label: l10n.t('Continue') }] : [];
  if (error) {
    const actions = error.actions.some(({ id }) => id === 'retry') ? error.actions : [...error.actions, ...again];
    const offered = isLast ? [...continueActions, ...actions] : actions.filter(({ id }) => !isAboutAsking(id));
    return (
      <Note
        tone={state === 'failed' ? 'error' : 'warning'}
        title={error.title}
        detail={error.detail}
        actions={offered}
        {...priced}
      />
    );
  }
  if (state === 'done' && stopReason === 'refusal') {
    const others = isLast ? [...again, { id: 'chooseModel', label: l10n.t('Choose Model') }] : [];
    return (
      <Note
        tone="warning"
        title={l10n.t('The model declined to answer')}
        detail={l10n.t('Rephrase your question, or use another model.')}
        actions={others}
        {...priced}
      />
    );
  }
  if (endedAtLimit(turn.facts.value)) {
    return (
      <Note
        tone="info"
        title={l10n.t('The response reached its token limit')}
        detail={l10n.t('For longer responses, raise max_tokens.')}
        actions={continueActions}
        {...priced}
      />
    );
  }
  if (unreadCall) return <UnreadCall actions={again} {...priced} />;
  if (toolLimit !== undefined) return <ToolLimitNote limit={toolLimit} actions={continueActions} {...priced} />;
  if (state !== 'interrupted') return null;
  return (
    <Note
      tone="warning"
      title={l10n.t('Incomplete response')}
      detail={l10n.t('VS Code closed. The partial response is saved.')}
      actions={[...continueActions, ...again]}
      {...priced}
    />
  );
}

/** Returns what an action sends. `model`: the one that answered, which alone can continue. */
function requestIn(action: string, model: string): PricedRequest | undefined {
  if (action === 'continue') return { model, continues: true };
  return isAboutAsking(action) ? { model: modelOfStep(action) } : undefined;
}

/** Whether an action asks again, which only the last question allows. */
function isAboutAsking(action: string): boolean {
  const isChanged = modelOfStep(action) !== undefined || answerLimitOfStep(action) !== undefined;
  return action === 'retry' || action === 'withoutToolCalls' || isChanged || action.startsWith('without:');
}

/** Edits a question in place. Enter sends it, Escape discards the changes. */
function QuestionEditor({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  const { session } = chat;
  const box = useRef<HTMLTextAreaElement>(null);
  const text = useSignal(turn.question);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(turn.question.length, turn.question.length);
  }, [turn]);
  // Keeps the box and its buttons visible, also when it grows.
  useLayoutEffect(() => box.current?.parentElement?.scrollIntoView({ block: 'nearest' }), [text.value]);

  const cancel = () => {
    const article = box.current?.closest('.turn');
    session.editing.value = undefined;
    requestAnimationFrame(() => article?.querySelector<HTMLElement>('.question-actions button')?.focus());
  };
  const canSend = text.value.trim() !== '' || turn.attachments.some(({ kind }) => kind === 'image');
  const send = async () => {
    if (!canSend) return;
    const isSent = await session.sendEdited(turn.id, text.peek());
    if (isSent) focusIfActive(document.querySelector<HTMLElement>('.composer-text'));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) void send();
    else if (event.key === 'Escape') cancel();
    else return;
    event.preventDefault();
  };
  return (
    <div class="question-editor">
      <textarea
        ref={box}
        class="composer-text"
        rows={2}
        dir="auto"
        aria-label={l10n.t('Edit Question')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="question-editor-hint">{l10n.t('Creates a new branch.')}</p>
      <div class="question-editor-buttons">
        <vscode-button appearance="primary" disabled={!canSend} onClick={() => void send()}>
          {l10n.t('Send')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={cancel}>
          {l10n.t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}

interface BranchSwitcherProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  readonly among: 'questions' | 'tries';
}

/** Shown below a question: which of its versions it is, and a button to edit it. */
function QuestionEnd({ chat, turn }: Omit<BranchSwitcherProps, 'among'>) {
  const { session } = chat;
  const canAsk = session.page.value?.account === 'ready' && session.running.value === undefined;
  return (
    <>
      <BranchSwitcher chat={chat} turn={turn} among="questions" />
      {canAsk && (
        <span class="question-actions">
          <IconButton icon="edit" label={l10n.t('Edit Question')} onClick={() => (session.editing.value = turn.id)} />
        </span>
      )}
    </>
  );
}

/** Switches between the branches at one position: "‹ 2/3 ›". The pressed button keeps the focus. */
function BranchSwitcher({ chat, turn, among }: BranchSwitcherProps) {
  const root = useRef<HTMLSpanElement>(null);
  const { session, announcer } = chat;
  const place = turn[among];
  if (!place) return null;
  const isBusy = session.running.value !== undefined;
  const spokenPlace = (index: number) => {
    const [number, count] = [pageNumber(index + 1), pageNumber(place.count)];
    return among === 'questions'
      ? l10n.t('Question {0} of {1}.', number, count)
      : l10n.t('Response {0} of {1}.', number, count);
  };

  const go = async (step: 1 | -1) => {
    const articles = () => [...document.querySelectorAll('.turn')];
    const at = articles().findIndex((article) => article.contains(root.current));
    await session.walk(turn.id, among, place.index + step);
    announcer.say(spokenPlace(place.index + step));
    // By now another turn may be drawn at this position.
    requestAnimationFrame(() => {
      const buttons = articles()[at]?.querySelectorAll<HTMLButtonElement>(`.walker-${among} button`) ?? [];
      const [back, on] = [...buttons];
      const button = step > 0 ? on : back;
      (button?.disabled === false ? button : step > 0 ? back : on)?.focus();
    });
  };
  const button = (step: 1 | -1, icon: IconName, label: string) => (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      disabled={isBusy || place.index + step < 0 || place.index + step >= place.count}
      onClick={() => void go(step)}
    >
      <Icon name={icon} />
    </button>
  );
  const isQuestion = among === 'questions';
  return (
    <span class={`walker walker-${among}`} ref={root}>
      {button(-1, 'chevron-left', isQuestion ? l10n.t('Previous Question Version') : l10n.t('Previous Response'))}
      <span class="walker-place" aria-hidden="true">
        {l10n.t('{0}/{1}', pageNumber(place.index + 1), pageNumber(place.count))}
      </span>
      <span class="spoken">{spokenPlace(place.index)}</span>
      {button(1, 'chevron-right', isQuestion ? l10n.t('Next Question Version') : l10n.t('Next Response'))}
    </span>
  );
}
