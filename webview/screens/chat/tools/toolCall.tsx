import './toolCall.css';
import * as l10n from '@vscode/l10n';
import { computed, useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ToolCallView, ToolDecision } from '../../../../src/protocol/chatTools';
import { Icon } from '../../../components/icon';
import type { IconName } from '../../../components/iconNames';
import { PlainText } from '../../../components/plainText';
import type { Chat } from '../chatContext';
import type { BlockView, TurnView } from '../conversation';
import { prettyJson } from './toolRows';
import { callKey, isWaiting } from './waitingCalls';
import { focusIfActive } from '../../../components/focus';

export interface ToolCallProps {
  readonly chat: Chat;
  readonly turn: TurnView;
  readonly block: BlockView;
  /** Index among the blocks of the answer. */
  readonly index: number;
}

/** A tool call: its input, the decision about it, and its result. Everything is shown as plain text. */
export function ToolCall({ chat, turn, block, index }: ToolCallProps) {
  const { session } = chat;
  const id = useId();
  const input = useMemo(() => computed(() => prettyJson(block.text.value)), [block]);
  const call = block.call.value;
  const result = useMemo(() => computed(() => block.call.value?.result ?? ''), [block]);
  if (!call) return null;
  const { state, label, note } = call;
  const name = block.name ?? '';
  // A compared answer isn't a separate turn, so it must be selected first.
  const isOfTurn = session.conversation.turns.value.some((one) => one.id === turn.id);
  return (
    <section class={`call call-${state}`} aria-labelledby={id} tabIndex={-1}>
      <h4 class="call-head" id={id}>
        <Icon name={icons[state]} isSpinning={state === 'running'} />
        <span class="spoken">{l10n.t('Tool call: {0}', '')}</span>
        <bdi class="call-name">{label}</bdi>
        {label !== name && <bdi class="call-id">{name}</bdi>}
        <span class="call-state">{stateWords(call)}</span>
      </h4>
      {note && <p class="call-note">{note}</p>}
      {input.value === '{}' || input.value === '' ? (
        <p class="call-nothing">{l10n.t('No input')}</p>
      ) : (
        <Part label={l10n.t('Input')} about={label} text={input} open={isWaiting(call)} />
      )}
      {isWaiting(call) && isOfTurn && <CallDecision chat={chat} turn={turn} call={call} index={index} />}
      {isWaiting(call) && !isOfTurn && (
        <p class="call-nothing">{l10n.t('To allow or deny this call, continue this response.')}</p>
      )}
      {state === 'running' && isOfTurn && (
        <p class="call-buttons">
          <vscode-button appearance="secondary" onClick={() => void session.stop()}>
            {l10n.t('Stop')}
          </vscode-button>
        </p>
      )}
      {call.result !== undefined && <CallResult call={call} text={result} />}
    </section>
  );
}

const icons: Readonly<Record<ToolCallView['state'], IconName>> = {
  asking: 'question',
  awaitingResult: 'edit',
  running: 'loading',
  done: 'pass',
  failed: 'error',
  denied: 'circle-slash',
  stopped: 'stop-circle',
  notRun: 'circle-slash',
};

function stateWords({ state, by, allowedAlways }: ToolCallView): string {
  const isByPerson = by === 'person';
  const words: Readonly<Record<ToolCallView['state'], string>> = {
    asking: l10n.t('waiting for approval'),
    awaitingResult: l10n.t('waiting for you to enter a result'),
    running: l10n.t('running'),
    done: isByPerson ? l10n.t('result entered by you') : l10n.t('completed'),
    failed: isByPerson ? l10n.t('error entered by you') : l10n.t('failed'),
    denied: l10n.t('denied'),
    stopped: l10n.t('stopped'),
    notRun: l10n.t('not run'),
  };
  return allowedAlways ? `${words[state]} · ${l10n.t('approved automatically')}` : words[state];
}

interface CallResultProps {
  readonly call: ToolCallView;
  readonly text: PartProps['text'];
}

function CallResult({ call: { state, label, result }, text }: CallResultProps) {
  if (!result) return <p class="call-nothing">{l10n.t('The result is empty.')}</p>;
  const names = {
    failed: l10n.t('Error'),
    denied: l10n.t('Message to the model'),
    stopped: l10n.t('Message to the model'),
  };
  const name = state === 'failed' || state === 'denied' || state === 'stopped' ? names[state] : l10n.t('Result');
  return <Part label={name} about={label} text={text} open={state === 'failed'} />;
}

interface PartProps {
  readonly label: string;
  /** Names the tool for screen readers only. */
  readonly about: string;
  readonly text: Parameters<typeof PlainText>[0]['text'];
  readonly open: boolean;
}

