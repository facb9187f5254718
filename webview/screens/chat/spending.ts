import { numberFormat } from '../../../src/protocol/formats';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Spent } from '../../../src/protocol/chat';
import type { ChatStrings } from '../../../src/protocol/chatStrings';
import { HostError } from '../../../src/protocol/caller';
import { fill } from '../../components/fill';
import type { ChatHost } from './chatHost';

/**
 * Fetches the usage of this conversation and this day. `subject` identifies whose usage to show and at which point; the figures are
 * fetched again whenever it changes.
 */
export function createSpending(
  host: ChatHost,
  subject: ReadonlySignal<string | undefined>,
): ReadonlySignal<Spent | undefined> {
  const spent = signal<Spent | undefined>(undefined);
  host.on('chat/budget', (told) => (spent.value = told));
  effect(() => {
    if (subject.value === undefined) return;
    host.call('chat/spent', {}).then(
      (told) => (spent.value = told),
      (error: unknown) => {
        // The figures are missing then; other effects of the error are shown where they occur.
        if (!(error instanceof HostError)) throw error;
      },
    );
  });
  return spent;
}

export interface SpentWords {
  readonly short: string;
  readonly full: string;
}

/** Returns the line below the question box; `undefined` while nothing has been used. */
export function spentWords(
  { conversation, today, budget }: Spent,
  strings: ChatStrings,
  locale: string,
): SpentWords | undefined {
  const number = numberFormat(locale);
  const said = (tokens: number, { isEstimate }: Spent['today']) =>
    isEstimate ? fill(strings.about, number.format(tokens)) : number.format(tokens);
  const here = conversation.inputTokens + conversation.outputTokens;
  const day = today.inputTokens + today.outputTokens;
  const most = budget.hard || budget.soft;
  if (here === 0 && day === 0) return undefined;
  const dayText =
    most > 0
      ? fill(strings.spentTodayOf, said(day, today), number.format(most))
      : fill(strings.spentToday, said(day, today));
  const detail = (text: string, count: Spent['today']) =>
    fill(text, said(count.inputTokens, count), said(count.outputTokens, count));
  return {
    short: fill(
      strings.spentLine,
      [...(here > 0 ? [fill(strings.spentHere, said(here, conversation))] : []), dayText].join(' · '),
    ),
    full: [
      strings.spentTitle,
      detail(strings.spentHereDetail, conversation),
      detail(strings.spentTodayDetail, today),
      ...(budget.soft > 0 ? [fill(strings.budgetSoft, number.format(budget.soft))] : []),
      ...(budget.hard > 0 ? [fill(strings.budgetHard, number.format(budget.hard))] : []),
    ].join('\n'),
  };
}
