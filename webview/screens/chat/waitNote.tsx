import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerWait } from '../../../src/protocol/chat';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';
import { titled } from '../../../src/protocol/sentences';

export interface WaitNoteProps {
  readonly chat: Chat;
  readonly wait: AnswerWait;
  readonly onAct: (action: string) => void;
  /** Called when the wait is over. */
  readonly onOver: () => void;
  /** Whether another model can be asked instead. */
  readonly canSwitch?: boolean;
}

/** Shows what holds an answer up, with a countdown. The wait is announced once, its seconds are not. */
export function WaitNote({ chat, wait, onAct, onOver, canSwitch = true }: WaitNoteProps) {
  const { announcer, now } = chat;
  const left = useSignal(wait.until - now());
  useEffect(() => {
    announcer.say(titled(wait.title, l10n.t('Continuing in {0}', countdown(wait.until - now()))));
    const timer = setInterval(() => {
      left.value = wait.until - now();
      if (left.value <= 0) onOver();
    }, 1000);
    return () => clearInterval(timer);
    // A longer wait of the same answer counts as another wait.
  }, [wait.until]);

  return (
    <Note
      tone="warning"
      title={wait.title}
      detail={l10n.t('Continuing in {0}', countdown(left.value))}
      actions={[
        { id: 'stopWaiting', label: l10n.t('Stop Waiting') },
        ...(canSwitch ? [{ id: 'otherModel', label: l10n.t('Use Another Model…') }] : []),
      ]}
      onAct={onAct}
    />
  );
}

/** Shows that no part of an answer has arrived, and for how long: a local server may read a long prompt for minutes. */
export function WaitingForToken({ chat: { now }, since }: { readonly chat: Chat; readonly since: number | undefined }) {
  const passed = useSignal(0);
  useEffect(() => {
    if (since === undefined) return undefined;
    const tick = () => (passed.value = now() - since);
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <p class="facts waiting">
      <vscode-progress-ring aria-hidden="true" />
      {l10n.t('Waiting for first token…')}
      {passed.value >= shownFromMs && <span class="waiting-time">{elapsed(passed.value)}</span>}
    </p>
  );
}

/** Most answers begin earlier. */
const shownFromMs = 3000;

/** Formats time that has passed as minutes and seconds, `0:23`. */
export function elapsed(ms: number): string {
  return countdown(Math.floor(ms / 1000) * 1000);
}

/** Formats remaining time as minutes and seconds, `0:23`; a partial second counts as a whole one. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
