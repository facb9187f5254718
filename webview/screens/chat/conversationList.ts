import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ConversationList as ListedConversations } from '../../../src/protocol/chatConversations';
import type { ChatSession } from './session';

/** The list of conversations. Fetched whenever it opens and whenever a conversation changes. */
export interface ConversationList {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly query: Signal<string>;
  /** `undefined` until the host has responded. */
  readonly rows: ReadonlySignal<ListedConversations | undefined>;
  /** Opens the list, or closes it if it is open. */
  toggle(): void;
  close(): void;
  search(query: string): void;
  choose(id: string): Promise<void>;
  openInEditor(id: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
}

/** Debounce of the search, because a search reads every file. */
const searchDelayMs = 150;

export function createConversationList(session: ChatSession): ConversationList {
  const { host, attempt } = session;
  const isOpen = signal(false);
  const query = signal('');
  const rows = signal<ListedConversations | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  const ask = async () => {
    asking?.abort();
    const controller = new AbortController();
    asking = controller;
    const loading = host.call('chat/conversations', { query: query.peek() }, { signal: controller.signal });
    // The failure of an aborted search is not an error to show.
    const found = await attempt(
      loading.catch((error: unknown) => (controller.signal.aborted ? undefined : Promise.reject(error))),
    );
    if (found && asking === controller) rows.value = found;
  };
  const change = async (changed: Promise<unknown>) => {
    // A rejected change changed nothing; its error stays visible until the next action.
    if (await attempt(changed)) await ask();
  };
  host.on('chat/conversationsChanged', () => void (isOpen.peek() && ask()));

  return {
    isOpen,
    query,
    rows,
    toggle() {
      if (isOpen.peek()) return this.close();
      query.value = '';
      isOpen.value = true;
      void ask();
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
      await session.showAnswer(host.call('chat/openConversation', { id }));
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
