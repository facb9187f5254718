import type { Client } from '../../core/api/client';
import { isApiError } from '../../core/api/errors';
import type { GateWait } from '../../core/api/transport/gate';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { nearestIds } from '../../core/catalogue/nearestIds';
import type { Conversation, ConversationFolder } from '../../core/conversation/conversationFolder';
import { documentedMessageLimit, foldTurns } from '../../core/conversation/requestMessages';
import type { Activity } from '../../platform/activity';
import type { Disposable } from '../../platform/disposables';
import type { CatalogueState, ModelCatalogue } from '../../platform/modelCatalogue';
import type { CallContext } from '../../protocol/call';
import type { Answer, AnswerChunk, ChatSnapshot, Turn } from '../../protocol/chat';
import type { WireError } from '../../protocol/wire';
import { AnswerRun } from './answerRun';
import { ChatFolding } from './chatFolding';
import { toExportable } from './exportable';
import type { Exportable } from './exportable';
import { toAnswer, toTurn } from './toTurn';

/** The errors of the chat itself, worded. */
export interface ChatWords {
  /** What the status bar calls a running answer. */
  readonly answering: string;
  readonly emptyAnswer: () => WireError;
  /** What holds up an answer that is not sent yet. */
  readonly waiting: (wait: GateWait) => string;
  /** The service refused a request, most likely because it holds so many messages. */
  readonly tooManyMessages: (count: number, refusal: WireError) => WireError;
  readonly nothingAsked: () => Error;
  readonly noModel: () => Error;
  readonly stillAnswering: () => Error;
  readonly turnGone: () => Error;
  /** A turn that is not in the conversation any more. */
  readonly noSuchTurn: () => Error;
  /** `cause` says why the disk refused. */
  readonly notWritten: (cause: unknown) => Error;
}

export interface ChatSessionOptions {
  readonly folder: ConversationFolder;
  /** Which conversation this window shows; kept over a restart. */
  readonly currentId: { get(): string | undefined; set(id: string): PromiseLike<void> };
  readonly client: () => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  readonly models: Pick<ModelCatalogue, 'state' | 'ready' | 'ensureFresh' | 'refresh'>;
  readonly activity: Pick<Activity, 'start'>;
  readonly profileName: () => string;
  readonly locale: string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  readonly words: ChatWords;
  /** What costs the history but not the answer. */
  readonly onTrouble: (error: unknown) => void;
  /** An answer begins to come, or ended. */
  readonly onRunningChange: (running: boolean) => void;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly gatherMs: number;
  /** The most messages of one request, as the person set it; 0: no limit. */
  readonly messageLimit: () => number;
}

/** The conversation a window shows and the answer that comes in it, whether or not a page shows them. */
export class ChatSession implements Disposable {
  private opened: Promise<Conversation> | undefined;
  private run: AnswerRun | undefined;
  /** A question is being written down: no other may begin meanwhile. */
  private starting = false;

  readonly folding: ChatFolding;

  constructor(private readonly options: ChatSessionOptions) {
    this.folding = new ChatFolding({
      ...options,
      conversation: () => this.conversation(),
      isAnswering: () => this.run !== undefined,
      noSuchTurn: options.words.noSuchTurn,
    });
  }

  /** The turn whose answer is coming. */
  get runningTurnId(): string | undefined {
    return this.run?.turnId;
  }

  async snapshot(): Promise<ChatSnapshot> {
    const [conversation, catalogue] = await Promise.all([this.conversation(), this.options.models.ready()]);
    const { transcript } = conversation;
    const model = transcript.model ?? chooseModel('chat', catalogue);
    return {
      account: catalogue.session === 'signedIn' ? 'ready' : 'signedOut',
      profileName: this.options.profileName(),
      locale: this.options.locale,
      models: modelsForJob('chat', catalogue.models, catalogue.pins).map(({ id }) => ({
        id,
        pinned: catalogue.pins.includes(id),
      })),
      ...this.modelsState(catalogue),
      ...(model === undefined ? {} : { model }),
      conversationId: conversation.id,
      draft: await conversation.readDraft(),
      turns: transcript.turns().map((turn) => toTurn(turn, this.runOf(turn.id))),
      folding: this.folding.of(conversation),
    };
  }

