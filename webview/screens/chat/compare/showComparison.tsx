import { fill } from '../../../components/fill';
import { IconButton } from '../../../components/iconButton';
import type { Chat } from '../chatContext';
import type { TurnView } from '../conversation';

/** Shows all compared answers again, for an answer that was picked among them. */
export function ShowComparison({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  const { session, strings } = chat;
  const { comparison } = turn;
  if (!comparison || session.running.value) return null;
  const label = fill(strings.showComparison, comparison.count);
  const show = async () => {
    await session.comparing.showAgain(turn.id);
    if (session.trouble.peek()) return;
    document.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn.id)}"]`)?.focus();
    chat.announcer.say(fill(strings.comparedAnswers, comparison.count));
  };
  return <IconButton icon="split-horizontal" label={label} onClick={() => void show()} />;
}
