import type { Attachment } from '../../core/conversation/attachment';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { textOf } from '../../core/conversation/requestMessages';
import { shownAnswer, type TranscriptTurn } from '../../core/conversation/transcript';
import type { CallContext } from '../../protocol/call';
import type { Answer, AnswerChunk } from '../../protocol/chat';
import type { AnswerScheduler } from './answerScheduler';
import type { AnswerRuns } from './answerRuns';
import { createChatDescription, type ChatDescription } from './chatDescription';
import type { ChatEngineOptions } from './chatEngineOptions';
import { ContextCompaction } from './contextCompaction';
import { createChatQuestions, type ChatQuestions } from './chatQuestions';
import { createComparisons, type Comparisons } from './compare/comparisons';
import type { ConversationPool } from './conversationPool';
import type { ShownConversation } from './shownConversation';
import { toAnswer } from './toTurn';
import type { TranscriptCallViews } from './tools/callViews';
import { createConversationTools, type ConversationTools } from './tools/conversationTools';
import type { ToolAccess } from './tools/toolAccess';
import type { ChatParameters } from '../../core/conversation/chatParameters';

export interface ChatSessionOptions extends ChatEngineOptions {
  readonly access: ToolAccess;
  readonly callViews: TranscriptCallViews;
  readonly pool: ConversationPool;
  readonly runs: AnswerRuns;
  readonly scheduler: AnswerScheduler;
  readonly shown: ShownConversation;
}

/** The conversation shown at one location, and all actions on it. */
export interface ChatSession extends ChatQuestions, ChatDescription {
  readonly shown: ShownConversation;
  readonly compaction: ContextCompaction;
  readonly parameters: ConversationParameters;
  readonly tools: ConversationTools;
  readonly comparisons: Comparisons;
  /** Switches to another version of this question, or to another try at its answer. */
  walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void>;
  /** Stops the answers to this turn; without a turn, all answers in the shown conversation. */
  stop(turnId?: string): void;
  /** Follows a try at the answer, by default the shown one. */
  follow(
    followed: { readonly turnId: string; readonly tryId?: string; readonly have: readonly number[] },
    context: CallContext<AnswerChunk>,
  ): Promise<Answer>;
  /** Returns a turn of the shown conversation. */
  turn(turnId: string): Promise<TranscriptTurn | undefined>;
  /**
   * Shows an empty conversation; a running answer continues. The draft and its attachments move along. With `asksAgain` and no
   * draft, the last question moves along if it got no answer.
   */
  startNew(asksAgain?: boolean): Promise<void>;
  /** Shows an empty conversation without settings. The draft and attachments move along; resolves to the text of the draft. */
  startApart(): Promise<string>;
  /** Shows another conversation; each has its own draft, and a running answer continues. */
  openConversation(id: string): Promise<void>;
  /** Like `openConversation`, for one that another window has open. That window reports this when a question is asked there again. */
  takeOver(id: string): Promise<void>;
  /** `typedIn` is the conversation shown while it was typed, by default the one shown now. */
  setDraft(text: string, typedIn?: string): Promise<void>;
  /** Tries again to write what could not be saved; the outcome is reported as `unsaved`. */
  save(): Promise<void>;
  /** Returns the text of the unsaved answers, as far as they have arrived. */
  unsavedText(): Promise<string>;
  chooseModel(model: string): Promise<void>;
}

export function createChatSession(options: ChatSessionOptions): ChatSession {
  const { shown, runs, words } = options;
  const compaction = new ContextCompaction({
    ...options,
    conversation: () => shown.current(),
    isAnswering: (id) => runs.isAnswering(id),
    noSuchTurn: words.noSuchTurn,
  });
  return {
    shown,
    compaction,
    parameters: conversationParameters(() => shown.current(), options.now),
    tools: createConversationTools(options),
    comparisons: createComparisons(options),
    ...createChatQuestions(options),
    ...createChatDescription(options, compaction),
    ...createMoves(options),
    stop(turnId) {
      if (turnId !== undefined) for (const run of runs.inTurn(turnId)) run.stop();
      else if (shown.currentId !== undefined) void runs.stopIn(shown.currentId);
    },
    async follow({ turnId, tryId, have }, context) {
      // The answer may be running in a conversation that is no longer shown.
      const run = tryId === undefined ? runs.inTurn(turnId).at(-1) : runs.of(tryId);
      if (run?.turnId === turnId) return run.follow(have, context);
      const { transcript } = await shown.current();
      const turn = transcript.turn(turnId);
      const answer = tryId === undefined ? turn && shownAnswer(turn) : turn?.answers.find(({ id }) => id === tryId);
      if (!answer) throw words.turnGone();
      return toAnswer(answer, undefined, options.callViews(transcript, answer, undefined));
    },
    turn: async (turnId) => (await shown.current()).transcript.turn(turnId),
    async setDraft(text, typedIn) {
      const conversation = await shown.current();
      if (typedIn === undefined || typedIn === conversation.id || typedIn === shown.draftMovedFrom)
        return conversation.writeDraft(text);
      const isOpen = options.pool.isOpen(typedIn);
      await options.pool.use(typedIn, async (left) => {
        // A deleted conversation would come back.
        if (isOpen || left.transcript.createdAt !== undefined) await left.writeDraft(text);
      });
    },
    save: async () => (await shown.current()).save().catch(() => undefined),
    async unsavedText() {
      const { transcript, unsaved } = await shown.current();
      const answers = [...(unsaved?.answers ?? [])].flatMap((id) => transcript.answer(id) ?? []);
      if (answers.length < 2) return answers.map(textOf).join('');
      return answers.map((answer) => `## ${answer.model}\n\n${textOf(answer)}`).join('\n\n');
    },
    async chooseModel(model) {
      const conversation = await shown.current();
      await options.lastModel.set(model);
      if (conversation.transcript.model === model) return;
      await conversation.record([{ kind: 'model', model }]);
    },
  };
}

