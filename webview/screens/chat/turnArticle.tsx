import { computed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { AnswerBlocks } from './answerBlocks';
import { SentChips } from './attachmentChips';
import type { Chat } from './chatContext';
import { isRunning, type TurnView } from './conversation';
import { StartFresh } from './foldNotes';
import { askedAt, facts } from './facts';
import { modelName, shortenMiddle } from './modelNames';
import { QuestionEditor } from './questionEditor';
import { QuestionEnd, Walker } from './walker';
import { WaitNote } from './waitNote';

export interface TurnProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  /** Only the last answer offers to be asked for again in its trouble. */
  readonly isLast: boolean;
}

const maxModelName = 48;

/** One question and its answer. */
export function TurnArticle({ chat, turn, isLast }: TurnProps) {
  const { session, strings, now } = chat;
  const id = useId();
  const locale = session.page.value?.locale ?? 'en';
  const time = askedAt(turn.askedAt, now(), locale);
  const { model } = turn.facts.value;
  const isEditing = session.branches.editing.value === turn.id;
  return (
    <article class="turn" data-turn={turn.id} aria-labelledby={`${id}-question`} tabIndex={-1}>
      <div class="question">
        <h2 class="who" id={`${id}-question`}>
          {strings.you}
        </h2>
        {isEditing ? (
          <QuestionEditor chat={chat} turn={turn} />
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
      <div class="answer">
        <div class="who">
          <h3 class="who-model" title={model}>
            {shortenMiddle(modelName(model), maxModelName)}
          </h3>
          <time class="who-time" dateTime={new Date(turn.askedAt).toISOString()} title={time.full}>
            {time.short}
          </time>
        </div>
        <AnswerBlocks chat={chat} turn={turn} />
        <AnswerEnd chat={chat} turn={turn} isLast={isLast} />
      </div>
    </article>
  );
}

/** What stands under the answer: that it is coming, what went wrong, what it took, and what can be done with it. */
function AnswerEnd({ chat, turn, isLast }: TurnProps) {
  const { session, strings, announcer } = chat;
  const answer = turn.facts.value;
  const text = useMemo(() => computed(() => answerText(turn)), [turn]);
  const locale = session.page.value?.locale ?? 'en';
  const isSilent = turn.blocks.value.length === 0;

  if (answer.state === 'waiting' || (answer.state === 'streaming' && isSilent)) {
    return <Waiting chat={chat} turn={turn} />;
  }
  if (isRunning(answer)) return <p class="facts">{strings.streaming}</p>;

  const askAgain = () => void session.act('retry', turn.id);
  const { exchangeId } = answer;
  const canAsk = session.page.value?.account === 'ready' && session.running.value === undefined;
  const copyAnswer = () => {
    void session.copy(text.peek());
    announcer.say(strings.copied);
  };
  return (
    <>
      {isSilent && answer.state === 'done' && answer.stopReason !== 'refusal' && (
        <p class="facts">{strings.emptyAnswer}</p>
      )}
      <AnswerTrouble chat={chat} turn={turn} isLast={isLast} />
      <div class="facts" role="group" aria-label={strings.factsLabel}>
        <span class="facts-text">
          {facts(answer, strings, locale).map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' · '}
              <span>{fact}</span>
            </Fragment>
          ))}
        </span>
        <Walker chat={chat} turn={turn} among="tries" />
        <span class="facts-actions">
          {isLast && canAsk && <ContinueButton chat={chat} turn={turn} />}
          {text.value && <IconButton icon="copy" label={strings.copyAnswer} onClick={copyAnswer} />}
          <StartFresh chat={chat} turn={turn} />
          {exchangeId !== undefined && (
            <IconButton
              icon="output"
              label={strings.showExchange}
              onClick={() => void session.act(`showExchange:${exchangeId}`)}
            />
          )}
          {canAsk && <IconButton icon="refresh" label={strings.askAgain} onClick={askAgain} />}
        </span>
      </div>
    </>
  );
}

/** For an answer that just ended too early; where there is a note, the note offers it. */
function ContinueButton({ chat: { session, strings }, turn }: Pick<TurnProps, 'chat' | 'turn'>) {
  const { canContinue, state } = turn.facts.value;
  if (!canContinue || (state !== 'done' && state !== 'stopped')) return null;
  return (
    <button type="button" class="link facts-continue" onClick={() => void session.act('continue', turn.id)}>
      {strings.continueAnswer}
    </button>
  );
}

/** Before the first token: why it is held up, or that it is on its way. */
function Waiting({ chat, turn }: Pick<TurnProps, 'chat' | 'turn'>) {
  const { wait } = turn.facts.value;
  const passed = useSignal(0);
  if (wait && wait.until > Math.max(passed.value, chat.now())) {
    return <WaitNote chat={chat} turnId={turn.id} wait={wait} onOver={() => (passed.value = wait.until)} />;
  }
  return (
    <p class="facts waiting">
      <vscode-progress-ring aria-hidden="true" />
      {chat.strings.waiting}
    </p>
  );
}

function AnswerTrouble({ chat: { session, strings }, turn, isLast }: TurnProps) {
  const { state, error, model, canContinue, stopReason } = turn.facts.value;
  const act = (action: string) => void session.act(action, turn.id);
  const again = isLast ? [{ id: 'retry', label: strings.askAgain }] : [];
  const goOn = isLast && canContinue ? [{ id: 'continue', label: strings.continueAnswer }] : [];
  if (error) {
    const actions = error.actions.some(({ id }) => id === 'retry') ? error.actions : [...error.actions, ...again];
    const offered = isLast ? [...goOn, ...actions] : actions.filter(({ id }) => !isAboutAsking(id));
    return (
      <Note
        tone={state === 'failed' ? 'error' : 'warning'}
        title={error.title}
        detail={error.detail}
        actions={offered}
        onAct={act}
      />
    );
  }
  if (state === 'done' && stopReason === 'refusal') {
    const others = isLast ? [...again, { id: 'chooseModel', label: strings.chooseModel }] : [];
    return (
      <Note tone="warning" title={strings.refusalTitle} detail={strings.refusalDetail} actions={others} onAct={act} />
    );
  }
  if (state !== 'interrupted') return null;
  return (
    <Note
      tone="warning"
      title={strings.interruptedTitle}
      detail={fill(strings.interruptedDetail, model)}
      actions={[...goOn, ...again]}
      onAct={act}
    />
  );
}

/** Only the last question can be asked again. */
function isAboutAsking(action: string): boolean {
  return action === 'retry' || action.startsWith('useModel:') || action.startsWith('without:');
}

function answerText(turn: TurnView): string {
  return turn.blocks.value
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.value)
    .join('\n\n');
}
