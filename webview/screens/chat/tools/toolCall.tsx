import * as l10n from '@vscode/l10n';
import { computed } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import type { ToolCallView } from '../../../../src/protocol/chatTools';
import { Icon } from '../../../components/icon';
import type { IconName } from '../../../components/iconNames';
import { PlainText } from '../../../components/plainText';
import type { Chat } from '../chatContext';
import type { BlockView, TurnView } from '../conversation';
import { CallDecision } from './callDecision';
import { prettyJson } from './toolRows';
import './toolCall.css';
import { isWaiting } from './waitingCalls';
import { sentences } from '../../../../src/protocol/sentences';

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
  // A compared answer is not a turn of its own, so it must be picked first.
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
        <p class="call-nothing">{l10n.t('To decide about this call, continue with this response.')}</p>
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
    awaitingResult: l10n.t('waiting for your result'),
    running: l10n.t('running'),
    done: isByPerson ? l10n.t('result entered by you') : l10n.t('completed'),
    failed: isByPerson ? l10n.t('error entered by you') : l10n.t('failed'),
    denied: l10n.t('denied'),
    stopped: l10n.t('stopped'),
    notRun: l10n.t('not run'),
  };
  return sentences(words[state], allowedAlways ? l10n.t('without asking') : undefined);
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
