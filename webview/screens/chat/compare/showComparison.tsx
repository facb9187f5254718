import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { IconButton } from '../../../components/iconButton';
import type { Chat } from '../chatContext';
import type { TurnView } from '../conversation';
import { focusIfActive } from '../../../components/focus';

/** Shows all compared answers again, for an answer that was picked among them. */
export function ShowComparison({ chat, turn }: { readonly chat: Chat; readonly turn: TurnView }) {
  const { session } = chat;
  const { comparison } = turn;
  if (!comparison || session.running.value) return null;
  const label = l10n.t('Show All {0} Responses', pageNumber(comparison.count));
  const show = async () => {
    await session.comparing.showAgain(turn.id);
    if (session.error.peek()) return;
    focusIfActive(document.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn.id)}"]`));
    chat.announcer.say(l10n.t('Responses from {0} models', pageNumber(comparison.count)));
  };
  return <IconButton icon="split-horizontal" label={label} onClick={() => void show()} />;
}
