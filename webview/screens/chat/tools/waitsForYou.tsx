import { effect } from '@preact/signals';
import { fill } from '../../../components/fill';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';
import './toolCall.css';
import type { WaitingCall } from './waitingCalls';

/** Shown above the question box while the answer waits for the user, with a link to the call. */
export function WaitsForYou({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const waiting = session.tools.waiting.value;
  const [first] = waiting;
  if (!first) return null;
  return (
    <div class="waits" role="group" aria-label={strings.tools}>
      <Icon name="bell-dot" />
      <p class="waits-text">
        {waitsWords(chat, first, waiting.length)} <span class="waits-hint">{strings.waitsHint}</span>
      </p>
      <button type="button" class="link waits-go" onClick={goToFirst}>
        {strings.goToCall}
      </button>
    </div>
  );
}

function waitsWords({ strings }: Chat, { label, state }: WaitingCall, count: number): string {
  if (count > 1) return fill(strings.waitsMany, count);
  return fill(state === 'asking' ? strings.waitsAsking : strings.waitsResult, label);
}

/** Focuses the first waiting call: its first button, or the box for its result. */
function goToFirst(): void {
  const card = document.querySelector<HTMLElement>('.call-asking, .call-awaitingResult');
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector<HTMLElement>('.call-decision vscode-button, .call-decision textarea')?.focus();
}

/** Announces each call once when it starts to wait for the user. */
export function announceWaiting({ session, strings, announcer }: Chat): void {
  const said = new Set<string>();
  effect(() => {
    for (const { key, label, state } of session.tools.waiting.value) {
      if (said.has(key)) continue;
      said.add(key);
      const words = fill(state === 'asking' ? strings.spokenAsking : strings.spokenAwaiting, label);
      // Announced after the end of the answer, which the same change announces.
      queueMicrotask(() => queueMicrotask(() => announcer.say(words)));
    }
  });
}
