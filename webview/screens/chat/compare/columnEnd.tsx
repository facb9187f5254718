import { computed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { fill } from '../../../components/fill';
import { IconButton } from '../../../components/iconButton';
import { Note } from '../../../components/note';
import type { Chat } from '../chatContext';
import { isRunning } from '../conversation';
import { FactLine } from '../factLine';
import { endedAtLimit, facts } from '../facts';
import { answerText } from '../turnText';
import { isWaiting } from '../tools/waitingCalls';
import { WaitNote } from '../waitNote';
import type { ColumnProps } from './column';

type EndProps = Omit<ColumnProps, 'panel'>;

/** Shown below one of several answers: its state or its facts, its error, and its actions. */
export function ColumnEnd(props: EndProps) {
  const { chat, answer } = props;
  const { session, strings } = chat;
  const state = answer.facts.value;
  const locale = session.page.value?.locale ?? 'en';
  const isComing = isRunning(state);
  const known = facts(state, strings, locale);
  const isSilent = answer.blocks.value.length === 0;
  return (
    <div class="compare-end">
      {isComing ? <Coming {...props} /> : <ColumnTrouble {...props} />}
      {!isComing && isSilent && state.state === 'done' && state.stopReason !== 'refusal' && (
        <p class="facts">{strings.emptyAnswer}</p>
      )}
      {!isComing && known.length > 0 && (
        <p class="facts" role="group" aria-label={strings.factsLabel}>
          <FactLine facts={known} />
        </p>
      )}
      <ColumnActions {...props} />
    </div>
  );
}

/** Why the answer is held up, or that it is waiting or streaming. */
function Coming({ chat, turn, answer, name }: EndProps) {
  const { strings } = chat;
  const { wait, state } = answer.facts.value;
  const passed = useSignal(0);
  const waiting = useMemo(() => asColumn(chat, { turn, answer, name }), [chat, turn, answer, name]);
  if (wait && wait.until > Math.max(passed.value, chat.now())) {
    const onOver = () => (passed.value = wait.until);
    return <WaitNote chat={waiting} turnId={turn.id} wait={wait} onOver={onOver} canSwitch={false} />;
  }
  if (state === 'streaming' && answer.blocks.value.length > 0) return <p class="facts">{strings.streaming}</p>;
  return (
    <p class="facts waiting">
      <vscode-progress-ring aria-hidden="true" />
      {strings.waiting}
    </p>
  );
}

type OfColumn = Pick<EndProps, 'turn' | 'answer' | 'name'>;

/** Returns the chat for components that handle a single answer: announcements name the model, and actions apply to the column. */
function asColumn(chat: Chat, { turn, answer, name }: OfColumn): Chat {
  const { session, strings, announcer } = chat;
  return {
    ...chat,
    session: { ...session, act: () => session.comparing.stop(turn.id, answer.id) },
    announcer: { say: (text) => announcer.say(fill(strings.spokenColumn, name, text)) },
  };
}

function ColumnTrouble({ chat: { session, strings }, turn, answer }: EndProps) {
  const { state, error, stopReason } = answer.facts.value;
  const { comparing } = session;
  const again = { id: 'retry', label: strings.askAgain };
  const act = (action: string) => {
    const [step = '', ...rest] = action.split(':');
    if (step === 'retry') return void comparing.again(turn.id, answer.id);
    if (step === 'useModel') return void comparing.again(turn.id, answer.id, rest.join(':'));
    if (step === 'without') return void comparing.againWithout(turn.id, answer.id, rest.join(':'));
    return void session.act(action, turn.id);
  };
  if (error) {
    const offered = error.actions.filter(({ id }) => id !== 'chooseModel' && id !== 'newConversation');
    const actions = offered.some(({ id }) => id === 'retry') ? offered : [...offered, again];
    const tone = state === 'failed' ? 'error' : 'warning';
    return <Note tone={tone} title={error.title} detail={error.detail} actions={actions} onAct={act} />;
  }
  const note = { tone: 'warning', actions: [again], onAct: act } as const;
  if (state === 'done' && stopReason === 'refusal') {
    return <Note {...note} title={strings.refusalTitle} detail={strings.refusalDetail} />;
  }
  if (endedAtLimit(answer.facts.value)) {
    return (
      <Note {...note} tone="info" title={strings.tokenLimitTitle} detail={strings.tokenLimitDetail} actions={[]} />
    );
  }
  if (state !== 'interrupted') return null;
  return <Note {...note} title={strings.interruptedTitle} detail={strings.interruptedDetail} />;
}

function ColumnActions({ chat, turn, answer, name }: EndProps) {
  const { session, strings, announcer } = chat;
  const { comparing } = session;
  const text = useMemo(() => computed(() => answerText(answer)), [answer]);
  const isComing = isRunning(answer.facts.value);
  const { exchangeId } = answer.facts.value;
  const hasText = text.value !== '';
  const canGoOn = hasText || answer.blocks.value.some(({ call }) => isWaiting(call.value));
  const pick = async () => {
    await comparing.pick(turn.id, answer.id);
    if (session.trouble.peek()) return;
    announcer.say(fill(strings.spokenPicked, name));
    document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  const copy = () => {
    void session.copy(text.peek());
    announcer.say(strings.copied);
  };
  return (
    <div class="compare-actions">
      {canGoOn && (
        <vscode-button appearance="secondary" title={fill(strings.continueWithHint, name)} onClick={() => void pick()}>
          {strings.continueWith}
        </vscode-button>
      )}
      <span class="compare-icons">
        {hasText && !isComing && <IconButton icon="copy" label={fill(strings.copyOf, name)} onClick={copy} />}
        {exchangeId !== undefined && !isComing && (
          <IconButton
            icon="output"
            label={strings.showExchange}
            onClick={() => void session.act(`showExchange:${exchangeId}`)}
          />
        )}
        {isComing ? (
          <IconButton
            icon="debug-stop"
            label={fill(strings.stopOne, name)}
            onClick={() => void comparing.stop(turn.id, answer.id)}
          />
        ) : (
          session.page.value?.account === 'ready' && (
            <IconButton
              icon="refresh"
              label={fill(strings.againOf, name)}
              onClick={() => void comparing.again(turn.id, answer.id)}
            />
          )
        )}
      </span>
    </div>
  );
}
