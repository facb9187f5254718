import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat } from './chatContext';
import type { TurnView } from './conversation';

/** Edits a question in its place. Enter sends it, Escape discards the changes. */
export function QuestionEditor({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
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
    session.branches.editing.value = undefined;
    requestAnimationFrame(() => article?.querySelector<HTMLElement>('.question-actions button')?.focus());
  };
  const send = async () => {
    const isSent = await session.branches.send(turn.id, text.peek());
    if (isSent) document.querySelector<HTMLElement>('.composer-text')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
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
        aria-label={l10n.t('Edit question')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="question-editor-hint">{l10n.t('Sends it on a branch of its own; what is here is kept.')}</p>
      <div class="question-editor-buttons">
        <vscode-button appearance="primary" disabled={text.value.trim() === ''} onClick={() => void send()}>
          {l10n.t('Send')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={cancel}>
          {l10n.t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}