  /** Writes the question down, then sends it. Throws when it cannot be written; nothing is sent then. */
  async ask(text: string, model: string): Promise<Turn> {
    const { words, newId, now } = this.options;
    if (text.trim() === '') throw words.nothingAsked();
    return this.begin(model, (conversation) => {
      const id = newId();
      const parent = conversation.transcript.turns().at(-1)?.id ?? null;
      return { turnId: id, records: [{ kind: 'question', id, parent, at: now(), text }] };
    });
  }

  /** Asks the last question again; an answer that only waits is given up for it. Those before are kept in the history. */
  async retry(turnId: string, model: string): Promise<Turn> {
    const run = this.runOf(turnId);
    if (run?.wait) {
      run.stop();
      await run.finished;
    }
    return this.begin(model, ({ transcript }) => {
      if (transcript.turns().at(-1)?.id !== turnId) throw this.options.words.turnGone();
      return { turnId, records: [] };
    });
  }

  /** Ends the answer to this turn, if it is still coming. */
  stop(turnId: string | undefined = this.runningTurnId): void {
    if (turnId !== undefined) this.runOf(turnId)?.stop();
  }

  async follow(turnId: string, have: readonly number[], context: CallContext<AnswerChunk>): Promise<Answer> {
    const run = this.runOf(turnId);
    if (run) return run.follow(have, context);
    const answer = (await this.conversation()).transcript.turn(turnId)?.answers.at(-1);
    if (!answer) throw this.options.words.turnGone();
    return toAnswer(answer, undefined);
  }

  /** Whether the conversation that is shown has this turn. */
  async hasTurn(turnId: string): Promise<boolean> {
    return (await this.conversation()).transcript.turn(turnId) !== undefined;
  }

  /**
   * Stops what is coming and shows an empty conversation. The question in the box moves along; where there is none, the
   * last question does if it got no answer.
   */
  async startNew(): Promise<void> {
    const before = await this.conversation();
    if (before.transcript.turns().length === 0) return;
    this.stop();
    await this.run?.finished;
    const draft = await before.readDraft();
    const last = before.transcript.turns().at(-1);
    const isUnanswered = last?.answers.at(-1)?.blocks.every(({ text }) => text === '') ?? false;
    const next = await this.openNew();
    await next.writeDraft(draft === '' && isUnanswered ? (last?.question ?? '') : draft);
    await before.writeDraft('');
    this.opened = Promise.resolve(next);
    await before.close();
  }

  async setDraft(text: string): Promise<void> {
    await (await this.conversation()).writeDraft(text);
  }

  /** What an export is made of. */
  async exportable(): Promise<Exportable> {
    const [conversation, catalogue] = await Promise.all([this.conversation(), this.options.models.ready()]);
    const { id, transcript } = conversation;
    const model = transcript.model ?? chooseModel('chat', catalogue);
    const sent = { sentTurns: transcript.sentTurns(), messageLimit: this.folding.limit };
    return toExportable({ id, turns: transcript.turns(), ...sent, draft: await conversation.readDraft(), model });
  }

  async chooseModel(model: string): Promise<void> {
    const conversation = await this.conversation();
    if (conversation.transcript.model === model) return;
    await conversation.record([{ kind: 'model', model }]).catch(this.options.onTrouble);
  }

  /** The answer that comes is left without an end: it shows as interrupted when it is seen again. Ends when all is written. */
  async dispose(): Promise<void> {
    this.run?.abandon();
    await this.run?.finished;
    await (await this.opened)?.close();
  }

  private runOf(turnId: string): AnswerRun | undefined {
    return this.run?.turnId === turnId ? this.run : undefined;
  }

