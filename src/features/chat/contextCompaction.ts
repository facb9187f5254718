import type { Conversation } from '../../core/conversation/conversationFolder';
import { smallestMessageLimit } from '../../core/conversation/compaction';
import { compactForNext } from '../../core/conversation/requestMessages';
import type { TurnCompaction } from '../../core/conversation/requestMessages';
import type { Compaction } from '../../protocol/chat';

export interface ContextCompactionOptions {
  readonly conversation: () => Promise<Conversation>;
  /** Whether the last turn's answer is still coming in this conversation. */
  readonly isAnswering: (conversationId: string) => boolean;
  /** The most messages of one request, as the person set it; 0: no limit. */
  readonly messageLimit: () => number;
  /** A turn that is not in the conversation any more. */
  readonly noSuchTurn: () => Error;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The most messages of one request as a setting says it, `undefined` for any number. */
export function messageLimit(setting: number): number | undefined {
  return setting === 0 ? undefined : Math.max(setting, smallestMessageLimit);
}

/** What the next request sends of the conversation. */
export class ContextCompaction {
  constructor(private readonly options: ContextCompactionOptions) {}

  /** The most messages of one request; `undefined`: any number. */
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

  /** The folded turns as the next request sends them. */
  async text(): Promise<string> {
    return this.next(await this.options.conversation()).transcript;
  }

  /** Later requests send only turns from this one on, or all again. What was asked already goes on as it was sent. */
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
