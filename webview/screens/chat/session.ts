import { batch, computed, effect, type ReadonlySignal, signal, type Signal } from '@preact/signals';
import type {
  AttachmentChip,
  ChatSnapshot,
  QueuedMessageView,
  Spent,
  Turn,
  UsedCode,
} from '../../../src/protocol/chat';
import { HostError } from '../../../src/protocol/caller';
import type { ConversationList as ListedConversations } from '../../../src/protocol/chatConversations';
import { answerLimitOfStep, modelOfStep } from '../../../src/protocol/modelStep';
import type { CodeTargetView } from '../../../src/protocol/chatEdits';
import type { WireError } from '../../../src/protocol/wire';
import { createAttachments, createOffers } from './attachments';
import { createComparing } from './compare/comparing';
import { createConversation, isRunning, createStreamSubscription } from './conversation';
import type { ChatHost, PageState } from './chatHost';
import { Draft } from './draft';
import { createCompaction } from './compaction';
import { createSpending } from './spending';
import { createParameters, hasField } from './parameters';
import { createTools } from './tools/tools';
import { toolOffers } from './tools/toolOffers';

/** The page's state and actions, without any rendering. Its parts are made with the session whole, and use no other part while made. */
export class ChatSession {
  /** `undefined` until the host's first response. */
  readonly page = signal<PageState | undefined>(undefined);
  /** The error of the last call to the host; cleared by the next one. */
  readonly error = signal<WireError | undefined>(undefined);
  /** The turn that was sent last from this page, whose question goes to the top. */
  readonly lastSent = signal<string | undefined>(undefined);
  /** The question that was sent and that the host has not stored yet, shown in place of its turn or among the queued messages. */
  readonly sent = signal<SentQuestion | undefined>(undefined);
  readonly pickerOpen = signal(false);
  /** Id of the turn whose question is being edited. */
  readonly editing = signal<string | undefined>(undefined);
  readonly conversation = createConversation();
  readonly draft;
  readonly attachments;
  readonly offers;
  readonly compaction;
  readonly parameters;
  readonly comparing;
  readonly list;
  readonly tools;
  /** The turn whose answer is arriving. */
  readonly running = computed(() =>
    this.conversation.turns.value.findLast((turn) => isRunning(turn.facts.value) || this.comparing.isRunning(turn)),
  );
  /** Whether the box has a question: a text, or an image, which asks without one. */
  readonly hasQuestion = computed(
    () => this.draft.text.value.trim() !== '' || this.attachments.chips.value.some(({ kind }) => kind === 'image'),
  );
  /** Whether the question in the box can be queued behind the running answer, or sent in its place. */
  readonly canQueue = computed(
    () =>
      this.running.value !== undefined &&
      this.hasQuestion.value &&
      this.page.value?.account === 'ready' &&
      !this.page.value.comparing.on,
  );
  /** The usage of this conversation and this day; `undefined` until the host sends it. */
  readonly spent: ReadonlySignal<Spent | undefined>;
  private readonly follow: (turns: readonly Turn[]) => void;
  /** A question sent before the account and its models were known goes out once there is a model. */
  private isWaiting = false;
  private isSendingEdit = false;
  /** Resolves once the question in `sent` is stored or rejected. */
  private sending: Promise<unknown> | undefined;
  /** What waits for the model chosen next, such as the question in the box; dropped when the list closes without a choice. */
  private afterChoice: (() => Promise<unknown>) | undefined;

  constructor(readonly host: ChatHost) {
    this.draft = new Draft(host);
    this.follow = createStreamSubscription(host, this.conversation);
    this.attachments = createAttachments(host, this.attempt);
    this.offers = createOffers(
      host,
      this.attempt,
      toolOffers(() => this.tools),
    );
    this.compaction = createCompaction(this);
    this.parameters = createParameters(this);
    this.comparing = createComparing(this);
    host.on('chat/changed', (snapshot) => this.show(snapshot));
    this.spent = createSpending(
      host,
      // Changes whenever the usage may have changed.
      computed(() => {
        const { account, conversationId, profileName } = this.page.value ?? {};
        return account === 'ready' ? `${conversationId} ${profileName} ${this.running.value?.id}` : undefined;
      }),
    );
    this.list = createConversationList(this);
    this.tools = createTools(this);
    effect(() => {
      if (!this.pickerOpen.value) queueMicrotask(() => (this.afterChoice = undefined));
    });
  }

