import type { Conversation, ConversationFolder, Unsaved } from '../../../core/conversation/conversationFolder';
import { HeldElsewhere } from '../../../core/storage/leases';
import type { Disposable } from '../../../platform/disposables';
import { openElsewhere } from './chatMessages';

interface Held {
  readonly opening: Promise<Conversation | undefined>;
  /** Set once it is open. */
  conversation?: Conversation | undefined;
  /** How often it is taken. */
  holders: number;
  /** Resolves once it has no holder any more. */
  readonly left: Promise<void>;
  readonly leave: () => void;
}

/** The open conversations of this window, each opened once, so that each file has a single writer. */
export class ConversationPool {
  /** Includes conversations that nobody holds but that stay open because they could not be saved completely. */
  private readonly held = new Map<string, Held>();
  private readonly listeners = new Set<(id: string) => void>();
  /** The ids of all that this window has had open, without those it deleted. */
  private readonly known = new Set<string>();
  /** The conversations that are being closed. */
  private readonly closing = new Map<string, Promise<void>>();
  private isClosed = false;

  constructor(private readonly folder: ConversationFolder) {}

  /**
   * Opens a conversation and holds it until it is released as often as it was taken. Returns `undefined`, and doesn't hold it, if it can't
   * be read here. Throws if another window has it open, unless `force` takes it over, and once the pool is closed.
   */
  async take(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined> {
    // Pending work of a closing window must not keep a conversation from the next one.
    if (this.isClosed) throw new Error('The conversations of this window are closed.');
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

  /** Releases a conversation. It stays open as long as it has unsaved content. */
  async release(id: string): Promise<void> {
    const held = this.held.get(id);
    if (!held || --held.holders > 0) return;
    const { conversation } = held;
    if (!conversation?.unsaved) return this.drop(id, held);
    await conversation.record([]);
    if (!conversation.unsaved && held.holders === 0) await this.drop(id, held);
  }

  /** Whether this window has had it open and did not delete it. */
  isKnown(id: string): boolean {
    return this.known.has(id);
  }

  isOpen(id: string): boolean {
    return this.held.has(id);
  }

  /** Returns what is only in memory of an open conversation. */
  unsavedOf(id: string): Unsaved | undefined {
    return this.held.get(id)?.conversation?.unsaved;
  }

  /** Calls the listener with the id when the disk begins to refuse writes, refuses them again, or has accepted all. */
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

  /** Removes a conversation that was opened only to find out that it is gone. */
  forget(id: string): void {
    this.known.delete(id);
  }

  /** Call it before deletion. Resolves once no holder has it open any more. Unsaved content is discarded. */
  async closed(id: string): Promise<void> {
    this.known.delete(id);
    for (let held = this.held.get(id); held; held = this.held.get(id))
      await (held.holders === 0 ? this.drop(id, held) : held.left);
    await this.closing.get(id);
  }

  /** Runs `work` with a conversation, which stays open in the meantime. Returns `undefined` if it can't be read here. */
  async use<Result>(id: string, work: (conversation: Conversation) => Promise<Result>): Promise<Result | undefined> {
    const conversation = await this.take(id);
    if (!conversation) return undefined;
    try {
      return await work(conversation);
    } finally {
      await this.release(id);
    }
  }

  /** Closes all conversations, however often they are held. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const [id, held] of this.held) void this.drop(id, held);
    await Promise.all(this.closing.values());
  }

  private async open(id: string, options?: { readonly force?: boolean }): Promise<Conversation | undefined> {
    await this.closing.get(id);
    const conversation = await this.folder.open(id, options).catch((error: unknown) => {
      throw error instanceof HeldElsewhere ? openElsewhere(id, error.where) : error;
    });
    if (conversation) this.known.add(id);
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
