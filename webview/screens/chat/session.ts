import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatScreen, ChatSnapshot, Spent, Turn, UsedCode } from '../../../src/protocol/chat';
import { type Caller, HostError } from '../../../src/protocol/caller';
import type { WireError } from '../../../src/protocol/wire';
import { type Attachments, createAttachments } from './attachments';
import { type Conversation, createConversation, isRunning, type TurnView } from './conversation';
import { type BranchActions, createBranchActions } from './branchActions';
import { type ConversationList, createConversationList } from './conversationList';
import { createAsking } from './asking';
import { createDraft, type Draft } from './draft';
import { createFolding, type FoldingView } from './folding';
import { createFollower } from './follower';
import { createSpending } from './spending';

export type ChatHost = Pick<Caller<ChatScreen>, 'call' | 'on'> & {
  load(): ChatScreen['state'] | undefined;
  save(state: ChatScreen['state']): void;
};

export type PageState = Omit<ChatSnapshot, 'turns' | 'draft' | 'folding'>;

/** What the page knows and can do. Draws nothing. */
export interface ChatSession {
  /** `undefined` until the host has answered for the first time. */
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly conversation: Conversation;
  readonly draft: Draft;
  readonly folding: FoldingView;
  readonly attachments: Attachments;
  /** Why the last thing asked of the host failed; `undefined` again with the next. */
  readonly trouble: ReadonlySignal<WireError | undefined>;
  /** The turn whose answer is coming. */
  readonly running: ReadonlySignal<TurnView | undefined>;
  /** What this conversation and this day took; `undefined` until the host told. */
  readonly spent: ReadonlySignal<Spent | undefined>;
  /** A question is on its way to the host. */
  readonly sending: ReadonlySignal<boolean>;
  readonly pickerOpen: Signal<boolean>;
  readonly branches: BranchActions;
  readonly list: ConversationList;
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
  /** Takes a code block over into the editor or a terminal. */
  useCode(code: UsedCode): Promise<void>;
}

export function createSession(host: ChatHost): ChatSession {
  const conversation = createConversation();
  const page = signal<PageState | undefined>(undefined);
  const trouble = signal<WireError | undefined>(undefined);
  const draft = createDraft(host);
  const follow = createFollower(host, conversation);
  const attempt = createAttempt(trouble);
  const folding = createFolding({ host, attempt, conversationId: () => page.peek()?.conversationId });
  const attachments = createAttachments(host, attempt);
  const questions = createQuestions({ host, conversation, page, draft, attachments, follow, attempt });

  const show = ({ turns, draft: draftText, folding: sent, ...rest }: ChatSnapshot) =>
    batch(() => {
      const before = page.peek();
      page.value = rest;
      conversation.show(turns);
      folding.show(sent);
      draft.receive(draftText, before !== undefined && before.conversationId !== rest.conversationId);
      follow(turns);
      void questions.onModels();
    });
  const showAnswer = async (asked: Promise<ChatSnapshot>) => {
    const snapshot = await attempt(asked);
    if (snapshot) show(snapshot);
  };
  const branches = createBranchActions({ host, attempt, page, showAnswer, ...questions });
  const list = createConversationList({ host, attempt, showAnswer });
  const refresh = () => showAnswer(host.call('chat/ready', {})).then(() => attachments.refresh());

  host.on('chat/changed', show);
  const subject = computed(() => spendingSubject(page.value, questions.running.value));
  const spent = createSpending(host, subject);

  return {
    page,
    conversation,
    draft,
    folding,
    attachments,
    trouble,
    spent,
    ...questions,
    branches,
    list,
    refresh,
    newChat: () => showAnswer(host.call('chat/new', {})),
    async act(action, turnId) {
      if (action === 'retry') return turnId ? questions.retry(turnId) : refresh();
      if (action === 'stopWaiting') return questions.stop();
      if (action === 'otherModel' && turnId) return questions.switchModel(turnId);
      if (action === 'chooseModel') return void (questions.pickerOpen.value = true);
      if (action.startsWith('useModel:')) {
        await questions.chooseModel(action.slice('useModel:'.length));
        return turnId ? questions.retry(turnId) : undefined;
      }
      await attempt(host.call('chat/act', { action, ...(turnId !== undefined && { turnId }) }));
    },
    ...createHandOver(host, attempt),
  };
}

/** What the page gives to the editor: text, links, code. */
function createHandOver(host: ChatHost, attempt: Attempt): Pick<ChatSession, 'copy' | 'openLink' | 'useCode'> {
  return {
    copy: async (text) => void (await attempt(host.call('chat/copy', { text }))),
    openLink: async (url) => void (await attempt(host.call('chat/openLink', { url }))),
    useCode: async (code) => void (await attempt(host.call('chat/useCode', code))),
  };
}

/** Changes whenever what was spent may have. */
function spendingSubject(page: PageState | undefined, running: TurnView | undefined): string | undefined {
  if (page?.account !== 'ready') return undefined;
  return `${page.conversationId} ${page.profileName} ${running?.id}`;
}

export type Attempt = <Result>(work: Promise<Result>) => Promise<Result | undefined>;

/** What the host refused is shown; anything else is a fault of the page and goes on its way. */
function createAttempt(trouble: Signal<WireError | undefined>): Attempt {
  return async (work) => {
    trouble.value = undefined;
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      trouble.value = error.error;
      return undefined;
    }
  };
}

interface QuestionsOptions {
  readonly host: ChatHost;
  readonly conversation: Conversation;
  readonly page: Signal<PageState | undefined>;
  readonly draft: Draft;
  readonly attachments: Attachments;
  readonly follow: (turns: readonly Turn[]) => void;
  readonly attempt: Attempt;
}

function createQuestions({ host, conversation, page, draft, attachments, follow, attempt }: QuestionsOptions) {
  const sending = signal(false);
  const pickerOpen = signal(false);
  /** The turn that is asked again with the model chosen next; forgotten when the list closes without a choice. */
  let switching: string | undefined;
  effect(() => {
    if (!pickerOpen.value) queueMicrotask(() => (switching = undefined));
  });
  const running = computed(() => conversation.turns.value.findLast((turn) => isRunning(turn.facts.value)));

  const start = (turn: Turn, replaced?: string) => {
    conversation.put(turn, replaced);
    follow([turn]);
  };
  const isBusy = () => sending.peek() || running.peek() !== undefined;
  const asking = createAsking({ host, page, draft, attachments, sending, pickerOpen, isBusy, start, attempt });
  const retry = async (turnId: string) => {
    const model = page.peek()?.model;
    if (!model) return void (pickerOpen.value = true);
    const result = await attempt(host.call('chat/retry', { turnId, model }));
    if (result) start(result.turn, turnId);
  };

  return {
    sending,
    pickerOpen,
    running,
    start,
    retry,
    switchModel(turnId: string) {
      switching = turnId;
      pickerOpen.value = true;
    },
    ...asking,
    async stop() {
      const turn = running.peek();
      if (turn) await attempt(host.call('chat/stop', { turnId: turn.id }));
    },
    async chooseModel(model: string) {
      const turnId = switching;
      if (page.value) page.value = { ...page.value, model };
      await attempt(host.call('chat/chooseModel', { model }));
      if (turnId !== undefined) await retry(turnId);
    },
  };
}
