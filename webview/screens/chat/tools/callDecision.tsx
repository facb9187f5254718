import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolCallView, ToolDecision } from '../../../../src/protocol/chatTools';
import { Icon } from '../../../components/icon';
import type { ToolCallProps } from './toolCall';
import { callKey } from './waitingCalls';
import { focusIfActive } from '../../../components/focus';

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
      if (comesFromHere.current) goOnFrom(place);
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
function goOnFrom(place: HTMLElement | null): void {
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
              {l10n.t('Always Allow Here')}
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
