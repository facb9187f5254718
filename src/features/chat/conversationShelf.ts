import type { ConversationBin } from '../../core/conversation/conversationBin';
import type { ConversationIndex } from '../../core/conversation/conversationIndex';
import type { ConversationRecord } from '../../core/conversation/record';
import type { ConversationList } from '../../protocol/chat';
import type { ChatSession } from './chatSession';

export interface ConversationShelfOptions {
  readonly session: Pick<ChatSession, 'isRunningIn' | 'stopIn' | 'openConversation'> & {
    readonly open: Pick<ChatSession['open'], 'currentId' | 'use' | 'showNew'>;
  };
  readonly index: ConversationIndex;
  readonly bin: ConversationBin;
  /** How long ago that was, in words. */
  readonly age: (at: number) => string;
  /** The error of a conversation that is not there. */
  readonly gone: () => Error;
}

/** All conversations on this machine: found, named, pinned, put aside and had back. */
export class ConversationShelf {
  constructor(private readonly options: ConversationShelfOptions) {}

  async list(query: string, signal: AbortSignal): Promise<ConversationList> {
    const { session, index, bin, age } = this.options;
    await bin.clear();
    const entries = query.trim() === '' ? await index.list() : await index.search(query, signal);
    const deleted = await bin.last();
    return {
      conversations: entries.map(({ id, title, pinned, at, found }) => ({
        id,
        title,
        pinned,
        at,
        age: age(at),
        running: session.isRunningIn(id),
        current: session.open.currentId === id,
        ...(found !== undefined && { found }),
      })),
      ...(deleted && { deleted }),
    };
  }

  rename(id: string, title: string): Promise<void> {
    return this.write(id, { kind: 'title', title: title.replace(/\s+/gu, ' ').trim() });
  }

  pin(id: string, pinned: boolean): Promise<void> {
    return this.write(id, { kind: 'pinned', pinned });
  }

  /** Ends what is coming in it, and puts it aside. True when it was the one that is shown: then another is. */
  async delete(id: string): Promise<boolean> {
    const { session, index, bin } = this.options;
    const entries = await index.list();
    if (!entries.some((entry) => entry.id === id)) throw this.options.gone();
    await session.stopIn(id);
    const wasShown = session.open.currentId === id;
    const next = entries.find((entry) => entry.id !== id);
    if (wasShown && next) await session.openConversation(next.id);
    else if (wasShown) await session.open.showNew();
    await bin.put(id);
    return wasShown;
  }

  async restore(id: string): Promise<void> {
    if (!(await this.options.bin.restore(id))) throw this.options.gone();
  }

  private async write(id: string, record: ConversationRecord): Promise<void> {
    const { session, gone } = this.options;
    const written = await session.open.use(id, async (conversation) => {
      // An id that no file has would begin one.
      if (conversation.transcript.createdAt === undefined) throw gone();
      await conversation.record([record]);
      return true;
    });
    if (!written) throw gone();
  }
}
