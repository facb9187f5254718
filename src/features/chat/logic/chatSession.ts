import { createTurns } from '../../../core/async/turns';
import { chooseModel, knownJobs, modelsForJob } from '../../../core/catalogue/jobs';
import { lacksModel } from '../../../core/catalogue/lacksModel';
import { type Attachment, isQuestion } from '../../../core/conversation/attachment';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import { canContinue, compactForNext, textOf, type TurnCompaction } from '../../../core/conversation/requestMessages';
import { cutShort } from '../../../core/conversation/toolRounds';
import { shownAnswer, type Transcript, type TranscriptTurn } from '../../../core/conversation/transcript';
import type { CallContext } from '../../../protocol/call';
import type {
  Answer,
  AnswerChunk,
  ChatModel,
  ChatSnapshot,
  Compaction,
  QueuedMessageView,
  Turn,
} from '../../../protocol/chat';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { mostMessages } from './answerRequest';
import { parentOf, stopAll, type Beginning } from './answers';
import type { ChatEngine } from './chatEngine';
import { Comparisons } from './comparisons';
import { repeatedTurns, toExportable, type Exportable } from './exportable';
import { ShownConversation, type ShownMemory } from './shownConversation';
import { ConversationTools } from './conversationTools';
import type { ConversationParameters } from './parameterService';
import * as chatMessages from './chatMessages';

/** The conversation shown at one location, and all actions on it. */
export class ChatSession {
  readonly shown: ShownConversation;
  readonly compaction: ContextCompaction;
  readonly parameters: ConversationParameters;
  readonly tools: ConversationTools;
  readonly comparisons: Comparisons;
  /**
   * For moves, drafts, and snapshots. Two simultaneous moves would both take the draft along, a draft that is written during a move would
   * be lost, and a snapshot taken before one, but received after it, would empty the question box.
   */
  private readonly inTurn = createTurns();

  constructor(
    readonly engine: ChatEngine,
    memory: ShownMemory,
  ) {
    this.shown = new ShownConversation(engine, memory);
    this.compaction = new ContextCompaction(engine, this.shown);
    this.parameters = conversationParameters(engine, this.shown);
    this.tools = new ConversationTools(engine, this.shown);
    this.comparisons = new Comparisons(engine, this.shown);
  }

  /**
   * Records the question, then sends it. Throws, without sending anything, if it cannot be recorded. This and the other ways to start
   * an answer throw a localized error while an answer is running in the shown conversation.
   */
  async ask(text: string, model: string, attachments?: readonly Attachment[]): Promise<Turn> {
    const { onError } = this.engine.services.window;
    if (!isQuestion(text, attachments)) throw chatMessages.noQuestion();
    const conversation = await this.shown.current();
    const turn = await this.begin(model, ({ transcript }) =>
      this.question(text, transcript.turns().at(-1), attachments),
    );
    await conversation.writeDraft('').catch(onError);
    return turn;
  }

  /** Sends the message once the running answer is complete. */
  async queue(text: string, model: string, attachments: readonly Attachment[]): Promise<void> {
    const conversation = await this.shown.current();
    await this.engine.queue.add(conversation.id, { text, model, attachments });
    await conversation.writeDraft('').catch(this.engine.services.window.onError);
  }

  /** Stops the running answers, whose text is kept, and asks. Queued messages follow the new answer. */
  async steer(text: string, model: string, attachments: readonly Attachment[]): Promise<Turn> {
    if (!isQuestion(text, attachments)) throw chatMessages.noQuestion();
    const conversation = await this.shown.current();
    await this.engine.answers.requireModels([model], false);
    await this.engine.answers.stopIn(conversation.id);
    const turn = await this.ask(text, model, attachments);
    this.engine.queue.resume(conversation);
    return turn;
  }

  /** Asks for a summary without touching the draft. Returns what resolves once requests begin with it, or it failed. */
  async compact(text: string, model: string): Promise<{ readonly isOver: Promise<void> }> {
    const { id } = await this.shown.current();
    const turn = await this.begin(model, ({ transcript }) => this.question(text, transcript.turns().at(-1)));
    return { isOver: this.compaction.startOnceAnswered(id, turn.id) };
  }

  /** Asks `text` in place of a shown question, with the same attachments, on a new branch. */
  async edit(turnId: string, text: string, model: string): Promise<Turn> {
    return this.begin(model, ({ transcript }) => {
      const before = transcript.turns()[this.placeOf(turnId, transcript) - 1];
      const attachments = transcript.turn(turnId)?.attachments;
      if (!isQuestion(text, attachments)) throw chatMessages.noQuestion();
      return this.question(text, before, attachments);
    });
  }

