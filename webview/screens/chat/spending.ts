import * as l10n from '@vscode/l10n';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AttachmentChip, Compaction, Spent, TokenCount } from '../../../src/protocol/chat';
import { HostError } from '../../../src/protocol/caller';
import { pageNumber } from '../../components/pageLanguage';
import type { ChatHost } from './chatHost';
import type { TurnView } from './conversation';

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
        // The figures are missing then. Other effects of the error are shown where they occur.
        if (!(error instanceof HostError)) throw error;
      },
    );
  });
  return spent;
}

/** One figure with its name. */
export interface UseLine {
  readonly label: string;
  readonly value: string;
  /** Its part of the context bar, which has a separate color. */
  readonly part?: { readonly name: 'conversation' | 'attachments'; readonly share: number };
}

interface Used {
  readonly lines: readonly UseLine[];
  /** From 0, and more than 1 if the limit is exceeded. 0 without a known limit. */
  readonly share: number;
}

/** Returns the usage of the conversation and of the day, and the share of the daily limit, or else of the daily warning. */
export function spentLines({ conversation, today, budget }: Spent): Used {
  const total = ({ inputTokens, outputTokens, isEstimate }: TokenCount) => {
    const count = pageNumber(inputTokens + outputTokens);
    return isEstimate ? l10n.t('about {0}', count) : count;
  };
  const limit = budget.hard || budget.soft;
  const day =
    limit > 0 ? l10n.t('{0} of {1} tokens', total(today), pageNumber(limit)) : l10n.t('{0} tokens', total(today));
  return {
    lines: [
      { label: l10n.t('This conversation'), value: l10n.t('{0} tokens', total(conversation)) },
      { label: l10n.t('Today'), value: day },
    ],
    share: limit > 0 ? (today.inputTokens + today.outputTokens) / limit : 0,
  };
}

/**
 * Returns how much of the context window the next request uses: what the last response was counted with, and the attachments. The
 * question being typed is too short to count.
 */
export function contextUse({
  turns,
  chips,
  contextTokens,
  compaction,
}: {
  readonly turns: readonly Pick<TurnView, 'facts'>[];
  readonly chips: readonly AttachmentChip[];
  readonly contextTokens: number | undefined;
  readonly compaction: Compaction | undefined;
}): Used & { readonly title: string } {
  const usage = turns.findLast(({ facts }) => facts.value.usage?.inputTokens !== undefined)?.facts.value.usage;
  const before = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  const attached = chips.reduce((sum, { tokens }) => sum + tokens, 0);
  const used = before + attached;
  const share = contextTokens === undefined ? 0 : used / contextTokens;
  const part = (name: 'conversation' | 'attachments', tokens: number) =>
    contextTokens === undefined ? {} : { part: { name, share: Math.min(1, tokens / contextTokens) } };
  const lines: UseLine[] = [
    { label: l10n.t('Last request and response'), value: pageNumber(before), ...part('conversation', before) },
  ];
  if (attached > 0)
    lines.push({
      label: l10n.t('Attachments'),
      value: l10n.t('about {0}', pageNumber(attached)),
      ...part('attachments', attached),
    });
  if (compaction && compaction.limit > 0 && turns.length > 0) {
    const { messages, limit, compacted } = compaction;
    lines.push({ label: l10n.t('Messages'), value: l10n.t('{0} of {1}', pageNumber(messages), pageNumber(limit)) });
    if (compacted > 0) lines.push({ label: l10n.t('Sent as a transcript'), value: turnCount(compacted) });
  }
  const title =
    contextTokens === undefined
      ? l10n.t('Context tokens: {0}', pageNumber(used))
      : l10n.t('Context tokens: {0} of {1} ({2}%)', pageNumber(used), pageNumber(contextTokens), percent(share));
  return { title, lines, share };
}

const percent = (share: number): string => pageNumber(Math.round(share * 100));

const turnCount = (turns: number): string => (turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', pageNumber(turns)));
