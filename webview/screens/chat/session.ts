import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatSnapshot, Spent, Turn, UsedCode } from '../../../src/protocol/chat';
import { HostError } from '../../../src/protocol/caller';
import { modelOfStep } from '../../../src/protocol/modelStep';
import type { WireError } from '../../../src/protocol/wire';
import { type Attachments, createAttachments } from './attachments';
import { type Comparing, createComparing } from './compare/comparing';
import { type Conversation, createConversation, isRunning, type TurnView } from './conversation';
import type { Attempt, ChatHost, PageState } from './chatHost';
import { type ConversationList, createConversationList } from './conversationList';
import { createAsking } from './asking';
import { createDraft, type Draft } from './draft';
import { createCompaction, type CompactionView } from './compaction';
import { createStreamSubscription } from './streamSubscription';
import { createOffers, type Offers } from './offers';
import { createSpending } from './spending';
import { createParameters, hasField, type Parameters } from './parameters';
import { createTools, type Tools } from './tools/tools';

/** The page's state and actions, without any rendering. */
export interface ChatSession {
  /** `undefined` until the host's first response. */
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly conversation: Conversation;
  readonly draft: Draft;
  readonly compaction: CompactionView;
  readonly attachments: Attachments;
  readonly offers: Offers;
  /** The error of the last call to the host; cleared by the next one. */
  readonly trouble: ReadonlySignal<WireError | undefined>;
  /** The turn whose answer is arriving. */
  readonly running: ReadonlySignal<TurnView | undefined>;
  /** The usage of this conversation and this day; `undefined` until the host sends it. */
  readonly spent: ReadonlySignal<Spent | undefined>;
  /** Whether a question is being sent to the host. */
  readonly sending: ReadonlySignal<boolean>;
  readonly pickerOpen: Signal<boolean>;
  readonly branches: BranchActions;
  readonly list: ConversationList;
  readonly parameters: Parameters;
  readonly comparing: Comparing;
  readonly tools: Tools;
  /** Fetches a snapshot and subscribes to answers still arriving. Call it at mount and whenever the page becomes visible. */
  refresh(): Promise<void>;
  ask(): Promise<void>;
  stop(): Promise<void>;
  chooseModel(model: string): Promise<void>;
  /** Runs an action of a note: in the page if possible, else in the host. */
  act(action: string, turnId?: string): Promise<void>;
  copy(text: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Inserts a code block into the editor or a terminal. Resolves with the error if that failed. */
  useCode(code: UsedCode): Promise<WireError | undefined>;
}

export function createSession(host: ChatHost): ChatSession {
  const conversation = createConversation();
  const page = signal<PageState | undefined>(undefined);
  const trouble = signal<WireError | undefined>(undefined);
  const draft = createDraft(host);
  const follow = createStreamSubscription(host, conversation);
  const attempt = createAttempt(trouble);
  const compaction = createCompaction({ host, attempt, conversationId: () => page.peek()?.conversationId });
  const attachments = createAttachments(host, attempt);
  const offers = createOffers(host, attempt);
  const parameters = createParameters({ host, page, attempt });
  const show = (snapshot: ChatSnapshot) =>
    batch(() => {
      const { turns, draft: _draft, compaction: sent, scrollTop: _scrollTop, ...rest } = snapshot;
      const before = page.peek();
      page.value = rest;
      conversation.show(turns);
      compaction.show(sent);
      draft.receive(snapshot);
      follow(turns);
      comparing.show(turns);
      if (before && before.conversationId !== rest.conversationId) void attachments.refresh();
      void questions.onState();
    });
  const showAnswer = async (asked: Promise<ChatSnapshot>) => {
    const snapshot = await attempt(asked);
    if (snapshot) show(snapshot);
  };
  const restart = (turn: Turn, replaced: string) => questions.start(turn, replaced);
  const comparing = createComparing({ host, page, attempt, showAnswer, start: restart });
  const parts = { host, conversation, page, draft, attachments, follow, attempt, parameters, comparing };
  const questions = createQuestions(parts);
  const refresh = () => showAnswer(host.call('chat/ready', {})).then(() => attachments.refresh());

  host.on('chat/changed', show);
  const spent = createSpending(host, spendingSubject(page, questions.running));

  return {
    page,
    conversation,
    draft,
    compaction,
    attachments,
    offers,
    trouble,
    spent,
    parameters,
    comparing,
    ...questions,
    branches: createBranchActions({ host, attempt, page, showAnswer, ...questions }),
    list: createConversationList({ host, attempt, showAnswer }),
    refresh,
    act: createAct({ host, attempt, questions, refresh, comparing, conversation }),
    ...createHandOver(host, attempt),
    tools: createTools({ host, page, attempt, turns: conversation.turns, start: questions.start }),
  };
}

interface ActOptions {
  readonly host: ChatHost;
  readonly attempt: Attempt;
  readonly questions: ReturnType<typeof createQuestions>;
  readonly refresh: () => Promise<void>;
  readonly comparing: Comparing;
  readonly conversation: Conversation;
}

/** Runs the actions the page supports, and passes all others to the host. */
function createAct(options: ActOptions): ChatSession['act'] {
  const { host, attempt, questions, refresh, comparing, conversation } = options;
  const pickLast = async (tryId: string) => {
    const turn = conversation.turns.peek().at(-1);
    if (turn) await comparing.pick(turn.id, tryId);
  };
  return async (action, turnId) => {
    if (action === 'retry') return turnId ? questions.retry(turnId) : refresh();
    if (action === 'stopWaiting') return questions.stop();
    if (action === 'otherModel' && turnId) return questions.switchModel(turnId);
    if (action === 'continue') return turnId ? questions.continueAnswer(turnId) : undefined;
    if (action.startsWith('pick:')) return pickLast(action.slice('pick:'.length));
    if (action.startsWith('without:')) return questions.askWithout(action.slice('without:'.length), turnId);
    if (action === 'chooseModel') return void (questions.pickerOpen.value = true);
    const model = modelOfStep(action);
    if (model !== undefined) {
      await questions.chooseModel(model);
      return turnId ? questions.retry(turnId) : undefined;
    }
    await attempt(host.call('chat/act', { action, ...(turnId !== undefined && { turnId }) }));
  };
}

/** Passes text, links and code to the editor. */
function createHandOver(host: ChatHost, attempt: Attempt): Pick<ChatSession, 'copy' | 'openLink' | 'useCode'> {
  return {
    copy: async (text) => void (await attempt(host.call('chat/copy', { text }))),
    openLink: async (url) => void (await attempt(host.call('chat/openLink', { url }))),
    useCode: (code) =>
      host.call('chat/useCode', code).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof HostError)) throw error;
          return error.error;
        },
      ),
  };
}