  /**
   * Asks a shown question again; an answer that is only waiting is stopped first. Earlier tries, and what followed them, remain in
   * the history.
   */
  async retry(turnId: string, model: string): Promise<Turn> {
    await stopAll(this.engine.answers.inTurn(turnId).filter(({ wait }) => wait));
    return this.begin(model, ({ transcript }) => {
      this.placeOf(turnId, transcript);
      return { turnId, records: [] };
    });
  }

  /** Continues the last answer from where it broke off, with the same model. */
  async continue(turnId: string): Promise<Turn> {
    const last = (await this.shown.current()).transcript.turns().at(-1);
    const answer = last && shownAnswer(last);
    if (answer) await this.engine.answers.requireModels([answer.model], true);
    return this.begin(answer?.model ?? '', () => {
      if (last?.id !== turnId) throw chatMessages.turnGone();
      if (!answer || !canContinue(answer)) throw chatMessages.cannotContinue();
      return { turnId, records: [], continues: answer.id };
    });
  }

  /** Sends tool calls as text, and no tools, to the model of this turn's answer from now on. Returns that model. */
  async sendCallsAsText(turnId: string): Promise<string> {
    const conversation = await this.shown.current();
    const turn = conversation.transcript.turn(turnId);
    const model = turn && shownAnswer(turn)?.model;
    if (model === undefined) throw chatMessages.turnGone();
    await conversation.record([{ kind: 'callsAsText', at: this.engine.services.clock.now(), model }]);
    return model;
  }

  /** Switches to another version of this question, or to another try at its answer. */
  async walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void> {
    const conversation = await this.shown.current();
    const { transcript } = conversation;
    if (this.engine.answers.isBusy(conversation.id)) throw chatMessages.stillAnswering();
    const question = among === 'questions' ? transcript.siblings(turnId)[index]?.id : turnId;
    const tryId = among === 'tries' ? transcript.turn(turnId)?.answers[index]?.id : undefined;
    if (question === undefined || (among === 'tries' && tryId === undefined)) throw chatMessages.turnGone();
    const record = { kind: 'shown', question, ...(tryId !== undefined && { try: tryId }) } as const;
    await conversation.record([record]);
  }

  /** Stops the answers to this turn; without a turn, all answers in the shown conversation. */
  stop(turnId?: string): void {
    const { answers } = this.engine;
    if (turnId !== undefined) for (const answer of answers.inTurn(turnId)) answer.stop();
    else if (this.shown.currentId !== undefined) void answers.stopIn(this.shown.currentId);
  }

  /** Follows a try at the answer, by default the shown one. */
  async follow(
    { turnId, tryId, have }: { readonly turnId: string; readonly tryId?: string; readonly have: readonly number[] },
    context: CallContext<AnswerChunk>,
  ): Promise<Answer> {
    const { answers } = this.engine;
    // The answer may be running in a conversation that is no longer shown.
    const running = tryId === undefined ? answers.inTurn(turnId).at(-1) : answers.of(tryId);
    if (running?.task.turnId === turnId) return running.follow(have, context);
    const conversation = await this.shown.current();
    const turn = conversation.transcript.turn(turnId);
    const answer = tryId === undefined ? turn && shownAnswer(turn) : turn?.answers.find(({ id }) => id === tryId);
    if (!answer) throw chatMessages.turnGone();
    return answers.describeAnswer(conversation, answer);
  }

  /** Returns a turn of the shown conversation. */
  async turn(turnId: string): Promise<TranscriptTurn | undefined> {
    return (await this.shown.current()).transcript.turn(turnId);
  }

  /** Returns a turn of the shown conversation after those before it; empty if it isn't shown. */
  async turnsTo(turnId: string): Promise<readonly TranscriptTurn[]> {
    const turns = (await this.shown.current()).transcript.turns();
    return turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
  }

  /**
   * Shows an empty conversation; a running answer continues. The draft and its attachments move along. With `asksAgain` and no
   * draft, the last question moves along if it got no answer.
   */
  startNew(asksAgain = false): Promise<void> {
    return this.inTurn(() => this.startNewNow(asksAgain));
  }

  private async startNewNow(asksAgain: boolean): Promise<void> {
    const before = await this.shown.current();
    if (before.transcript.turns().length === 0) return;
    const draft = await before.readDraft();
    const last = before.transcript.turns().at(-1);
    const answer = last && shownAnswer(last);
    const isAnswering = this.engine.answers.isAnswering(before.id);
    const isUnanswered = !isAnswering && (answer?.blocks.every(({ text }) => text === '') ?? false);
    const isLastTaken = asksAgain && draft === '' && isUnanswered;
    const attached = [...before.attached.list, ...((isLastTaken && last?.attachments) || [])];
    await this.moveOn(before, isLastTaken ? (last?.question ?? '') : draft, attached);
  }

