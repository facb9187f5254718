import * as l10n from '@vscode/l10n';
import { useId, useMemo } from 'preact/hooks';
import { AnswerBlocks } from '../answerBlocks';
import type { Chat } from '../chatContext';
import { Citations } from '../citations';
import { answerText, isRunning, type ColumnView, type TurnView } from '../conversation';
import { shortenMiddle } from '../modelNames';
import { pageList } from '../../../components/pageLanguage';
import { computed, useSignal } from '@preact/signals';
import { IconButton } from '../../../components/iconButton';
import { Note } from '../../../components/note';
import { FactLine } from '../factLine';
import { endedAtLimit, facts } from '../facts';
import { PriceNear, usePricedActions, type PricedRequest } from '../priceNear';
import { UnreadCall } from '../tools/toolNotes';
import { isWaiting } from '../tools/waitingCalls';
import { WaitNote, WaitingForToken } from '../waitNote';
import { focusIfActive } from '../../../components/focus';

export interface ColumnProps {
  readonly chat: Chat;
  /** The turn of the question. */
  readonly turn: TurnView;
  readonly view: ColumnView;
  readonly answer: TurnView;
  /** The model's name, unique among the columns. */
  readonly name: string;
  /** Set if only one column is shown at a time. */
  readonly panel: { readonly id: string; readonly tab: string; readonly isShown: boolean } | undefined;
}

const maxModelName = 48;

/** One model's answer and its actions. */
export function Column({ panel, ...props }: ColumnProps) {
  const { chat, view, answer, name } = props;
  const id = useId();
  const silent = useMemo(() => ({ ...chat, announcer: { say: () => {} } }), [chat]);
  const role = panel
    ? { id: panel.id, role: 'tabpanel' as const, 'aria-labelledby': panel.tab, hidden: !panel.isShown }
    : { 'aria-labelledby': id };
  return (
    <section class="compare-column" {...role}>
      <div class="who">
        <h3 class="who-model" id={id} title={answer.facts.value.model}>
          {shortenMiddle(name, maxModelName)}
        </h3>
        {view.picked && <span class="compare-picked">{l10n.t('picked')}</span>}
      </div>
      {view.leftOut && (
        <p class="facts compare-left-out">
          {l10n.t("Sent without {0}, which this model doesn't support.", pageList(view.leftOut))}
        </p>
      )}
      <AnswerBlocks chat={silent} turn={answer} />
      <Citations citations={answer.facts.value.citations} />
      <ColumnEnd {...props} />
    </section>
  );
}

type EndProps = Omit<ColumnProps, 'panel'>;

/** Shown below one of several answers: its state or its facts, its error, and its actions. */
export function ColumnEnd(props: EndProps) {
  const { chat, answer } = props;
  const { session } = chat;
  const state = answer.facts.value;
  const locale = session.page.value?.locale ?? 'en';
  const isComing = isRunning(state);
  const isSilent = answer.blocks.value.length === 0;
  return (
    <div class="compare-end">
      {isComing ? <Coming {...props} /> : <ColumnError {...props} />}
      {!isComing && isSilent && state.state === 'done' && state.stopReason !== 'refusal' && (
        <p class="facts">{l10n.t('The response is empty.')}</p>
      )}
      {!isComing && facts(state, locale).length > 0 && (
        <p class="facts" role="group" aria-label={l10n.t('Response details')}>
          <FactLine answer={state} locale={locale} />
        </p>
      )}
      <ColumnActions {...props} />
    </div>
  );
}

/** Why the answer is held up, or that it is waiting or streaming. */
function Coming({ chat, turn, answer, name }: EndProps) {
  const { wait, state, waitingSince } = answer.facts.value;
  const passed = useSignal(0);
  const waiting = useMemo(() => namedIn(chat, name), [chat, name]);
  if (wait && wait.until > Math.max(passed.value, chat.now())) {
    const onOver = () => (passed.value = wait.until);
    const stop = () => void chat.session.comparing.stop(turn.id, answer.id);
    return <WaitNote chat={waiting} wait={wait} onAct={stop} onOver={onOver} canSwitch={false} />;
  }
  if (state === 'streaming' && answer.blocks.value.length > 0) return <p class="facts">{l10n.t('Answering')}</p>;
  return <WaitingForToken chat={chat} since={waitingSince} />;
}

/** Returns the chat for components that handle a single answer: its announcements name the model. */
function namedIn(chat: Chat, name: string): Chat {
  return { ...chat, announcer: { say: (text) => chat.announcer.say(l10n.t('{0}: {1}', name, text)) } };
}

