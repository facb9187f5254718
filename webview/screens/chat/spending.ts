import * as l10n from '@vscode/l10n';
import { numberFormat } from '../../../src/protocol/formats';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Spent } from '../../../src/protocol/chat';
import { HostError } from '../../../src/protocol/caller';
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
  host.on('chat/budget', (reported) => (spent.value = reported));
  effect(() => {
    if (subject.value === undefined) return;
    host.call('chat/spent', {}).then(
      (reported) => (spent.value = reported),
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
export function spentWords({ conversation, today, budget }: Spent, locale: string): SpentWords | undefined {
  const number = numberFormat(locale);
  const countText = (tokens: number, { isEstimate }: Spent['today']) =>
    isEstimate ? l10n.t('about {0}', number.format(tokens)) : number.format(tokens);
  const here = conversation.inputTokens + conversation.outputTokens;
  const day = today.inputTokens + today.outputTokens;
  const most = budget.hard || budget.soft;
  if (here === 0 && day === 0) return undefined;
  const dayText =
    most > 0
      ? l10n.t('{0} of {1} today', countText(day, today), number.format(most))
      : l10n.t('{0} today', countText(day, today));
  const both = (count: Spent['today']) =>
    [countText(count.inputTokens, count), countText(count.outputTokens, count)] as const;
  return {
    short: l10n.t(
      'Tokens: {0}',
      [...(here > 0 ? [l10n.t('{0} here', countText(here, conversation))] : []), dayText].join(' · '),
    ),
    full: [
      l10n.t('Token usage reported by the service. "about" marks estimates.'),
      l10n.t('This conversation: {0} in, {1} out', ...both(conversation)),
      l10n.t('Today, all chats with this account: {0} in, {1} out', ...both(today)),
      ...(budget.soft > 0 ? [l10n.t('Daily warning: {0}', number.format(budget.soft))] : []),
      ...(budget.hard > 0 ? [l10n.t('Daily limit: {0}', number.format(budget.hard))] : []),
    ].join('\n'),
  };
}