  /** Shows an empty conversation without settings. The draft and attachments move along; resolves to the text of the draft. */
  startApart(): Promise<string> {
    return this.inTurn(() => this.startApartNow());
  }

  private async startApartNow(): Promise<string> {
    const before = await this.shown.current();
    const { transcript, attached } = before;
    const draft = await before.readDraft();
    const isSet = Object.keys(transcript.parameters).length > 0 || transcript.comparedModels.on;
    if (transcript.turns()[0] || isSet || attached.list.length > 0) await this.moveOn(before, draft, attached.list);
    return draft;
  }

  /** Shows another conversation; each has its own draft, and a running answer continues. */
  async openConversation(id: string): Promise<void> {
    if (!(await this.shown.show(id))) throw chatMessages.conversationGone();
  }

  /** Like `openConversation`, for one that another window has open. That window reports this when a question is asked there again. */
  async takeOver(id: string): Promise<void> {
    // Read from disk again, because the other window has written to it.
    if (this.shown.currentId === id) await this.shown.showNew();
    if (!(await this.shown.show(id, { force: true }))) throw chatMessages.conversationGone();
  }

  /** `typedIn` is the conversation shown while it was typed, by default the one shown now. */
  setDraft(text: string, typedIn?: string): Promise<void> {
    return this.inTurn(() => this.setDraftNow(text, typedIn));
  }

  private async setDraftNow(text: string, typedIn: string | undefined): Promise<void> {
    const { pool } = this.engine;
    const conversation = await this.shown.current();
    if (typedIn === undefined || typedIn === conversation.id || typedIn === this.shown.draftMovedFrom)
      return conversation.writeDraft(text);
    const isKnown = pool.isKnown(typedIn);
    await pool.use(typedIn, async (left) => {
      // A deleted conversation would come back.
      if (isKnown || left.transcript.createdAt !== undefined) await left.writeDraft(text);
      else pool.forget(typedIn);
    });
  }

  /** Tries again to write what could not be saved; the outcome is reported as `unsaved`. */
  async save(): Promise<void> {
    await (await this.shown.current()).save().catch(() => undefined);
  }

  /** Returns the text of the unsaved answers, as far as they have arrived. */
  async unsavedText(): Promise<string> {
    const { transcript, unsaved } = await this.shown.current();
    const answers = [...(unsaved?.answers ?? [])].flatMap((id) => transcript.answer(id) ?? []);
    if (answers.length < 2) return answers.map(textOf).join('');
    return answers.map((answer) => `## ${answer.model}\n\n${textOf(answer)}`).join('\n\n');
  }

  async chooseModel(model: string): Promise<void> {
    const conversation = await this.shown.current();
    await this.engine.services.models.last.set(model);
    if (conversation.transcript.model === model) return;
    await conversation.record([{ kind: 'model', model }]);
  }

  async usesInstructions(): Promise<boolean> {
    return (await this.shown.current()).transcript.usesInstructions;
  }

  /** Turns standing instructions on or off for the next requests of the shown conversation. */
  async useInstructions(on: boolean): Promise<void> {
    const conversation = await this.shown.current();
    if (conversation.transcript.usesInstructions === on) return;
    await conversation.record([{ kind: 'instructions', at: this.engine.services.clock.now(), on }]);
  }

  /** Describes the shown conversation for the page. */
  async snapshot(): Promise<ChatSnapshot> {
    const [catalogue] = await Promise.all([this.engine.services.models.catalogue.ready(), this.shown.current()]);
    return this.inTurn(() => this.snapshotNow(catalogue));
  }

  private async snapshotNow(catalogue: CatalogueState): Promise<ChatSnapshot> {
    const { engine, shown } = this;
    const { parameters, account, window } = engine.services;
    const conversation = await shown.current();
    const { transcript } = conversation;
    const model = this.modelOf(transcript, catalogue);
    return {
      account: catalogue.session === 'signedIn' ? 'ready' : 'signedOut',
      profileName: account.name(),
      locale: window.locale,
      ...this.offeredModels(catalogue),
      ...(model === undefined ? {} : { model }),
      notOffered: nextModels(transcript).filter((id) => lacksModel(id, catalogue)),
      conversationId: conversation.id,
      ...(transcript.title !== '' && { title: transcript.title }),
      draft: await conversation.readDraft(),
      ...(shown.draftMovedFrom !== undefined && { draftMovedFrom: shown.draftMovedFrom }),
      parameters: await parameters.describe(transcript.parameters, model),
      turns: transcript.turns().map((turn) => engine.answers.describe(conversation, turn)),
      ...queuedOf(engine.queue.view(conversation)),
      compaction: this.compaction.of(conversation),
      comparing: transcript.comparedModels,
      ...(conversation.unsaved && { unsaved: chatMessages.notSaved(conversation.unsaved) }),
      ...(shown.elsewhere && { notice: chatMessages.newInstead(shown.elsewhere) }),
    };
  }

