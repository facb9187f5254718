import type { Conversation, ConversationFolder } from '../../core/conversation/conversationFolder';

export interface OpenConversationsOptions {
  readonly folder: Pick<ConversationFolder, 'open' | 'newestId'>;
  /** Which conversation this window shows; kept over a restart. */
  readonly currentId: { get(): string | undefined; set(id: string): PromiseLike<void> };
  readonly onTrouble: (error: unknown) => void;
  readonly newId: () => string;
}

/** The conversation a window shows, and those that are still open behind it because an answer comes in them. */
export class OpenConversations {
  private shown: Promise<Conversation> | undefined;
  private readonly open = new Map<string, Conversation>();
  /** How often each is held open. */
  private readonly held = new Map<string, number>();
  private currentIdNow: string | undefined;

  constructor(private readonly options: OpenConversationsOptions) {}

  get currentId(): string | undefined {
    return this.currentIdNow;
  }

  current(): Promise<Conversation> {
    this.shown ??= this.openFirst().catch((error: unknown) => {
      this.shown = undefined;
      throw error;
    });
    return this.shown;
  }

  /** Shows this one. `undefined`, and nothing changed, when it cannot be read here. */
  async show(id: string): Promise<Conversation | undefined> {
    const before = await this.current();
    if (before.id === id) return before;
    const next = await this.take(id);
    if (!next) return undefined;
    await this.hold(next, () => (this.shown = this.turnTo(next)));
    await this.release(before.id);
    return next;
  }

  async showNew(): Promise<Conversation> {
    const next = await this.show(this.options.newId());
    if (!next) throw new Error('A new conversation could not be opened.');
    return next;
  }

  /** Works with a conversation whether or not it is shown; its file stays open meanwhile. */
  async use<Result>(id: string, work: (conversation: Conversation) => Promise<Result>): Promise<Result | undefined> {
    const conversation = await this.take(id);
    if (!conversation) return undefined;
    return this.hold(conversation, () => work(conversation));
  }

  async hold<Result>(conversation: Conversation, work: () => Promise<Result>): Promise<Result> {
    const { id } = conversation;
    this.held.set(id, (this.held.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.held.get(id) ?? 1) - 1;
      if (left > 0) this.held.set(id, left);
      else this.held.delete(id);
      await this.release(id);
    }
  }

  async close(): Promise<void> {
    await this.shown?.catch(() => undefined);
    await Promise.all([...this.open.values()].map((conversation) => conversation.close()));
    this.open.clear();
  }

  private async take(id: string): Promise<Conversation | undefined> {
    const known = this.open.get(id);
    if (known) return known;
    const opened = await this.options.folder.open(id);
    // Someone may have asked for it meanwhile: one file is written by one hand.
    const first = this.open.get(id);
    if (first || !opened) {
      await opened?.close();
      return first;
    }
    this.open.set(id, opened);
    return opened;
  }

  private async turnTo(conversation: Conversation): Promise<Conversation> {
    this.currentIdNow = conversation.id;
    await this.options.currentId.set(conversation.id);
    return conversation;
  }

  private async release(id: string): Promise<void> {
    if (id === this.currentIdNow || this.held.has(id)) return;
    const conversation = this.open.get(id);
    this.open.delete(id);
    await conversation?.close();
  }

  /** The one this window showed, else the one written last anywhere, else a new one. */
  private async openFirst(): Promise<Conversation> {
    const { folder, currentId, onTrouble, newId } = this.options;
    for (const id of [currentId.get(), await folder.newestId()]) {
      if (id === undefined) continue;
      const conversation = await this.take(id).catch((error: unknown) => onTrouble(error));
      if (conversation) return this.turnTo(conversation);
    }
    const fresh = await this.take(newId());
    if (!fresh) throw new Error('A new conversation could not be opened.');
    return this.turnTo(fresh);
  }
}