  /** Fetches a snapshot and subscribes to answers still arriving. Call it at mount and whenever the page becomes visible. */
  async refresh(): Promise<void> {
    await this.showAnswer(this.host.call('chat/ready', {}));
    await this.attachments.refresh();
  }

  /** Runs a call to the host. Shows an error the host reports and resolves with `undefined`; any other is a bug of the page. */
  readonly attempt = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    this.error.value = undefined;
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.error.value = error.error;
      return undefined;
    }
  };

  /** Shows the snapshot that a call answers with. */
  async showAnswer(answer: Promise<ChatSnapshot>): Promise<void> {
    const snapshot = await this.attempt(answer);
    if (snapshot) this.show(snapshot);
  }

  /** Shows a new turn and follows its answer, in place of the turn with the id `replaced`. */
  start(turn: Turn, replaced?: string): void {
    this.lastSent.value = turn.id;
    this.conversation.put(turn, replaced);
    this.follow([turn]);
    this.comparing.add(turn);
    const page = this.page.peek();
    // The question has gone to another model, which is the conversation's own from now on.
    if (page && page.notOffered.length > 0 && !page.comparing.on) this.page.value = { ...page, notOffered: [] };
  }

  /**
   * Sends the text in the box once the running answer is complete, or stops that answer and sends it now. Asks if there is none. Right
   * after a question, waits until that is stored, and sends nothing if it is rejected, because it is in the box again.
   */
  async askNext(how: 'queue' | 'steer'): Promise<void> {
    const shown = this.page.peek()?.conversationId;
    if (this.sending && (await this.sending) === undefined) return;
    // What is in the box now belongs to another conversation.
    if (this.page.peek()?.conversationId !== shown) return;
    if (!this.running.peek()) return this.ask();
    const { host } = this;
    const { model, comparing } = this.page.peek() ?? {};
    // Several models are asked only after the answers before.
    if (!this.hasQuestion.peek() || model === undefined || comparing?.on) return;
    const call = how === 'queue' ? 'chat/queue' : 'chat/steer';
    await this.sendBox(
      how === 'queue',
      (question) => host.call(call, { ...question, model }),
      (snapshot) => this.show(snapshot),
    );
  }

  /** Stops the running answer and sends a queued message. */
  async sendQueued(id: string): Promise<void> {
    const model = this.page.peek()?.model;
    if (!model) return this.chooseFirst(() => this.sendQueued(id));
    await this.parameters.settle();
    await this.showAnswer(this.host.call('chat/sendQueued', { id, model }));
  }

  /** Removes a queued message, or moves it into the box, above what is typed there. */
  async unqueue({ id, text }: QueuedMessageView, isEdited: boolean): Promise<void> {
    const snapshot = await this.attempt(this.host.call('chat/unqueue', { id, isEdited }));
    if (!snapshot) return;
    if (isEdited) this.draft.set([text, this.draft.text.peek()].filter((part) => part !== '').join('\n\n'));
    this.show(snapshot);
  }

  async stop(): Promise<void> {
    const turn = this.running.peek();
    if (turn) await this.attempt(this.host.call('chat/stop', { turnId: turn.id }));
  }

  async chooseModel(model: string): Promise<void> {
    const { page, afterChoice } = this;
    if (page.value) page.value = { ...page.value, model, notOffered: [] };
    if (await this.attempt(this.host.call('chat/chooseModel', { model }))) await this.parameters.refresh();
    await afterChoice?.();
  }

  /** Sends the edited question on a branch of its own. Resolves with false if it was not sent; the editor then retains the text. */
  async sendEdited(turnId: string, text: string): Promise<boolean> {
    const model = this.page.peek()?.model;
    if (this.running.peek() || this.isSendingEdit) return false;
    if (!model) {
      this.chooseFirst(() => this.sendEdited(turnId, text));
      return false;
    }
    this.isSendingEdit = true;
    const result = await this.attempt(this.host.call('chat/edit', { turnId, text: text.trim(), model }));
    this.isSendingEdit = false;
    if (!result) return false;
    this.editing.value = undefined;
    this.start(result.turn, turnId);
    return true;
  }

  /** Switches to another version of a question, or another attempt at its answer. */
  walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void> {
    return this.showAnswer(this.host.call('chat/walk', { turnId, among, index }));
  }

  /** Runs an action of a note: in the page if possible, else in the host. */
  async act(action: string, turnId?: string): Promise<void> {
    if (action === 'retry') return turnId ? this.retry(turnId) : this.refresh();
    if (action === 'stopWaiting') return this.stop();
    if (action === 'otherModel' && turnId) return this.chooseFirst(() => this.retry(turnId));
    if (action === 'continue') return turnId ? this.continueAnswer(turnId) : undefined;
    if (action.startsWith('pick:')) return this.pickLast(action.slice('pick:'.length));
    if (action.startsWith('without:')) return this.askWithout(action.slice('without:'.length), turnId);
    if (action === 'withoutToolCalls' && turnId) return this.continueWithoutCalls(action, turnId);
    if (action === 'chooseModel') return this.choose();
    const limit = answerLimitOfStep(action);
    if (limit !== undefined) {
      this.parameters.editNumber('max_tokens', limit);
      return turnId ? this.retry(turnId) : undefined;
    }
    const model = modelOfStep(action);
    if (model !== undefined) {
      await this.chooseModel(model);
      return turnId ? this.retry(turnId) : undefined;
    }
    await this.attempt(this.host.call('chat/act', { action, ...(turnId !== undefined && { turnId }) }));
  }

  async copy(text: string): Promise<void> {
    await this.attempt(this.host.call('chat/copy', { text }));
  }

  async openLink(url: string): Promise<void> {
    await this.attempt(this.host.call('chat/openLink', { url }));
  }

  /** Returns where the code blocks of a turn belong; `undefined` if that is unknown. */
  async codeTargets(turnId: string): Promise<readonly CodeTargetView[] | undefined> {
    const answer = await this.host.call('chat/codeTargets', { turnId }).catch(() => undefined);
    return answer?.targets;
  }

  /** Applies a code block, or all of its turn, to its file, or opens the file. Resolves with the error if that failed. */
  async editCode(
    action: 'apply' | 'all' | 'target',
    place: { readonly turnId: string; readonly key: string; readonly index: number },
  ): Promise<WireError | undefined> {
    const call = { apply: 'chat/applyCode', target: 'chat/openTarget' } as const;
    try {
      if (action === 'all') await this.host.call('chat/applyAll', { turnId: place.turnId });
      else await this.host.call(call[action], place);
      return undefined;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return error.error;
    }
  }

  /** Inserts a code block into the editor or a terminal. Resolves with the error if that failed. */
  async useCode(code: UsedCode): Promise<WireError | undefined> {
    try {
      await this.host.call('chat/useCode', code);
      return undefined;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return error.error;
    }
  }

  private show(snapshot: ChatSnapshot): void {
    const { page } = this;
    batch(() => {
      const { turns, draft: _draft, compaction, scrollTop: _scrollTop, ...rest } = snapshot;
      const before = page.peek();
      page.value = rest;
      this.conversation.show(turns);
      this.compaction.show(compaction);
      this.draft.receive(snapshot);
      this.follow(turns);
      this.comparing.show(turns);
      if (before && before.conversationId !== rest.conversationId) void this.attachments.refresh();
      if (!this.isWaiting) return;
      this.isWaiting = false;
      void this.ask();
    });
  }

  /** Sends the question in the box. */
  async ask(): Promise<void> {
    const { host } = this;
    if (!this.hasQuestion.peek() || this.sent.peek() || this.running.peek()) return;
    const state = this.page.peek();
    if (!state) {
      this.isWaiting = true;
      return;
    }
    const { model, account, modelsState, comparing } = state;
    if (account !== 'ready') return;
    const models = comparing?.on ? this.comparing.models.peek() : undefined;
    if (models ? models.length < 2 : !model) {
      this.isWaiting = !models && (modelsState === 'loading' || modelsState === 'unknown');
      if (!this.isWaiting && models) this.choose();
      else if (!this.isWaiting) this.chooseFirst(() => this.ask());
      return;
    }
    await this.sendBox(
      false,
      (question) =>
        models
          ? host.call('chat/compare', { ...question, models })
          : host.call('chat/ask', { ...question, model: model ?? '' }),
      // The user may have opened another conversation in the meantime.
      ({ turn }) => this.page.peek()?.conversationId === state.conversationId && this.start(turn),
    );
  }

  /** Empties the box at once and sends what it had. Shows the host's answer, or puts everything back if the host rejects it. */
  private async sendBox<Answer>(
    isQueued: boolean,
    send: (question: { readonly text: string; readonly attachments?: string[] }) => Promise<Answer>,
    show: (answer: Answer) => unknown,
  ): Promise<void> {
    const { draft, attachments, sent } = this;
    const text = draft.text.peek().trim();
    const chips = attachments.chips.peek();
    const ends = batch(() => {
      sent.value = { text, chips, isQueued };
      return [draft.send(), attachments.send()];
    });
    const ids = chips.map(({ id }) => id);
    const sending = this.parameters
      .settle()
      .then(() => this.attempt(send({ text, ...(ids.length > 0 && { attachments: ids }) })));
    this.sending = sending;
    let answer: Answer | undefined;
    try {
      answer = await sending;
    } finally {
      batch(() => {
        this.sending = undefined;
        sent.value = undefined;
        for (const end of ends) end(answer !== undefined);
        if (answer !== undefined) show(answer);
      });
    }
  }

  /** Whether a list of models is open, which has the focus. */
  get isChoosing(): boolean {
    return this.pickerOpen.peek() || this.comparing.open.peek();
  }

  /** Opens the list of models to choose from. */
  choose(): void {
    const { chosen, open } = this.comparing;
    if (chosen.peek().on) open.value = true;
    else this.pickerOpen.value = true;
  }

  /** Opens the list of models, and runs `then` once one is chosen in it. */
  private chooseFirst(then: () => Promise<unknown>): void {
    this.afterChoice = then;
    this.pickerOpen.value = true;
  }

  private async retry(turnId: string): Promise<void> {
    const model = this.page.peek()?.model;
    if (!model) return this.chooseFirst(() => this.retry(turnId));
    await this.parameters.settle();
    const result = await this.attempt(this.host.call('chat/retry', { turnId, model }));
    if (result) this.start(result.turn, turnId);
  }

  private async continueAnswer(turnId: string): Promise<void> {
    await this.parameters.settle();
    const result = await this.attempt(this.host.call('chat/continue', { turnId }));
    if (result) this.start(result.turn, turnId);
  }

  /** Regenerates or continues the answer without a parameter the model refused, which is never sent to that model again. */
  private async askWithout(name: string, turnId: string | undefined): Promise<void> {
    const isKnown = hasField(this.page.peek(), name) || name === 'tools' || name === 'tool_choice';
    if (!isKnown || !(await this.parameters.sendWithout(name)) || turnId === undefined) return;
    await this.continueOrRetry(turnId);
  }

  /** Continues or regenerates the answer once the host sends the model no tool calls any more. */
  private async continueWithoutCalls(action: string, turnId: string): Promise<void> {
    if (await this.attempt(this.host.call('chat/act', { action, turnId }))) await this.continueOrRetry(turnId);
  }

  private async continueOrRetry(turnId: string): Promise<void> {
    const turn = this.conversation.turns.peek().find(({ id }) => id === turnId);
    await (turn?.facts.peek().canContinue ? this.continueAnswer(turnId) : this.retry(turnId));
  }

  private async pickLast(tryId: string): Promise<void> {
    const turn = this.conversation.turns.peek().at(-1);
    if (turn) await this.comparing.pick(turn.id, tryId);
  }
}

interface SentQuestion {
  readonly text: string;
  readonly chips: readonly AttachmentChip[];
  /** It waits for the running answer. */
  readonly isQueued: boolean;
}

/** The list of conversations. Fetched whenever it opens and whenever a conversation changes. */
interface ConversationList {
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

function createConversationList(session: ChatSession): ConversationList {
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
