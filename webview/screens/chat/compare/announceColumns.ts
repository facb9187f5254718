import { effect } from '@preact/signals';
import { fill } from '../../../components/fill';
import type { Chat } from '../chatContext';
import { isRunning } from '../conversation';
import { modelName } from '../modelNames';
import { endWords } from '../spoken';

/** Announces that models answer, and the end of each answer in one sentence, because several answers cannot be listened to at once. */
export function announceColumns({ session, strings, announcer }: Chat): void {
  let before: readonly string[] = [];
  effect(() => {
    const columns = session.comparing.columns.value;
    const running = columns.filter((column) => isRunning(column.facts.value));
    const begun = running.filter(({ id }) => !before.includes(id));
    const ended = columns.filter((column) => before.includes(column.id) && !running.includes(column));
    before = running.map(({ id }) => id);
    const [first] = begun;
    if (first) {
      const isOne = begun.length === 1;
      const what = isOne ? fill(strings.spokenAnswering, first.facts.peek().model) : strings.spokenComparing;
      announcer.say(fill(what, begun.length));
    }
    for (const { facts } of ended) {
      const { model } = facts.peek();
      announcer.say(fill(strings.spokenColumn, modelName(model), endWords(facts.peek(), strings)));
    }
  });
}