  /**
   * Returns the input of an export; `attachments` belong to the question in the input box. With a turn, its request asks that turn's question
   * again, or `continues` its response, and the box doesn't count.
   */
  async exportable(attachments: readonly Attachment[], turnId?: string, continues = false): Promise<Exportable> {
    const { account, models, parameters, tools, instructions } = this.engine.services;
    const [conversation, catalogue] = await Promise.all([this.shown.current(), models.catalogue.ready()]);
    const standing = conversation.transcript.usesInstructions ? (await instructions()).text : '';
    const { id, transcript } = conversation;
    const model = this.modelOf(transcript, catalogue);
    const messageLimit = mostMessages(account);
    const all = transcript.sentTurns();
    const sentTurns = turnId === undefined || continues ? all : repeatedTurns(all, turnId);
    const sent = { usage: transcript.usage(), sentTurns, messageLimit };
    const next = { draft: turnId === undefined ? await conversation.readDraft() : '', attachments };
    const notTaken = model === undefined ? [] : await parameters.notTaken(model);
    const set = { parameters: transcript.parameters, notTaken, editorTools: tools.list(), instructions: standing };
    return toExportable({ id, turns: transcript.turns(), ...sent, ...next, ...set, model });
  }

  private async begin(model: string, prepare: (conversation: Conversation) => Beginning): Promise<Turn> {
    const { id } = await this.shown.current();
    const { answers } = this.engine;
    const { conversation, turnId } = await answers.begin(id, model, prepare);
    return answers.describe(conversation, conversation.transcript.turn(turnId)!);
  }

  /** Returns the index of the turn among the shown ones. */
  private placeOf(turnId: string, transcript: Transcript): number {
    const place = transcript.turns().findIndex(({ id }) => id === turnId);
    if (place < 0) throw chatMessages.turnGone();
    return place;
  }

  private question(
    text: string,
    before: TranscriptTurn | undefined,
    attachments: readonly Attachment[] = [],
  ): Beginning {
    const { clock } = this.engine.services;
    const id = clock.newId();
    const along = attachments.length > 0 ? { attachments } : {};
    return { turnId: id, records: [{ kind: 'question', id, ...parentOf(before), at: clock.now(), text, ...along }] };
  }

  private async moveOn({ id }: Conversation, draft: string, attached: readonly Attachment[]): Promise<void> {
    const { onError } = this.engine.services.window;
    // Held until its draft is cleared: another window may open it as soon as nothing holds it here.
    await this.engine.pool.use(id, async (left) => {
      const next = await this.shown.showNew({ draftMovedFrom: id });
      // Whatever cannot be written remains in memory as long as it is shown.
      await next.writeDraft(draft).catch(onError);
      await next.attached.set(attached).catch(onError);
      await left.writeDraft('').catch(onError);
      await left.attached.set([]).catch(onError);
    });
  }

  /**
   * Returns the conversation's latest model that the account has. In a conversation that has used only others, the one the user selected
   * for the account, if any, so that no question goes to a model nobody selected. In another, the default, or else the last one used if
   * still offered or typed by its ID, or the first. For a service that lists none, the last one used.
   */
  private modelOf(transcript: Transcript, catalogue: CatalogueState): string | undefined {
    const isOffered = (id: string | undefined) => id !== undefined && !lacksModel(id, catalogue);
    const own = transcript.models.find(isOffered);
    if (own !== undefined) return own;
    const last = this.engine.services.models.last.get();
    if (isGoingOn(transcript)) return [last, catalogue.defaults.chat].find(isOffered);
    const { models, pins, defaults, unlisted, fetchedAt, error } = catalogue;
    if (last !== undefined && defaults.chat === undefined && unlisted?.includes(last)) return last;
    const hasNone = models.length === 0 && (fetchedAt !== undefined || error !== undefined);
    const offered = chooseModel('chat', { ...catalogue, pins: [...(last === undefined ? [] : [last]), ...pins] });
    return offered ?? (hasNone ? last : undefined);
  }