function Part({ label, about, text, open }: PartProps) {
  return (
    <details class="call-part" open={open}>
      <summary class="folded-label">
        <Icon name="chevron-right" />
        {label}
        <span class="spoken">{about}</span>
      </summary>
      <PlainText class="call-text" text={text} />
    </details>
  );
}

type DecisionProps = Omit<ToolCallProps, 'block'> & { readonly call: ToolCallView };

/** The choices for a tool call that waits for a decision. */
export function CallDecision({ chat, turn, call, index }: DecisionProps) {
  const { session } = chat;
  const root = useRef<HTMLDivElement>(null);
  const isSent = useSignal(false);
  const key = callKey(turn, index);
  const comesFromHere = useRef(false);
  const decide = async (decision: ToolDecision) => {
    if (isSent.peek()) return;
    comesFromHere.current = root.current?.contains(document.activeElement) ?? false;
    isSent.value = true;
    const isDone = await session.tools.answer(turn.id, index, decision);
    isSent.value = false;
    if (isDone) session.tools.results.forget(key);
    else comesFromHere.current = false;
  };
  useLayoutEffect(() => {
    const place = root.current;
    return () => {
      if (comesFromHere.current) moveOnFrom(place);
    };
  }, []);
  const props = { chat, call, typedKey: key, isSent: isSent.value, decide };
  return (
    <div class="call-decision" ref={root}>
      {call.state === 'asking' ? <Asking {...props} /> : <ResultBox {...props} />}
    </div>
  );
}

/** Moves the focus when a decision removes its controls: to the next waiting call, else to the card, unless the user moved it. */
function moveOnFrom(place: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && !place?.contains(activeElement)) return;
  const card = place?.closest<HTMLElement>('.call');
  const blocks = card?.parentElement;
  requestAnimationFrame(() => {
    const next = blocks?.querySelector<HTMLElement>('.call-decision vscode-button, .call-decision textarea');
    focusIfActive(next ?? card);
  });
}

interface BoxProps {
  readonly chat: DecisionProps['chat'];
  readonly call: ToolCallView;
  readonly typedKey: string;
  readonly isSent: boolean;
  readonly decide: (decision: ToolDecision) => Promise<void>;
}

function Asking(props: BoxProps) {
  const { chat, call, isSent, decide } = props;
  const allow = (always: boolean) => () => void decide({ type: 'allow', always });
  return (
    <>
      <div class="call-buttons">
        {call.canAllow && (
          <>
            <vscode-button appearance="primary" disabled={isSent} onClick={allow(false)}>
              {l10n.t('Allow Once')}
            </vscode-button>
            <vscode-button appearance="secondary" disabled={isSent} onClick={allow(true)}>
              {l10n.t('Allow in This Conversation')}
            </vscode-button>
          </>
        )}
        <vscode-button
          appearance="secondary"
          disabled={isSent}
          onClick={() => void decide({ type: 'deny', words: '' })}
        >
          {l10n.t('Deny')}
        </vscode-button>
      </div>
      <details class="call-part" open={!call.canAllow || chat.session.tools.results.of(props.typedKey) !== ''}>
        <summary class="folded-label">
          <Icon name="chevron-right" />
          {l10n.t('Enter Result Manually')}
          <span class="spoken">{call.label}</span>
        </summary>
        <ResultBox {...props} />
      </details>
    </>
  );
}

/** A text box whose content is sent as the result, as an error, or as the reason for a denial. */
function ResultBox({ chat: { session }, call, typedKey, isSent, decide }: BoxProps) {
  const id = useId();
  const { results } = session.tools;
  const text = results.of(typedKey);
  const isAsking = call.state === 'asking';
  const send = (isError: boolean) => () => void decide({ type: 'result', text, isError });
  return (
    <div class="call-box">
      <label class="parameter-label" for={id}>
        {l10n.t('Result of {0}', call.label)}
      </label>
      <textarea
        id={id}
        class="parameter-input parameter-text call-typed"
        rows={3}
        dir="auto"
        placeholder={l10n.t('Result or error to send to the model')}
        value={text}
        onInput={(event) => results.set(typedKey, event.currentTarget.value)}
      />
      <div class="call-buttons">
        <vscode-button appearance={isAsking ? 'secondary' : 'primary'} disabled={isSent} onClick={send(false)}>
          {l10n.t('Send Result')}
        </vscode-button>
        <vscode-button appearance="secondary" disabled={isSent} onClick={send(true)}>
          {l10n.t('Send as Error')}
        </vscode-button>
        {(!isAsking || text.trim() !== '') && (
          <vscode-button
            appearance="secondary"
            disabled={isSent}
            onClick={() => void decide({ type: 'deny', words: text.trim() })}
          >
            {text.trim() === '' ? l10n.t('Deny') : l10n.t('Deny with This Message')}
          </vscode-button>
        )}
      </div>
    </div>
  );
}
