import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatScreen, ChatSnapshot, Turn } from '../../../src/protocol/chat';
import { type Caller, HostError } from '../../../src/protocol/caller';
import type { WireError } from '../../../src/protocol/wire';
import { type Conversation, createConversation, isRunning, type TurnView } from './conversation';
import { createDraft, type Draft } from './draft';

export type ChatHost = Pick<Caller<ChatScreen>, 'call' | 'on'> & {
  load(): ChatScreen['state'] | undefined;
  save(state: ChatScreen['state']): void;
};

export type PageState = Omit<ChatSnapshot, 'turns' | 'draft'>;

/** What the page knows and can do. Draws nothing. */
export interface ChatSession {
  /** `undefined` until the host has answered for the first time. */
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly conversation: Conversation;
  readonly draft: Draft;
  /** Why the last thing asked of the host failed; `undefined` again with the next. */
  readonly trouble: ReadonlySignal<WireError | undefined>;
  /** The turn whose answer is coming. */
  readonly running: ReadonlySignal<TurnView | undefined>;
  /** A question is on its way to the host. */
  readonly sending: ReadonlySignal<boolean>;
  readonly pickerOpen: Signal<boolean>;
  /** Asks for a snapshot and follows what is still coming. To be called at mount and whenever the page becomes visible. */
  refresh(): Promise<void>;
  ask(): Promise<void>;
  stop(): Promise<void>;
  newChat(): Promise<void>;
  chooseModel(model: string): Promise<void>;
  /** Takes an action of a note: what the page can do itself, else what the host does. */
  act(action: string, turnId?: string): Promise<void>;
  copy(text: string): Promise<void>;
  openLink(url: string): Promise<void>;
}

export function createSession(host: ChatHost): ChatSession {
  const conversation = createConversation();
  const page = signal<PageState | undefined>(undefined);
  const trouble = signal<WireError | undefined>(undefined);
  const sending = signal(false);
  const pickerOpen = signal(false);
  const draft = createDraft(host);
  const running = computed(() => conversation.turns.value.findLast((turn) => isRunning(turn.facts.value)));
  const follow = createFollower(host, conversation);

  const attempt = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    trouble.value = undefined;
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      trouble.value = error.error;
      return undefined;
    }
  };

  const show = ({ turns, draft: draftText, ...rest }: ChatSnapshot) =>
    batch(() => {
      const before = page.peek();
      page.value = rest;
      conversation.show(turns);
      draft.receive(draftText, before !== undefined && before.conversationId !== rest.conversationId);
      follow(turns);
    });

  const start = (turn: Turn, replaced?: string) => {
    conversation.put(turn, replaced);
    follow([turn]);
  };

  const chooseModel = async (model: string) => {
    if (page.value) page.value = { ...page.value, model };
    await attempt(host.call('chat/chooseModel', { model }));
  };

  const retry = async (turnId: string) => {
    const model = page.value?.model;
    if (!model) return void (pickerOpen.value = true);
    const result = await attempt(host.call('chat/retry', { turnId, model }));
    if (result) start(result.turn, turnId);
  };

  host.on('chat/changed', show);

  return {
    page,
    conversation,
    draft,
    trouble,
    running,
    sending,
    pickerOpen,
    async refresh() {
      const snapshot = await attempt(host.call('chat/ready', {}));
      if (snapshot) show(snapshot);
    },
    async ask() {
      const text = draft.text.peek().trim();
      const { model, account } = page.peek() ?? {};
      if (!text || account !== 'ready' || sending.peek() || running.peek()) return;
      if (!model) return void (pickerOpen.value = true);
      sending.value = true;
      const result = await attempt(host.call('chat/ask', { text, model }));
      batch(() => {
        sending.value = false;
        if (!result) return;
        start(result.turn);
        if (draft.text.peek().trim() === text) draft.set('');
      });
    },
    async stop() {
      const turn = running.peek();
      if (turn) await attempt(host.call('chat/stop', { turnId: turn.id }));
    },
    async newChat() {
      const snapshot = await attempt(host.call('chat/new', {}));
      if (snapshot) show(snapshot);
    },
    chooseModel,
    async act(action, turnId) {
      if (action === 'retry' && turnId) return retry(turnId);
      if (action === 'retry') return this.refresh();
      if (action === 'chooseModel') return void (pickerOpen.value = true);
      if (action.startsWith('useModel:')) {
        await chooseModel(action.slice('useModel:'.length));
        return turnId ? retry(turnId) : undefined;
      }
      await attempt(host.call('chat/act', { action, ...(turnId !== undefined && { turnId }) }));
    },
    copy: async (text) => void (await attempt(host.call('chat/copy', { text }))),
    openLink: async (url) => void (await attempt(host.call('chat/openLink', { url }))),
  };
}

/**
 * Follows the answers that are coming, each from where the page is. Following again drops the old call: it may have lost
 * its pieces while the page was hidden.
 */
function createFollower(host: ChatHost, conversation: Conversation): (turns: readonly Turn[]) => void {
  const following = new Map<string, AbortController>();

  const followOne = async (turnId: string) => {
    following.get(turnId)?.abort();
    const controller = new AbortController();
    following.set(turnId, controller);
    const turn = conversation.turns.peek().find(({ id }) => id === turnId);
    const have = turn?.blocks.peek().map((block) => block.text.peek().length) ?? [];
    const isCurrent = () => following.get(turnId) === controller;
    try {
      const { answer } = await host.call(
        'chat/follow',
        { turnId, have },
        { signal: controller.signal, onChunk: (chunk) => isCurrent() && conversation.grow(turnId, chunk) },
      );
      if (isCurrent()) conversation.finish(turnId, answer);
    } catch (error) {
      if (!isCurrent()) return;
      if (!(error instanceof HostError)) throw error;
      conversation.grow(turnId, {
        type: 'state',
        answer: { state: 'failed', model: turn?.facts.peek().model ?? '', error: error.error },
      });
    } finally {
      if (isCurrent()) following.delete(turnId);
    }
  };

  return (turns) => {
    for (const { id, answer } of turns) {
      const view = conversation.turns.peek().find((turn) => turn.id === id);
      if (view && isRunning(view.facts.peek()) && isRunning(answer)) void followOne(id);
    }
    for (const [id, controller] of following) {
      if (conversation.turns.peek().some((turn) => turn.id === id)) continue;
      following.delete(id);
      controller.abort();
    }
  };
}
