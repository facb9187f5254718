import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { effect } from '@preact/signals';
import { Icon } from '../../../components/icon';
import type { Chat } from '../chatContext';
import './toolCall.css';
import type { WaitingCall } from './waitingCalls';

/** Shown above the question box while the answer waits for the user, with a link to the call. */
export function WaitsForYou({ chat }: { readonly chat: Chat }) {
  const { session } = chat;
  const waiting = session.tools.waiting.value;
  const [first] = waiting;
  if (!first) return null;
  return (
    <div class="waits" role="group" aria-label={l10n.t('Tools')}>
      <Icon name="bell-dot" />
      <p class="waits-text">
        {waitsWords(first, waiting.length)}{' '}
        <span class="waits-hint">{l10n.t('Sending another message skips pending calls.')}</span>
      </p>
      <button type="button" class="link waits-go" onClick={goToFirst}>
        {l10n.t('Show Tool Call')}
      </button>
    </div>
  );
}

function waitsWords({ label, state }: WaitingCall, count: number): string {
  if (count > 1) return l10n.t('{0} tool calls need your decision.', pageNumber(count));
  return state === 'asking' ? l10n.t('{0} wants to run.', label) : l10n.t('{0} needs a result from you.', label);
}

/** Focuses the first waiting call: its first button, or the box for its result. */
function goToFirst(): void {
  const card = document.querySelector<HTMLElement>('.call-asking, .call-awaitingResult');
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector<HTMLElement>('.call-decision vscode-button, .call-decision textarea')?.focus();
}

/** Announces each call once when it starts to wait for the user. */
export function announceWaiting({ session, announcer }: Chat): void {
  const announced = new Set<string>();
  effect(() => {
    for (const { key, label, state } of session.tools.waiting.value) {
      if (announced.has(key)) continue;
      announced.add(key);
      const words =
        state === 'asking' ? l10n.t('{0} wants to run.', label) : l10n.t('{0} needs a result from you.', label);
      // Announced after the end of the answer, which the same change announces.
      queueMicrotask(() => queueMicrotask(() => announcer.say(words)));
    }
  });
}
