import { setTimeout } from 'node:timers/promises';
import type { Conversation, ConversationFolder } from '../../core/conversation/conversationFolder';
import { isUserError } from '../../platform/errors/userError';
import type { UserError } from '../../platform/errors/userError';
import type { ConversationPool } from './conversationPool';

/** Which conversation a place shows; kept as long as the place is. */
export interface ShownMemory {
  get(): string | undefined;
  set(id: string): PromiseLike<void>;
  /** What is shown for want of one: by default the conversation written last anywhere. */
  readonly otherwise?: 'newest' | 'new';
  /** Whether another place shows it. */
  readonly isTaken?: (id: string) => boolean;
}

export interface ShownConversationOptions {
  readonly pool: ConversationPool;
  readonly folder: Pick<ConversationFolder, 'newestId'>;
  readonly memory: ShownMemory;
  readonly onTrouble: (error: unknown) => void;
  readonly newId: () => string;
  readonly reopenMs: number;
}

const askAgainMs = 100;

/** The conversation that one place shows. It is held open as long as it is shown. */
export class ShownConversation {
  private shown: Promise<Conversation> | undefined;
  private currentNow: Conversation | undefined;
  private elsewhereNow: UserError | undefined;

  constructor(private readonly options: ShownConversationOptions) {}

  /** `undefined` until it was first asked for. */
  get currentId(): string | undefined {
    return this.currentNow?.id;
  }

  /** `undefined` until it was first asked for. */
  get conversation(): Conversation | undefined {
    return this.currentNow;
  }

  /** That another window has open what this place showed before, as long as what it shows instead is shown. */
  get elsewhere(): UserError | undefined {
    return this.elsewhereNow;
  }

  current(): Promise<Conversation> {
    this.shown ??= this.openFirst().catch((error: unknown) => {
      this.shown = undefined;
      throw error;
    });
    return this.shown;
  }

  /** Shows this one. `undefined`, and nothing changed, when it cannot be read here; `force`: also one another window has open. */
  async show(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined> {
    const before = await this.current();
    if (before.id === id) return before;
    const next = await this.options.pool.take(id, options);
    if (!next) return undefined;
    this.elsewhereNow = undefined;
    this.shown = this.turnTo(next);
    await this.shown;
    await this.options.pool.release(before.id);
    return next;
  }

  async showNew(): Promise<Conversation> {
    const next = await this.show(this.options.newId());
    if (!next) throw new Error('A new conversation could not be opened.');
    return next;
  }

  /** Lets go of the conversation. */
  async close(): Promise<void> {
    const conversation = await this.shown?.catch(() => undefined);
    this.shown = undefined;
    if (conversation) await this.options.pool.release(conversation.id);
  }

  private async turnTo(conversation: Conversation): Promise<Conversation> {
    this.currentNow = conversation;
    await this.options.memory.set(conversation.id);
    return conversation;
  }

  private async takeFirst(id: string, patience: number): Promise<Conversation | undefined> {
    try {
      return await this.options.pool.take(id);
    } catch (error) {
      if (!isUserError(error) || patience <= 0) throw error;
      await setTimeout(askAgainMs);
      return this.takeFirst(id, patience - askAgainMs);
    }
  }

  /** The one this place showed, else the one written last anywhere, else a new one. None that another place shows. */
  private async openFirst(): Promise<Conversation> {
    const { pool, folder, memory, onTrouble, newId, reopenMs } = this.options;
    const newest = memory.otherwise === 'new' ? undefined : await folder.newestId();
    for (const id of [memory.get(), newest]) {
      if (id === undefined || memory.isTaken?.(id)) continue;
      const isOwn = id === memory.get();
      const conversation = await this.takeFirst(id, isOwn ? reopenMs : 0).catch((error: unknown) => {
        if (!isUserError(error)) onTrouble(error);
        else if (isOwn) this.elsewhereNow = error;
      });
      if (conversation) return this.turnTo(conversation);
    }
    const fresh = await pool.take(newId());
    if (!fresh) throw new Error('A new conversation could not be opened.');
    return this.turnTo(fresh);
  }
}
