import type { ConversationRecord } from '../../../core/conversation/record';
import type { ConversationList } from '../../../protocol/chatConversations';
import type { ChatLocationKind } from '../../../protocol/chatLocations';
import type { ChatSession } from './chatSession';
import { conversationGone } from './chatMessages';

/** The other locations that show conversations. */
export interface OtherLocations {
  /** Returns where a conversation is shown, including this location. */
  kindWith(id: string): ChatLocationKind | undefined;
  /** Reveals the other location that shows the conversation; resolves to false if none does. */
  reveal(id: string): Promise<boolean>;
  /** Makes another location that shows the conversation show something else. */
  leave(id: string): Promise<void>;
  /** Must be called when a conversation was renamed. */
  changed(id: string): void;
}

/** All conversations on this machine: searched, renamed, pinned, deleted and restored. */
export class ConversationHistory {
  constructor(
    private readonly session: ChatSession,
    private readonly others: OtherLocations,
  ) {}

  async list(query: string, signal: AbortSignal): Promise<ConversationList> {
    const { session, others } = this;
    const { pool, answers, services } = session.engine;
    const { index, trash, leases } = services.storage;
    await trash.clear();
    const entries = query.trim() === '' ? await index.list() : await index.search(query, signal);
    const [deleted, elsewhere] = await Promise.all([trash.last(), leases.elsewhere()]);
    // Text typed here is in view. A draft at another location is listed, to go there.
    const listed = entries.filter(({ id, draft }) => draft !== true || id !== session.shown.currentId);
    return {
      conversations: listed.map(({ id, title, pinned, at, draft, found, model, account }) => ({
        id,
        title,
        pinned,
        at,
        age: services.window.age(at),
        ...(model !== undefined && { model }),
        ...accountNamed(account === undefined ? undefined : services.account.nameOf(account)),
        running: answers.isAnswering(id),
        ...(draft && { draft }),
        ...(pool.unsavedOf(id) && { unsaved: true as const }),
        current: session.shown.currentId === id,
        ...locationOf(others.kindWith(id)),
        ...windowOf(elsewhere.get(id)),
        ...(found !== undefined && { found }),
      })),
      ...(deleted && { deleted }),
    };
  }

  /** Shows a conversation here, or reveals the location that already shows it. */
  async open(id: string): Promise<void> {
    const { session, others } = this;
    if (!(await others.reveal(id))) await session.openConversation(id);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.write(id, { kind: 'title', title: title.replace(/\s+/gu, ' ').trim() });
    this.others.changed(id);
  }

  pin(id: string, pinned: boolean): Promise<void> {
    return this.write(id, { kind: 'pinned', pinned });
  }

  /** Stops its answers and moves it to the trash. Resolves to true if it was shown here; then another one is shown. */
  async delete(id: string): Promise<boolean> {
    const { session, others } = this;
    const { pool, answers, services } = session.engine;
    const { index, trash, leases } = services.storage;
    const entries = await index.list();
    if (!entries.some((entry) => entry.id === id)) throw conversationGone();
    // Throws if another window has it open.
    await pool.use(id, async () => undefined);
    await answers.stopIn(id);
    const wasShown = session.shown.currentId === id;
    const next = entries.find((entry) => !entry.draft && entry.id !== id && !others.kindWith(entry.id));
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
    const { storage } = this.session.engine.services;
    if (!(await storage.trash.restore(id))) throw conversationGone();
  }

  private async write(id: string, record: ConversationRecord): Promise<void> {
    const { pool } = this.session.engine;
    const written = await pool.use(id, async (conversation) => {
      // An unknown id would create a new file.
      const isDraft = conversation.attached.list.length > 0 || (await conversation.readDraft()) !== '';
      if (conversation.transcript.createdAt === undefined && !isDraft) {
        pool.forget(id);
        throw conversationGone();
      }
      await conversation.record([record], { durable: true });
      return true;
    });
    if (!written) throw conversationGone();
  }
}

function accountNamed(account: string | undefined): { readonly account?: string } {
  return account === undefined ? {} : { account };
}

function locationOf(location: ChatLocationKind | undefined): { readonly location?: ChatLocationKind } {
  return location === undefined ? {} : { location };
}

function windowOf(elsewhere: string | undefined): { readonly elsewhere?: string } {
  return elsewhere === undefined ? {} : { elsewhere };
}
