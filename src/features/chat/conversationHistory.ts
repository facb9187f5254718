import type { ConversationTrash } from '../../core/conversation/conversationTrash';
import type { ConversationIndex } from '../../core/conversation/conversationIndex';
import type { Leases } from '../../core/files/leases';
import type { ConversationRecord } from '../../core/conversation/record';
import type { ConversationList } from '../../protocol/chatConversations';
import type { ChatLocationKind } from '../../protocol/chatLocations';
import type { AnswerRuns } from './answerRuns';
import type { ChatSession } from './chatSession';
import type { ConversationPool } from './conversationPool';

/** The other places that show conversations. */
export interface OtherLocations {
  /** Where a conversation is shown, this place included. */
  kindWith(id: string): ChatLocationKind | undefined;
  /** Brings the other place that shows it to the front; false when none does. */
  reveal(id: string): Promise<boolean>;
  /** Lets another place that shows it show something else. */
  leave(id: string): Promise<void>;
  /** To be told when a conversation got another name. */
  changed(id: string): void;
}

export interface ConversationHistoryOptions {
  readonly session: Pick<ChatSession, 'shown' | 'openConversation'>;
  readonly pool: Pick<ConversationPool, 'use' | 'closed' | 'unsavedOf'>;
  readonly runs: Pick<AnswerRuns, 'isAnswering' | 'stopIn'>;
  readonly others: OtherLocations;
  readonly index: ConversationIndex;
  readonly trash: ConversationTrash;
  readonly leases: Pick<Leases, 'take' | 'elsewhere'>;
  /** How long ago that was, in words. */
  readonly age: (at: number) => string;
  /** The error of a conversation that is not there. */
  readonly gone: () => Error;
}

/** All conversations on this machine: found, named, pinned, put aside and had back. */
export class ConversationHistory {
  constructor(private readonly options: ConversationHistoryOptions) {}

  async list(query: string, signal: AbortSignal): Promise<ConversationList> {
    const { session, pool, runs, others, index, trash, leases, age } = this.options;
    await trash.clear();
    const entries = query.trim() === '' ? await index.list() : await index.search(query, signal);
    const [deleted, elsewhere] = await Promise.all([trash.last(), leases.elsewhere()]);
    return {
      conversations: entries.map(({ id, title, pinned, at, found }) => ({
        id,
        title,
        pinned,
        at,
        age: age(at),
        running: runs.isAnswering(id),
        ...(pool.unsavedOf(id) && { unsaved: true as const }),
        current: session.shown.currentId === id,
        ...placeOf(others.kindWith(id)),
        ...windowOf(elsewhere.get(id)),
        ...(found !== undefined && { found }),
      })),
      ...(deleted && { deleted }),
    };
  }

  /** Shows a conversation here, or where it is shown already. */
  async open(id: string): Promise<void> {
    const { session, others } = this.options;
    if (!(await others.reveal(id))) await session.openConversation(id);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.write(id, { kind: 'title', title: title.replace(/\s+/gu, ' ').trim() });
    this.options.others.changed(id);
  }

  pin(id: string, pinned: boolean): Promise<void> {
    return this.write(id, { kind: 'pinned', pinned });
  }

  /** Ends what is coming in it, and puts it aside. True when it was the one that is shown here: then another is. */
  async delete(id: string): Promise<boolean> {
    const { session, pool, runs, others, index, trash, leases } = this.options;
    const entries = await index.list();
    if (!entries.some((entry) => entry.id === id)) throw this.options.gone();
    // Throws where another window has it open.
    await pool.use(id, async () => undefined);
    await runs.stopIn(id);
    const wasShown = session.shown.currentId === id;
    const next = entries.find((entry) => entry.id !== id && others.kindWith(entry.id) === undefined);
    if (wasShown && next) await session.openConversation(next.id);
    else if (wasShown) await session.shown.showNew();
    await others.leave(id);
    await pool.closed(id);
    const lease = await leases.take(id);
    try {
      await trash.put(id);
    } finally {
      await lease.release();
    }
    return wasShown;
  }

  async restore(id: string): Promise<void> {
    if (!(await this.options.trash.restore(id))) throw this.options.gone();
  }

  private async write(id: string, record: ConversationRecord): Promise<void> {
    const { pool, gone } = this.options;
    const written = await pool.use(id, async (conversation) => {
      // An id that no file has would begin one.
      if (conversation.transcript.createdAt === undefined) throw gone();
      await conversation.record([record], { durable: true });
      return true;
    });
    if (!written) throw gone();
  }
}

function placeOf(location: ChatLocationKind | undefined): { readonly location?: ChatLocationKind } {
  return location === undefined ? {} : { location };
}

function windowOf(elsewhere: string | undefined): { readonly elsewhere?: string } {
  return elsewhere === undefined ? {} : { elsewhere };
}
