import { setTimeout } from 'node:timers/promises';
import { createTurns } from '../../../core/async/turns';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import { isUserError } from '../../../platform/errors/userError';
import type { UserError } from '../../../platform/errors/userError';
import type { ChatEngine } from './chatEngine';

/** Remembers which conversation a location shows, for as long as the location exists. */
export interface ShownMemory {
  get(): string | undefined;
  set(id: string): PromiseLike<void>;
  /** What to show if there is none. Defaults to the most recently written conversation of any location. */
  readonly otherwise?: 'newest' | 'new';
  /** Whether another location shows it. */
  readonly isTaken?: (id: string) => boolean;
}

const askAgainMs = 100;

/** The conversation shown at one location. It is held open as long as it is shown. */
export class ShownConversation {
  private shown: Promise<Conversation> | undefined;
  private currentNow: Conversation | undefined;
  private elsewhereNow: UserError | undefined;
  private draftMovedFromNow: string | undefined;
  private readonly inTurn = createTurns();

  constructor(
    private readonly engine: ChatEngine,
    private readonly memory: ShownMemory,
  ) {}

  /** `undefined` until first requested. */
  get currentId(): string | undefined {
    return this.currentNow?.id;
  }

  /** `undefined` until first requested. */
  get conversation(): Conversation | undefined {
    return this.currentNow;
  }

  /** The error that another window has this location's previous conversation open, while its replacement is shown. */
  get elsewhere(): UserError | undefined {
    return this.elsewhereNow;
  }

  /** The conversation from which the draft moved along to this one. */
  get draftMovedFrom(): string | undefined {
    return this.draftMovedFromNow;
  }

  current(): Promise<Conversation> {
    this.shown ??= this.openFirst().catch((error: unknown) => {
      this.shown = undefined;
      throw error;
    });
    return this.shown;
  }

  /**
   * Shows a conversation. Returns `undefined`, and changes nothing, if it cannot be read here. `force` takes it over from another
   * window.
   */
  show(
    id: string,
    options?: { readonly force?: boolean; readonly draftMovedFrom?: string },
  ): Promise<Conversation | undefined> {
    // One after the other, because two at once would both release the previous one.
    return this.inTurn(() => this.showNow(id, options));
  }

  private async showNow(
    id: string,
    options?: { readonly force?: boolean; readonly draftMovedFrom?: string },
  ): Promise<Conversation | undefined> {
    const before = await this.current();
    if (before.id === id) return before;
    const next = await this.engine.pool.take(id, options);
    if (!next) return undefined;
    this.elsewhereNow = undefined;
    this.draftMovedFromNow = options?.draftMovedFrom;
    this.shown = this.turnTo(next);
    await this.shown;
    await this.engine.pool.release(before.id);
    return next;
  }

  async showNew(options?: { readonly draftMovedFrom: string }): Promise<Conversation> {
    const next = await this.show(this.engine.services.clock.newId(), options);
    if (!next) throw new Error('A new conversation could not be opened.');
    return next;
  }

  /** Releases the conversation. */
  async close(): Promise<void> {
    const conversation = await this.inTurn(async () => this.shown?.catch(() => undefined));
    this.shown = undefined;
    if (conversation) await this.engine.pool.release(conversation.id);
  }

  private async turnTo(conversation: Conversation): Promise<Conversation> {
    this.currentNow = conversation;
    await this.memory.set(conversation.id);
    return conversation;
  }

  private async takeFirst(id: string, patience: number): Promise<Conversation | undefined> {
    try {
      return await this.engine.pool.take(id);
    } catch (error) {
      if (!isUserError(error) || patience <= 0) throw error;
      await setTimeout(askAgainMs);
      return this.takeFirst(id, patience - askAgainMs);
    }
  }

  /** Opens the location's previous conversation, else the most recently written one, else a new one. Skips those shown elsewhere. */
  private async openFirst(): Promise<Conversation> {
    const { memory } = this;
    const { clock, storage, window } = this.engine.services;
    const newest = memory.otherwise === 'new' ? undefined : await storage.folder.newestId();
    for (const id of [memory.get(), newest]) {
      if (id === undefined || memory.isTaken?.(id)) continue;
      const isOwn = id === memory.get();
      const conversation = await this.takeFirst(id, isOwn ? clock.reopenMs : 0).catch((error: unknown) => {
        if (!isUserError(error)) window.onError(error);
        else if (isOwn) this.elsewhereNow = error;
      });
      if (conversation) return this.turnTo(conversation);
    }
    const fresh = await this.engine.pool.take(clock.newId());
    if (!fresh) throw new Error('A new conversation could not be opened.');
    return this.turnTo(fresh);
  }
}
