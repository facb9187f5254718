import type { Conversation } from '../../core/conversation/conversationFolder';
import { smallestMessageLimit } from '../../core/conversation/compaction';
import { compactForNext } from '../../core/conversation/requestMessages';
import type { TurnCompaction } from '../../core/conversation/requestMessages';
import type { Compaction } from '../../protocol/chat';

export interface ContextCompactionOptions {
  readonly conversation: () => Promise<Conversation>;
  /** Whether an answer is running in this conversation. */
  readonly isAnswering: (conversationId: string) => boolean;
  /** The user's limit of messages in one request; 0 for no limit. */
  readonly messageLimit: () => number;
  /** The error for a turn that is no longer in the conversation. */
  readonly noSuchTurn: () => Error;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Converts the setting to the most messages in one request; `undefined` for no limit. */
export function messageLimit(setting: number): number | undefined {
  return setting === 0 ? undefined : Math.max(setting, smallestMessageLimit);
}

/** What the next request sends of the conversation. */
export class ContextCompaction {
  constructor(private readonly options: ContextCompactionOptions) {}

  /** The most messages in one request; `undefined` for no limit. */
  get limit(): number | undefined {
    return messageLimit(this.options.messageLimit());
  }

  of(conversation: Conversation): Compaction {
    const { messages, folded } = this.next(conversation);
    const first = conversation.transcript.sentTurns()[0];
    return {
      limit: this.limit ?? 0,
      messages: messages.length,
      folded,
      ...(first === undefined || first.parent === null ? {} : { startTurnId: first.id }),
    };
  }

  async news(): Promise<{ readonly conversationId: string; readonly compaction: Compaction }> {
    const conversation = await this.options.conversation();
    return { conversationId: conversation.id, compaction: this.of(conversation) };
  }

  /** Returns the compacted turns as the next request sends them. */
  async text(): Promise<string> {
    return this.next(await this.options.conversation()).transcript;
  }

  /** Sends only turns from this one on in later requests, or all of them if null. Requests already sent are not affected. */
  async startFrom(turnId: string | null): Promise<Compaction> {
    const { conversation: open, noSuchTurn, now } = this.options;
    const conversation = await open();
    const isThere = conversation.transcript.turns().some(({ id }) => id === turnId);
    if (turnId !== null && !isThere) throw noSuchTurn();
    await conversation.record([{ kind: 'start', at: now(), turn: turnId }]);
    return this.of(conversation);
  }

  private next({ id, transcript }: Conversation): TurnCompaction {
    return compactForNext(transcript.sentTurns(), this.limit, { answering: this.options.isAnswering(id) });
  }
}