function ColumnError({ chat: { session }, turn, answer }: EndProps) {
  const { state, error, stopReason, unreadCall } = answer.facts.value;
  const { comparing } = session;
  const again = { id: 'retry', label: l10n.t('Try Again') };
  const act = (action: string) => {
    const [step = '', ...rest] = action.split(':');
    if (step === 'retry') return void comparing.again(turn.id, answer.id);
    if (step === 'useModel') return void comparing.again(turn.id, answer.id, rest.join(':'));
    if (step === 'maxTokens') {
      session.parameters.editNumber('max_tokens', rest.join(''));
      return void session.parameters.settle().then(() => comparing.again(turn.id, answer.id));
    }
    if (step === 'without') return void comparing.againWithout(turn.id, answer.id, rest.join(':'));
    return void session.act(action, turn.id);
  };
  const requestOf = (action: string) => requestIn(action, answer.facts.peek().model);
  const priced = usePricedActions(session, turn.id, { onAct: act, requestOf });
  if (error) {
    const offered = error.actions.filter(({ id }) => id !== 'chooseModel' && id !== 'newConversation');
    const canRetry = error.kind === 'notOffered' || offered.some(({ id }) => id === 'retry');
    const actions = canRetry ? offered : [...offered, again];
    const tone = state === 'failed' ? 'error' : 'warning';
    return <Note tone={tone} title={error.title} detail={error.detail} actions={actions} {...priced} />;
  }
  const note = { tone: 'warning', actions: [again], ...priced } as const;
  if (state === 'done' && stopReason === 'refusal') {
    return (
      <Note
        {...note}
        title={l10n.t('The model declined to answer')}
        detail={l10n.t('Rephrase your question, or use another model.')}
      />
    );
  }
  if (endedAtLimit(answer.facts.value)) {
    return (
      <Note
        {...note}
        tone="info"
        title={l10n.t('The response reached its token limit')}
        detail={l10n.t('For longer responses, raise max_tokens.')}
        actions={[]}
      />
    );
  }
  if (unreadCall) return <UnreadCall actions={note.actions} {...priced} />;
  if (state !== 'interrupted') return null;
  return (
    <Note
      {...note}
      title={l10n.t('Incomplete response')}
      detail={l10n.t('VS Code closed. The partial response is saved.')}
    />
  );
}

/** Returns what an action of a column sends. `model`: the one of the column. */
function requestIn(action: string, model: string | undefined): PricedRequest | undefined {
  const [step, ...rest] = action.split(':');
  if (step === 'useModel') return { model: rest.join(':') };
  return step === 'retry' || step === 'without' ? { model } : undefined;
}

function ColumnActions(props: EndProps) {
  const { chat, turn, answer, name } = props;
  const { session, announcer } = chat;
  const { comparing } = session;
  const text = useMemo(() => computed(() => answerText(answer)), [answer]);
  const isComing = isRunning(answer.facts.value);
  const { exchangeId } = answer.facts.value;
  const hasText = text.value !== '';
  const canGoOn = hasText || answer.blocks.value.some(({ call }) => isWaiting(call.value));
  const pick = async () => {
    await comparing.pick(turn.id, answer.id);
    if (session.error.peek()) return;
    announcer.say(l10n.t('The conversation continues with {0}.', name));
    focusIfActive(document.querySelector<HTMLElement>('.composer-text'));
  };
  const copy = () => {
    void session.copy(text.peek());
    announcer.say(l10n.t('Copied'));
  };
  return (
    <div class="compare-actions">
      {canGoOn && (
        <vscode-button
          appearance="secondary"
          title={l10n.t('Continue with {0}. This stops responses in progress.', name)}
          onClick={() => void pick()}
        >
          {l10n.t('Continue with This Response')}
        </vscode-button>
      )}
      <span class="compare-icons">
        {hasText && !isComing && (
          <IconButton icon="copy" label={l10n.t('Copy Response from {0}', name)} onClick={copy} />
        )}
        {exchangeId !== undefined && !isComing && (
          <IconButton
            icon="output"
            label={l10n.t('Show Request and Response')}
            onClick={() => void session.act(`showExchange:${exchangeId}`)}
          />
        )}
        {isComing ? (
          <IconButton
            icon="debug-stop"
            label={l10n.t('Stop Response from {0}', name)}
            onClick={() => void comparing.stop(turn.id, answer.id)}
          />
        ) : (
          session.page.value?.account === 'ready' && <Regenerate {...props} />
        )}
      </span>
    </div>
  );
}

function Regenerate({ chat: { session }, turn, answer, name }: EndProps) {
  return (
    <PriceNear session={session} turnId={turn.id} model={answer.facts.value.model}>
      <IconButton
        icon="refresh"
        label={l10n.t('Regenerate Response from {0}', name)}
        onClick={() => void session.comparing.again(turn.id, answer.id)}
      />
    </PriceNear>
  );
}