/** Returns a signal that changes whenever the usage may have changed. */
function spendingSubject(
  page: ReadonlySignal<PageState | undefined>,
  running: ReadonlySignal<TurnView | undefined>,
): ReadonlySignal<string | undefined> {
  return computed(() => {
    const { account, conversationId, profileName } = page.value ?? {};
    return account === 'ready' ? `${conversationId} ${profileName} ${running.value?.id}` : undefined;
  });
}

/** Shows errors the host reports. Any other error is a bug of the page and is rethrown. */
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
  readonly parameters: Parameters;
  readonly comparing: Comparing;
}

function createQuestions(options: QuestionsOptions) {
  const { host, conversation, page, draft, attachments, follow, attempt, parameters, comparing } = options;
  const sending = signal(false);
  const pickerOpen = signal(false);
  /** The turn to regenerate with the model chosen next; cleared when the list closes without a choice. */
  let switching: string | undefined;
  effect(() => {
    if (!pickerOpen.value) queueMicrotask(() => (switching = undefined));
  });
  const running = computed(() =>
    conversation.turns.value.findLast((turn) => isRunning(turn.facts.value) || comparing.isRunning(turn)),
  );

  const start = (turn: Turn, replaced?: string) => {
    conversation.put(turn, replaced);
    follow([turn]);
    comparing.add(turn);
  };
  const isBusy = () => sending.peek() || running.peek() !== undefined;
  const asking = createAsking({ host, page, draft, attachments, sending, pickerOpen, isBusy, start, attempt });
  const again = createAgain(options, start, pickerOpen);

  return {
    sending,
    pickerOpen,
    running,
    start,
    switchModel(turnId: string) {
      switching = turnId;
      pickerOpen.value = true;
    },
    ...asking,
    async ask() {
      await parameters.settle();
      await asking.ask();
    },
    ...again,
    async stop() {
      const turn = running.peek();
      if (turn) await attempt(host.call('chat/stop', { turnId: turn.id }));
    },
    async chooseModel(model: string) {
      const turnId = switching;
      if (page.value) page.value = { ...page.value, model };
      if (await attempt(host.call('chat/chooseModel', { model }))) await parameters.refresh();
      if (turnId !== undefined) await again.retry(turnId);
    },
  };
}

