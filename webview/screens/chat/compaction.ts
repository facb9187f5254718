import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Compaction } from '../../../src/protocol/chat';
import type { TurnView } from './conversation';
import type { ChatSession } from './session';

/** Which turns the next request sends, and how. */
export interface CompactionView {
  /** `undefined` until the host's first response. */
  readonly now: ReadonlySignal<Compaction | undefined>;
  show(compaction: Compaction): void;
  /** Resolves with the compacted turns as they are sent; `undefined` if the host failed. */
  loadText(): Promise<string | undefined>;
  /** Sends only turns from this one on; `null` sends all again. */
  startFrom(turnId: string | null): Promise<void>;
}

export function createCompaction({ host, page, attempt }: ChatSession): CompactionView {
  const now: Signal<Compaction | undefined> = signal(undefined);
  host.on('chat/compaction', (change) => {
    if (change.conversationId === page.peek()?.conversationId) now.value = change.compaction;
  });
  return {
    now,
    show: (compaction) => void (now.value = compaction),
    loadText: async () => (await attempt(host.call('chat/compactedText', {})))?.text,
    async startFrom(turnId) {
      const result = await attempt(host.call('chat/startFrom', { turnId }));
      if (result) now.value = result.compaction;
    },
  };
}

/** Indexes into the turns: `start` is the first one sent, `uncompacted` the first one sent as it is. */
export interface SentTurns {
  readonly start: number;
  readonly uncompacted: number;
}

export function sentTurns(turns: readonly TurnView[], compaction: Compaction | undefined): SentTurns {
  const start = Math.max(
    0,
    turns.findIndex(({ id }) => id === compaction?.startTurnId),
  );
  return { start, uncompacted: start + (compaction?.compacted ?? 0) };
}
