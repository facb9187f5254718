import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { HostError } from '../../../../src/protocol/caller';
import type { ComparisonPrice as Price } from '../../../../src/protocol/chatCompare';
import type { Chat } from '../chatContext';

/** The draft reaches the host a moment after it was typed. */
const settledMs = 800;

/** What the question in the box costs if it goes to all these models; the tooltip names the price of each. */
export function ComparisonPrice({ chat, models }: { readonly chat: Chat; readonly models: readonly string[] }) {
  const { session } = chat;
  const price = useSignal<Price | undefined>(undefined);
  const draft = session.draft.text.value;
  const subject = JSON.stringify([models, draft]);
  useEffect(() => {
    let isCurrent = true;
    const load = () =>
      session.host.call('chat/price', { models }).then(
        (reported) => isCurrent && (price.value = reported.price),
        (error: unknown) => {
          // The price is missing then; other effects of the error are shown where they occur.
          if (!(error instanceof HostError)) throw error;
        },
      );
    const timer = setTimeout(() => void load(), settledMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [subject]);
  if (!price.value) return null;
  const { total, each } = price.value;
  const title = [...each.map(({ model, text }) => `${model}: ${text}`), total.hint].join('\n');
  return (
    <span class="comparison-price" title={title}>
      {total.text}
    </span>
  );
}