/** Regenerates the last answer, or continues it. */
function createAgain(
  { host, conversation, page, attempt, parameters }: QuestionsOptions,
  start: (turn: Turn, replaced: string) => void,
  pickerOpen: Signal<boolean>,
) {
  const retry = async (turnId: string) => {
    const model = page.peek()?.model;
    if (!model) return void (pickerOpen.value = true);
    await parameters.settle();
    const result = await attempt(host.call('chat/retry', { turnId, model }));
    if (result) start(result.turn, turnId);
  };
  const continueAnswer = async (turnId: string) => {
    await parameters.settle();
    const result = await attempt(host.call('chat/continue', { turnId }));
    if (result) start(result.turn, turnId);
  };

  return {
    retry,
    continueAnswer,
    /** Regenerates or continues the answer without a parameter the model refused, which is never sent to that model again. */
    async askWithout(name: string, turnId: string | undefined) {
      const isKnown = hasField(page.peek(), name) || name === 'tools' || name === 'tool_choice';
      if (!isKnown || !(await parameters.sendWithout(name)) || turnId === undefined) return;
      const turn = conversation.turns.peek().find(({ id }) => id === turnId);
      await (turn?.facts.peek().canContinue ? continueAnswer(turnId) : retry(turnId));
    },
  };
}

/** Editing a question, and switching to another version of it or another attempt at its answer. */
interface BranchActions {
  /** Id of the turn whose question is being edited. */
  readonly editing: Signal<string | undefined>;
  /** Sends the edited question on a branch of its own. Resolves with false if it was not sent; the editor then retains the text. */
  send(turnId: string, text: string): Promise<boolean>;
  walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void>;
}

interface BranchActionsOptions {
  readonly host: ChatHost;
  readonly attempt: Attempt;
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly showAnswer: (asked: Promise<ChatSnapshot>) => Promise<void>;
  readonly start: (turn: Turn, replaced: string) => void;
  readonly running: ReadonlySignal<TurnView | undefined>;
  readonly pickerOpen: Signal<boolean>;
}

function createBranchActions(options: BranchActionsOptions): BranchActions {
  const { host, attempt, page, showAnswer, start, running, pickerOpen } = options;
  const editing = signal<string | undefined>(undefined);
  let isSending = false;
  return {
    editing,
    async send(turnId, text) {
      const model = page.peek()?.model;
      if (!text.trim() || running.peek() || isSending) return false;
      if (!model) {
        pickerOpen.value = true;
        return false;
      }
      isSending = true;
      const result = await attempt(host.call('chat/edit', { turnId, text: text.trim(), model }));
      isSending = false;
      if (!result) return false;
      editing.value = undefined;
      start(result.turn, turnId);
      return true;
    },
    walk: (turnId, among, index) => showAnswer(host.call('chat/walk', { turnId, among, index })),
  };
}
