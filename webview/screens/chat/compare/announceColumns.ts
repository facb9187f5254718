import * as l10n from '@vscode/l10n';
import { effect } from '@preact/signals';
import { pageNumber } from '../../../components/pageLanguage';
import type { Chat } from '../chatContext';
import { isRunning } from '../conversation';
import { modelName } from '../modelNames';
import { endWords } from '../spoken';

/** Announces that models answer, and the end of each answer in one sentence, because several answers cannot be listened to at once. */
export function announceColumns({ session, announcer }: Chat): void {
  let before: readonly string[] = [];
  effect(() => {
    const columns = session.comparing.columns.value;
    const running = columns.filter((column) => isRunning(column.facts.value));
    const begun = running.filter(({ id }) => !before.includes(id));
    const ended = columns.filter((column) => before.includes(column.id) && !running.includes(column));
    before = running.map(({ id }) => id);
    const [first] = begun;
    if (first) {
      announcer.say(
        begun.length === 1
          ? l10n.t('{0} is answering.', first.facts.peek().model)
          : l10n.t('{0} models are answering.', pageNumber(begun.length)),
      );
    }
    for (const { facts } of ended) {
      const { model } = facts.peek();
      announcer.say(l10n.t('{0}: {1}', modelName(model), endWords(facts.peek())));
    }
  });
}