/** Switches between branches and between conversations. */
function createMoves({
  shown,
  pool,
  runs,
  scheduler,
  words,
  onTrouble,
}: ChatSessionOptions): Pick<ChatSession, 'walk' | 'startNew' | 'startApart' | 'openConversation' | 'takeOver'> {
  const moveOn = async ({ id }: Conversation, draft: string, attached: readonly Attachment[]) => {
    const next = await shown.showNew({ draftMovedFrom: id });
    // Whatever cannot be written remains in memory as long as it is shown.
    await next.writeDraft(draft).catch(onTrouble);
    await next.attached.set(attached).catch(onTrouble);
    await pool.use(id, async (left) => {
      await left.writeDraft('').catch(onTrouble);
      await left.attached.set([]).catch(onTrouble);
    });
  };
  return {
    async walk(turnId, among, index) {
      const conversation = await shown.current();
      const { transcript } = conversation;
      if (scheduler.isBusy(conversation.id)) throw words.stillAnswering();
      const question = among === 'questions' ? transcript.siblings(turnId)[index]?.id : turnId;
      const wanted = among === 'tries' ? transcript.turn(turnId)?.answers[index]?.id : undefined;
      if (question === undefined || (among === 'tries' && wanted === undefined)) throw words.turnGone();
      const record = { kind: 'shown', question, ...(wanted !== undefined && { try: wanted }) } as const;
      await conversation.record([record]);
    },
    async startNew(asksAgain = false) {
      const before = await shown.current();
      if (before.transcript.turns().length === 0) return;
      const draft = await before.readDraft();
      const last = before.transcript.turns().at(-1);
      const answer = last && shownAnswer(last);
      const isUnanswered = !runs.isAnswering(before.id) && (answer?.blocks.every(({ text }) => text === '') ?? false);
      const isLastTaken = asksAgain && draft === '' && isUnanswered;
      const attached = [...before.attached.list, ...((isLastTaken && last?.attachments) || [])];
      await moveOn(before, isLastTaken ? (last?.question ?? '') : draft, attached);
    },
    async startApart() {
      const before = await shown.current();
      const { transcript, attached } = before;
      const draft = await before.readDraft();
      const isAsked = transcript.turns().length > 0;
      const isSet = Object.keys(transcript.parameters).length > 0 || transcript.comparedModels.on;
      if (isAsked || isSet || attached.list.length > 0) await moveOn(before, draft, attached.list);
      return draft;
    },
    async takeOver(id) {
      // Read from disk again, because the other window has written to it.
      if (shown.currentId === id) await shown.showNew();
      if (!(await shown.show(id, { force: true }))) throw words.conversationGone();
    },
    async openConversation(id) {
      if (!(await shown.show(id))) throw words.conversationGone();
    },
  };
}

/** The parameters set in the shown conversation. */
interface ConversationParameters {
  get(): Promise<ChatParameters>;
  /** Throws if they cannot be recorded; the previous ones then remain in effect. */
  set(parameters: ChatParameters): Promise<void>;
}

function conversationParameters(current: () => Promise<Conversation>, now: () => number): ConversationParameters {
  return {
    get: async () => (await current()).transcript.parameters,
    async set(parameters) {
      const conversation = await current();
      if (JSON.stringify(conversation.transcript.parameters) === JSON.stringify(parameters)) return;
      await conversation.record([{ kind: 'parameters', at: now(), parameters: { ...parameters } }], { durable: true });
    },
  };
}
