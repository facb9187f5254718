import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import type { ConversationList as ListedConversations } from '../../../src/protocol/chatConversations';
import type { Attempt, ChatHost } from './chatHost';

/** The list of conversations: asked for anew whenever it opens and whenever something in it changed. */
export interface ConversationList {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly query: Signal<string>;
  /** `undefined` until the host has answered. */
  readonly rows: ReadonlySignal<ListedConversations | undefined>;
  open(): Promise<void>;
  close(): void;
  search(query: string): void;
  choose(id: string): Promise<void>;
  openInEditor(id: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
}

interface ConversationListOptions {
  readonly host: ChatHost;
  readonly attempt: Attempt;
  readonly showAnswer: (asked: Promise<ChatSnapshot>) => Promise<void>;
}

/** A search reads every file: it waits until the typing pauses. */
const searchDelayMs = 150;

export function createConversationList({ host, attempt, showAnswer }: ConversationListOptions): ConversationList {
  const isOpen = signal(false);
  const query = signal('');
  const rows = signal<ListedConversations | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  const ask = async () => {
    asking?.abort();
    const controller = new AbortController();
    asking = controller;
    const asked = host.call('chat/conversations', { query: query.peek() }, { signal: controller.signal });
    // An answer that was given up is nobody's trouble.
    const found = await attempt(
      asked.catch((error: unknown) => (controller.signal.aborted ? undefined : Promise.reject(error))),
    );
    if (found && asking === controller) rows.value = found;
  };
  const change = async (changed: Promise<unknown>) => {
    // What was refused changed nothing, and is told until something else is done.
    if (await attempt(changed)) await ask();
  };
  host.on('chat/conversationsChanged', () => void (isOpen.peek() && ask()));

  return {
    isOpen,
    query,
    rows,
    open() {
      query.value = '';
      isOpen.value = true;
      return ask();
    },
    close() {
      clearTimeout(timer);
      asking?.abort();
      isOpen.value = false;
      rows.value = undefined;
    },
    search(text) {
      query.value = text;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), searchDelayMs);
    },
    async choose(id) {
      this.close();
      await showAnswer(host.call('chat/openConversation', { id }));
    },
    async openInEditor(id) {
      this.close();
      await attempt(host.call('chat/openInEditor', { id }));
    },
    rename: (id, title) => change(host.call('chat/renameConversation', { id, title })),
    pin: (id, pinned) => change(host.call('chat/pinConversation', { id, pinned })),
    remove: (id) => change(host.call('chat/deleteConversation', { id })),
    restore: (id) => change(host.call('chat/restoreConversation', { id })),
  };
}