  /** Returns the models the chat offers, and the state of their list. */
  private offeredModels(catalogue: CatalogueState): Pick<ChatSnapshot, 'models' | 'modelsState' | 'modelsError'> {
    const { models: known, window } = this.engine.services;
    const models = modelsForJob('chat', catalogue.models, catalogue.pins).map((model): ChatModel => {
      const { contextTokens, tools, images } = known.capabilities(model);
      return {
        id: model.id,
        pinned: catalogue.pins.includes(model.id),
        ...(contextTokens !== undefined && { contextTokens }),
        ...(tools === true && { tools }),
        ...(images !== undefined && { images }),
        ...(!knownJobs(model) && { isUnknown: true }),
      };
    });
    if (catalogue.models.length > 0) return { models, modelsState: 'ready' };
    if (catalogue.loading) return { models, modelsState: 'loading' };
    if (catalogue.error !== undefined)
      return { models, modelsState: 'failed', modelsError: window.describe(catalogue.error) };
    return { models, modelsState: catalogue.fetchedAt === undefined ? 'unknown' : 'ready' };
  }
}

function queuedOf(queued: readonly QueuedMessageView[]) {
  return queued.length > 0 ? { queued } : {};
}

/** Whether the conversation has asked a model. */
function isGoingOn(transcript: Transcript): boolean {
  return transcript.models.length > 0 && transcript.turns().length > 0;
}

/** Returns the models the next question goes to by what was chosen in the conversation. */
function nextModels(transcript: Transcript): readonly string[] {
  const { comparedModels, models } = transcript;
  if (comparedModels.on) return comparedModels.models;
  return isGoingOn(transcript) ? models.slice(0, 1) : [];
}

function conversationParameters({ services }: ChatEngine, shown: ShownConversation): ConversationParameters {
  return {
    get: async () => (await shown.current()).transcript.parameters,
    async set(parameters) {
      const conversation = await shown.current();
      if (JSON.stringify(conversation.transcript.parameters) === JSON.stringify(parameters)) return;
      const record = { kind: 'parameters', at: services.clock.now(), parameters: { ...parameters } } as const;
      await conversation.record([record], { durable: true });
    },
  };
}

/** The part of the conversation that the next request sends. */
class ContextCompaction {
  constructor(
    private readonly engine: ChatEngine,
    private readonly shown: ShownConversation,
  ) {}

  of(conversation: Conversation): Compaction {
    const { messages, compacted } = this.next(conversation);
    const first = conversation.transcript.sentTurns()[0];
    return {
      limit: mostMessages(this.engine.services.account) ?? 0,
      messages: messages.length,
      compacted,
      ...(first === undefined || first.parent === null ? {} : { startTurnId: first.id }),
    };
  }

  async change(): Promise<{ readonly conversationId: string; readonly compaction: Compaction }> {
    const conversation = await this.shown.current();
    return { conversationId: conversation.id, compaction: this.of(conversation) };
  }

  /** Returns the compacted turns as the next request sends them. */
  async text(): Promise<string> {
    return this.next(await this.shown.current()).transcript;
  }

  /** Sends only turns from this one on in later requests, or all of them if null. Requests already sent are not affected. */
  async startFrom(turnId: string | null): Promise<Compaction> {
    const { clock } = this.engine.services;
    const conversation = await this.shown.current();
    const isThere = conversation.transcript.turns().some(({ id }) => id === turnId);
    if (turnId !== null && !isThere) throw chatMessages.noSuchTurn();
    await conversation.record([{ kind: 'start', at: clock.now(), turn: turnId }]);
    return this.of(conversation);
  }

  /** Sends only turns from this one on once its answer is complete, and all of them if it is cut off. */
  async startOnceAnswered(conversationId: string, turnId: string): Promise<void> {
    const { answers, pool, services } = this.engine;
    await answers.whenOver(turnId);
    await pool.use(conversationId, async (conversation) => {
      const turn = conversation.transcript.turn(turnId);
      const { state, stopReason } = (turn && shownAnswer(turn)?.end) ?? {};
      if (state !== 'done' || stopReason === 'tool_use' || cutShort.has(stopReason)) return;
      await conversation.record([{ kind: 'start', at: services.clock.now(), turn: turnId }]);
    });
  }

  private next({ id, transcript }: Conversation): TurnCompaction {
    const { answers, services } = this.engine;
    const answering = answers.isAnswering(id);
    return compactForNext(transcript.sentTurns(), mostMessages(services.account), { answering });
  }
}
