import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerWait } from '../../../src/protocol/chat';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import type { Chat } from './chatContext';
import { countdown } from './countdown';
import { titled } from '../../../src/protocol/sentences';

export interface WaitNoteProps {
  readonly chat: Chat;
  readonly turnId: string;
  readonly wait: AnswerWait;
  /** Called when the wait is over. */
  readonly onOver: () => void;
  /** Whether another model can be asked instead. */
  readonly canSwitch?: boolean;
}

/** Shows what holds an answer up, with a countdown. The wait is announced once, its seconds are not. */
export function WaitNote({ chat, turnId, wait, onOver, canSwitch = true }: WaitNoteProps) {
  const { session, strings, announcer, now } = chat;
  const left = useSignal(wait.until - now());
  useEffect(() => {
    announcer.say(titled(wait.title, fill(strings.goesOn, countdown(wait.until - now()))));
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
      detail={fill(strings.goesOn, countdown(left.value))}
      actions={[
        { id: 'stopWaiting', label: strings.stopWaiting },
        ...(canSwitch ? [{ id: 'otherModel', label: strings.otherModel }] : []),
      ]}
      onAct={(action) => void session.act(action, turnId)}
    />
  );
}
