import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { plainCode } from '../../markdown/codeBlocks';
import { type AnswerFacts, endedAtLimit } from './facts';
import { effect } from '@preact/signals';
import type { Chat } from './chatContext';
import { isRunning } from './conversation';
import { modelName } from './modelNames';

/** Returns a settled block as text for screen readers: prose in full, code and tables as a description. */
export function spoken(block: Element): string {
  if (block.matches('.md-code')) {
    const language = block.querySelector('.md-code-lang')?.textContent || plainCode();
    const lines = (block.querySelector('code')?.textContent ?? '').trimEnd().split('\n').length;
    return l10n.t('Code, {0}, lines: {1}.', language, pageNumber(lines));
  }
  if (block.matches('.md-table'))
    return l10n.t('Table, rows: {0}.', pageNumber(block.querySelectorAll('tbody tr').length));
  const text = block.cloneNode(true) as Element;
  // The source of a drawn formula is in the text, too.
  for (const formula of text.querySelectorAll('math')) formula.remove();
  return (text.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns how an answer ended, as a sentence. */
export function endWords(answer: AnswerFacts): string {
  const { state, error, stopReason, unreadCall } = answer;
  if (endedAtLimit(answer)) return l10n.t('Response incomplete. Token limit reached.');
  if (state === 'done' && stopReason === 'refusal') return l10n.t('The model declined to answer.');
  if (state === 'done' && stopReason === 'pause_turn') return l10n.t('Response paused.');
  if (state === 'done' && unreadCall) return l10n.t('The model sent a tool call as text.');
  if (state === 'done' && stopReason === 'tool_use') return l10n.t('The model requested a tool call.');
  if (state === 'done') return l10n.t('Response complete.');
  return state === 'failed' ? l10n.t('No response: {0}', error?.title ?? '') : l10n.t('Response stopped.');
}

/** Announces that models answer, and the end of each answer in one sentence, because several answers cannot be listened to at once. */
export function announceColumns({ session, announcer }: Chat): void {
  let before: readonly string[] = [];
  effect(() => {
    const columns = session.comparing.columns.value;
    const running = columns.filter((column) => isRunning(column.facts.value));
    const started = running.filter(({ id }) => !before.includes(id));
    const ended = columns.filter((column) => before.includes(column.id) && !running.includes(column));
    before = running.map(({ id }) => id);
    const [first] = started;
    if (first) {
      announcer.say(
        started.length === 1
          ? l10n.t('{0} is answering.', first.facts.peek().model)
          : l10n.t('{0} models are answering.', pageNumber(started.length)),
      );
    }
    for (const { facts } of ended) {
      const { model } = facts.peek();
      announcer.say(l10n.t('{0}: {1}', modelName(model), endWords(facts.peek())));
    }
  });
}
