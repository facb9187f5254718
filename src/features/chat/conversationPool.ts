import type { Conversation, ConversationFolder, Unsaved } from '../../core/conversation/conversationFolder';
import { HeldElsewhere } from '../../core/files/leases';
import type { Disposable } from '../../platform/disposables';

interface Held {
  readonly opening: Promise<Conversation | undefined>;
  /** Once it is open. */
  conversation?: Conversation | undefined;
  /** How often it is held. */
  holders: number;
  /** Resolves when nobody holds it any more. */
  readonly left: Promise<void>;
  readonly leave: () => void;
}

/** The conversations that are open in this window, each once: one file is written by one hand. */
export class ConversationPool {
  /** Also those that nobody holds, and that stay open because the disk did not take all of them. */
  private readonly held = new Map<string, Held>();
  private readonly listeners = new Set<(id: string) => void>();
  /** Those that are being closed. */
  private readonly closing = new Map<string, Promise<void>>();

  /** `openElsewhere` words that another window has a conversation open. */
  constructor(
    private readonly folder: Pick<ConversationFolder, 'open'>,
    private readonly openElsewhere: (id: string, where: string) => Error,
  ) {}

  /**
   * Holds it open until it is released as often as it was taken. `undefined`, and not held, when it cannot be read here. With
   * `force` it is taken over from another window, which else makes this throw.
   */
  async take(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined> {
    const held = this.held.get(id) ?? newHeld(this.open(id, options));
    this.held.set(id, held);
    held.holders++;
    try {
      const conversation = (held.conversation = await held.opening);
      if (!conversation) await this.release(id);
      return conversation;
    } catch (error) {
      await this.release(id);
      throw error;
    }
  }

  /** What the disk did not take stays open with its conversation, until it does. */
  async release(id: string): Promise<void> {
    const held = this.held.get(id);
    if (!held || --held.holders > 0) return;
    const { conversation } = held;
    if (!conversation?.unsaved) return this.drop(id, held);
    await conversation.record([]);
    if (!conversation.unsaved && held.holders === 0) await this.drop(id, held);
  }

  /** What of an open conversation is in memory only. */
  unsavedOf(id: string): Unsaved | undefined {
    return this.held.get(id)?.conversation?.unsaved;
  }

  /** Told the conversation of which the disk began to refuse something, refused it again, or took all. */
  onDidChangeUnsaved(listener: (id: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  private async drop(id: string, held: Held): Promise<void> {
    if (this.held.get(id) !== held) return this.closing.get(id);
    this.held.delete(id);
    const closed = held.opening
      .then((conversation) => conversation?.close())
      .catch(() => {})
      .finally(() => this.closing.get(id) === closed && this.closing.delete(id));
    this.closing.set(id, closed);
    held.leave();
    await closed;
  }

  /** Resolves when this window has it open no more: whoever holds it still is waited for. What is unsaved is given up. */
  async closed(id: string): Promise<void> {
    for (let held = this.held.get(id); held; held = this.held.get(id))
      await (held.holders === 0 ? this.drop(id, held) : held.left);
    await this.closing.get(id);
  }

  /** Works with a conversation, which stays open meanwhile. `undefined` when it cannot be read here. */
  async use<Result>(id: string, work: (conversation: Conversation) => Promise<Result>): Promise<Result | undefined> {
    const conversation = await this.take(id);
    if (!conversation) return undefined;
    try {
      return await work(conversation);
    } finally {
      await this.release(id);
    }
  }

  /** Closes all of them, however often they are held. */
  async close(): Promise<void> {
    for (const [id, held] of this.held) void this.drop(id, held);
    await Promise.all(this.closing.values());
  }

  private async open(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined> {
    await this.closing.get(id);
    const conversation = await this.folder.open(id, options).catch((error: unknown) => {
      throw error instanceof HeldElsewhere ? this.openElsewhere(id, error.where) : error;
    });
    conversation?.onDidChangeUnsaved(() => this.onUnsaved(conversation));
    return conversation;
  }

  private onUnsaved({ id, unsaved }: Conversation): void {
    const held = this.held.get(id);
    if (held?.holders === 0 && !unsaved) void this.drop(id, held);
    for (const listener of this.listeners) listener(id);
  }
}

function newHeld(opening: Held['opening']): Held {
  let leave = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  return { opening, holders: 0, left, leave };
}
