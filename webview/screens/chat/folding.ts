import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Folding } from '../../../src/protocol/chat';
import type { TurnView } from './conversation';
import type { ChatHost } from './chatHost';

/** What the next request sends of the conversation. */
export interface FoldingView {
  /** `undefined` until the host has answered for the first time. */
  readonly now: ReadonlySignal<Folding | undefined>;
  show(folding: Folding): void;
  /** The folded turns as they are sent; `undefined` when the host failed. */
  loadText(): Promise<string | undefined>;
  /** Sends only turns from this one on, or all again. */
  startFrom(turnId: string | null): Promise<void>;
}

export interface FoldingOptions {
  readonly host: ChatHost;
  readonly conversationId: () => string | undefined;
  readonly attempt: <Result>(work: Promise<Result>) => Promise<Result | undefined>;
}

export function createFolding({ host, conversationId, attempt }: FoldingOptions): FoldingView {
  const now: Signal<Folding | undefined> = signal(undefined);
  host.on('chat/folding', (news) => {
    if (news.conversationId === conversationId()) now.value = news.folding;
  });
  return {
    now,
    show: (folding) => void (now.value = folding),
    loadText: async () => (await attempt(host.call('chat/foldedText', {})))?.text,
    async startFrom(turnId) {
      const result = await attempt(host.call('chat/startFrom', { turnId }));
      if (result) now.value = result.folding;
    },
  };
}

/** Where turns change from not sent to folded to sent, as indexes into the turns. */
export interface SentTurns {
  readonly start: number;
  readonly kept: number;
}

export function sentTurns(turns: readonly Pick<TurnView, 'id'>[], folding: Folding | undefined): SentTurns {
  const start = Math.max(
    0,
    turns.findIndex(({ id }) => id === folding?.startTurnId),
  );
  return { start, kept: start + (folding?.folded ?? 0) };
}