  private modelsState(catalogue: CatalogueState): Pick<ChatSnapshot, 'modelsState' | 'modelsError'> {
    if (catalogue.models.length > 0) return { modelsState: 'ready' };
    if (catalogue.loading) return { modelsState: 'loading' };
    if (catalogue.error !== undefined) {
      return { modelsState: 'failed', modelsError: this.options.describe(catalogue.error) };
    }
    return { modelsState: catalogue.fetchedAt === undefined ? 'unknown' : 'ready' };
  }

  private async begin(model: string, prepare: (conversation: Conversation) => Beginning): Promise<Turn> {
    const { words, newId, now } = this.options;
    if (this.starting || this.run) throw words.stillAnswering();
    if (model === '') throw words.noModel();
    this.starting = true;
    try {
      const conversation = await this.conversation();
      const { turnId, records } = prepare(conversation);
      const answerId = newId();
      const answer = { kind: 'answer', id: answerId, question: turnId, at: now(), model } as const;
      await conversation.record([...records, answer], { durable: true }).catch((error: unknown) => {
        throw words.notWritten(error);
      });
      if (records.length > 0) await conversation.writeDraft('').catch(this.options.onTrouble);
      return this.send({ conversation, turnId, answerId, model });
    } finally {
      this.starting = false;
    }
  }

  private send(start: Pick<AnswerRunOptions, 'conversation' | 'turnId' | 'answerId' | 'model'>): Turn {
    const { client, words, onTrouble, onRunningChange, now, gatherMs, activity } = this.options;
    const { transcript } = start.conversation;
    const { messages } = foldTurns(transcript.sentTurns(), this.folding.limit);
    const run = new AnswerRun({
      ...start,
      messages,
      client,
      describe: (error) => this.describeFailure(error, start.model, messages.length),
      emptyAnswer: words.emptyAnswer,
      waiting: words.waiting,
      onTrouble,
      now,
      gatherMs,
    });
    this.run = run;
    onRunningChange(true);
    const work = activity.start(words.answering, { paid: true });
    void run.finished.then(() => {
      work.dispose();
      if (this.run === run) this.run = undefined;
      onRunningChange(false);
    });
    return toTurn(transcript.turn(start.turnId)!, run);
  }

  private describeFailure(error: unknown, model: string, messageCount: number): WireError {
    const { describe, models, words } = this.options;
    if (!isApiError(error)) return describe(error);
    if (error.kind === 'badRequest' && messageCount > documentedMessageLimit) {
      return words.tooManyMessages(messageCount, describe(error));
    }
    if (error.kind !== 'unknownModel') return describe(error);
    const offered = modelsForJob('chat', models.state.models).map(({ id }) => id);
    // The list still names it, or does not know its successor.
    void models.refresh();
    return describe(error, { nearestModels: nearestIds(model, offered) });
  }

  private conversation(): Promise<Conversation> {
    this.opened ??= this.openCurrent().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  /** The one this window showed, else the one written last anywhere, else a new one. */
  private async openCurrent(): Promise<Conversation> {
    const { folder, currentId, onTrouble } = this.options;
    for (const id of [currentId.get(), await folder.newestId()]) {
      if (id === undefined) continue;
      const conversation = await folder.open(id).catch((error: unknown) => onTrouble(error));
      if (!conversation) continue;
      await currentId.set(conversation.id);
      return conversation;
    }
    return this.openNew();
  }

  private async openNew(): Promise<Conversation> {
    const { folder, currentId, newId } = this.options;
    const conversation = await folder.open(newId());
    if (!conversation) throw new Error('A new conversation could not be opened.');
    await currentId.set(conversation.id);
    return conversation;
  }
}

type AnswerRunOptions = ConstructorParameters<typeof AnswerRun>[0];

interface Beginning {
  readonly turnId: string;
  readonly records: Parameters<Conversation['record']>[0];
}
