import type { Conversation } from '../../core/conversation/conversationFolder';
import { compactForNext } from '../../core/conversation/requestMessages';
import type { TurnCompaction } from '../../core/conversation/requestMessages';
import type { Compaction } from '../../protocol/chat';
import type { ChatEngine } from './chatEngine';
import type { ShownConversation } from './shownConversation';

/** What the next request sends of the conversation. */
export class ContextCompaction {
  constructor(
    private readonly engine: ChatEngine,
    private readonly shown: ShownConversation,
  ) {}

  of(conversation: Conversation): Compaction {
    const { messages, folded } = this.next(conversation);
    const first = conversation.transcript.sentTurns()[0];
    return {
      limit: this.engine.messageLimit ?? 0,
      messages: messages.length,
      folded,
      ...(first === undefined || first.parent === null ? {} : { startTurnId: first.id }),
    };
  }

  async news(): Promise<{ readonly conversationId: string; readonly compaction: Compaction }> {
    const conversation = await this.shown.current();
    return { conversationId: conversation.id, compaction: this.of(conversation) };
  }

  /** Returns the compacted turns as the next request sends them. */
  async text(): Promise<string> {
    return this.next(await this.shown.current()).transcript;
  }

  /** Sends only turns from this one on in later requests, or all of them if null. Requests already sent are not affected. */
  async startFrom(turnId: string | null): Promise<Compaction> {
    const { words, now } = this.engine.options;
    const conversation = await this.shown.current();
    const isThere = conversation.transcript.turns().some(({ id }) => id === turnId);
    if (turnId !== null && !isThere) throw words.noSuchTurn();
    await conversation.record([{ kind: 'start', at: now(), turn: turnId }]);
    return this.of(conversation);
  }

  private next({ id, transcript }: Conversation): TurnCompaction {
    const { messageLimit, runs } = this.engine;
    return compactForNext(transcript.sentTurns(), messageLimit, { answering: runs.isAnswering(id) });
  }
}
