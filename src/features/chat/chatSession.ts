import { chooseModel } from '../../core/catalogue/jobs';
import type { Attachment } from '../../core/conversation/attachment';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { canContinue } from '../../core/conversation/requestMessages';
import { shownAnswer } from '../../core/conversation/transcript';
import type { TranscriptTurn } from '../../core/conversation/transcript';
import type { Disposable } from '../../platform/disposables';
import type { CallContext } from '../../protocol/call';
import type { Answer, AnswerChunk, ChatSnapshot, Turn } from '../../protocol/chat';
import { behind } from './behind';
import { AnswerRun } from './answerRun';
import { type AnswerStart, toAnswerStart } from './answerStart';
import { ChatFolding } from './chatFolding';
import type { ChatSessionOptions } from './chatSessionOptions';
import { type ConversationParameters, conversationParameters } from './conversationParameters';
import { describeFailure } from './describeFailure';
import { toExportable } from './exportable';
import type { Exportable } from './exportable';
import { OpenConversations } from './openConversations';
import { shownModels } from './shownModels';
import { toAnswer, toTurn } from './toTurn';

/** The conversation a window shows and the answers that come, one in a conversation, whether or not a page shows them. */
export class ChatSession implements Disposable {
  readonly open: OpenConversations;
  /** By conversation. */
  private readonly runs = new Map<string, AnswerRun>();
  /** A question is being written down: no other may begin meanwhile. */
  private starting = false;

  readonly folding: ChatFolding;
  readonly parameters: ConversationParameters;

  constructor(private readonly options: ChatSessionOptions) {
    this.open = new OpenConversations(options);
    this.parameters = conversationParameters(() => this.open.current(), options.now);
    this.folding = new ChatFolding({
      ...options,
      conversation: () => this.open.current(),
      isAnswering: (id) => this.runs.has(id),
      noSuchTurn: options.words.noSuchTurn,
    });
  }

  isRunningIn(conversationId: string): boolean {
    return this.runs.has(conversationId);
  }

  async snapshot(): Promise<ChatSnapshot> {
    const [conversation, catalogue] = await Promise.all([this.open.current(), this.options.models.ready()]);
    const { transcript } = conversation;
    const model = transcript.model ?? chooseModel('chat', catalogue);
    return {
      account: catalogue.session === 'signedIn' ? 'ready' : 'signedOut',
      profileName: this.options.profileName(),
      locale: this.options.locale,
      ...shownModels(catalogue, this.options.describe),
      ...(model === undefined ? {} : { model }),
      conversationId: conversation.id,
      draft: await conversation.readDraft(),
      parameters: await this.options.parameters.describe(transcript.parameters, model),
      turns: transcript.turns().map((turn) => this.toTurn(conversation, turn)),
      folding: this.folding.of(conversation),
    };
  }

  /** Writes the question down, then sends it. Throws when it cannot be written; nothing is sent then. */
  async ask(text: string, model: string, attachments: readonly Attachment[] = []): Promise<Turn> {
    const { words, newId, now } = this.options;
    if (text.trim() === '') throw words.nothingAsked();
    const turn = await this.begin(model, ({ transcript }) => {
      const id = newId();
      const before = transcript.turns().at(-1);
      const along = attachments.length > 0 ? { attachments } : {};
      return { turnId: id, records: [{ kind: 'question', id, ...behind(before), at: now(), text, ...along }] };
    });
    await (await this.open.current()).writeDraft('').catch(this.options.onTrouble);
    return turn;
  }

  /** Asks `text` in the place of a question that is shown, with what went along with it, on a branch of its own. */
  async edit(turnId: string, text: string, model: string): Promise<Turn> {
    const { words, newId, now } = this.options;
    if (text.trim() === '') throw words.nothingAsked();
    return this.begin(model, (conversation) => {
      const id = newId();
      const turns = conversation.transcript.turns();
      const before = turns[this.placeOf(turnId, conversation) - 1];
      const { attachments = [] } = conversation.transcript.turn(turnId) ?? {};
      const along = attachments.length > 0 ? { attachments } : {};
      return { turnId: id, records: [{ kind: 'question', id, ...behind(before), at: now(), text, ...along }] };
    });
  }

  /**
   * Asks a question that is shown again; an answer that only waits is given up for it. The tries before, and what followed
   * them, are kept in the history.
   */
  async retry(turnId: string, model: string): Promise<Turn> {
    const run = this.runOf(turnId);
    if (run?.wait) {
      run.stop();
      await run.finished;
    }
    return this.begin(model, (conversation) => {
      this.placeOf(turnId, conversation);
      return { turnId, records: [] };
    });
  }

  /** Lets the last answer go on from where it broke off, with the model that gave it. */
  async continue(turnId: string): Promise<Turn> {
    const { words } = this.options;
    const last = (await this.open.current()).transcript.turns().at(-1);
    const answer = last && shownAnswer(last);
    return this.begin(answer?.model ?? '', () => {
      if (last?.id !== turnId) throw words.turnGone();
      if (!answer || !canContinue(answer)) throw words.cannotContinue();
      return { turnId, records: [], continues: answer.id };
    });
  }

  /** Shows another of the questions in the place of this one, or another try at its answer. */
  async walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void> {
    const { words, onTrouble } = this.options;
    const conversation = await this.open.current();
    const { transcript } = conversation;
    if (this.starting || this.runs.has(conversation.id)) throw words.stillAnswering();
    const question = among === 'questions' ? transcript.siblings(turnId)[index]?.id : turnId;
    const wanted = among === 'tries' ? transcript.turn(turnId)?.answers[index]?.id : undefined;
    if (question === undefined || (among === 'tries' && wanted === undefined)) throw words.turnGone();
    const record = { kind: 'shown', question, ...(wanted !== undefined && { try: wanted }) } as const;
    await conversation.record([record]).catch(onTrouble);
  }

  /** Ends the answer to this turn, if it is still coming; without a turn, the one in the conversation that is shown. */
  stop(turnId?: string): void {
    const { currentId } = this.open;
    if (turnId !== undefined) this.runOf(turnId)?.stop();
    else if (currentId !== undefined) this.runs.get(currentId)?.stop();
  }

  /** Ends what is coming in a conversation. Resolves when its last record is written. */
  async stopIn(conversationId: string): Promise<void> {
    const run = this.runs.get(conversationId);
    run?.stop();
    await run?.finished;
  }

  async follow(turnId: string, have: readonly number[], context: CallContext<AnswerChunk>): Promise<Answer> {
    const run = this.runOf(turnId);
    if (run) return run.follow(have, context);
    const turn = (await this.open.current()).transcript.turn(turnId);
    const answer = turn && shownAnswer(turn);
    if (!answer) throw this.options.words.turnGone();
    return toAnswer(answer, undefined);
  }

  /** A turn of the conversation that is shown. */
  async turn(turnId: string): Promise<TranscriptTurn | undefined> {
    return (await this.open.current()).transcript.turn(turnId);
  }

  /**
   * Shows an empty conversation; an answer that is coming goes on. The question in the box moves along; where there is
   * none, the last question does if it got no answer.
   */
  async startNew(): Promise<void> {
    const before = await this.open.current();
    if (before.transcript.turns().length === 0) return;
    const draft = await before.readDraft();
    const last = before.transcript.turns().at(-1);
    const answer = last && shownAnswer(last);
    const isUnanswered = !this.runs.has(before.id) && (answer?.blocks.every(({ text }) => text === '') ?? false);
    const next = await this.open.showNew();
    await next.writeDraft(draft === '' && isUnanswered ? (last?.question ?? '') : draft);
    await this.open.use(before.id, (left) => left.writeDraft(''));
    this.tellRunning();
  }

  /** Shows another conversation; each keeps its own draft, and an answer that is coming goes on. */
  async openConversation(id: string): Promise<void> {
    if (!(await this.open.show(id))) throw this.options.words.conversationGone();
    this.tellRunning();
  }

  async setDraft(text: string): Promise<void> {
    await (await this.open.current()).writeDraft(text);
  }

  /** What an export is made of; `attachments` go along with the question in the box. */
  async exportable(attachments: readonly Attachment[]): Promise<Exportable> {
    const [conversation, catalogue] = await Promise.all([this.open.current(), this.options.models.ready()]);
    const { id, transcript } = conversation;
    const model = transcript.model ?? chooseModel('chat', catalogue);
    const sent = { usage: transcript.usage(), sentTurns: transcript.sentTurns(), messageLimit: this.folding.limit };
    const next = { draft: await conversation.readDraft(), attachments };
    const notTaken = model === undefined ? [] : await this.options.parameters.notTaken(model);
    const set = { parameters: transcript.parameters, notTaken };
    return toExportable({ id, turns: transcript.turns(), ...sent, ...next, ...set, model });
  }

  async chooseModel(model: string): Promise<void> {
    const conversation = await this.open.current();
    if (conversation.transcript.model === model) return;
    await conversation.record([{ kind: 'model', model }]).catch(this.options.onTrouble);
  }

  /** Answers that come are left without an end: they show as interrupted when seen again. Ends when all is written. */
  async dispose(): Promise<void> {
    const runs = [...this.runs.values()];
    for (const run of runs) run.abandon();
    await Promise.all(runs.map(({ finished }) => finished));
    await this.open.close();
  }

  private runOf(turnId: string): AnswerRun | undefined {
    return [...this.runs.values()].find((run) => run.turnId === turnId);
  }

  private toTurn({ id, transcript }: Conversation, turn: TranscriptTurn): Turn {
    const run = this.runs.get(id);
    return toTurn(turn, run?.turnId === turn.id ? run : undefined, transcript.siblings(turn.id));
  }

  /** Where the turn stands among those that are shown. */
  private placeOf(turnId: string, { transcript }: Conversation): number {
    const place = transcript.turns().findIndex(({ id }) => id === turnId);
    if (place < 0) throw this.options.words.turnGone();
    return place;
  }

  private tellRunning(): void {
    const { currentId } = this.open;
    this.options.onRunningChange(currentId !== undefined && this.runs.has(currentId));
  }

  private async begin(model: string, prepare: (conversation: Conversation) => Beginning): Promise<Turn> {
    const { words, newId, now } = this.options;
    if (this.starting) throw words.stillAnswering();
    if (model === '') throw words.noModel();
    this.starting = true;
    try {
      const conversation = await this.open.current();
      if (this.runs.has(conversation.id)) throw words.stillAnswering();
      const notTaken = await this.options.parameters.notTaken(model);
      const { turnId, records, continues } = prepare(conversation);
      const answerId = continues ?? newId();
      const at = now();
      const answer = { kind: 'answer', id: answerId, question: turnId, at, model } as const;
      const started = continues === undefined ? answer : ({ kind: 'continue', answer: answerId, at } as const);
      await conversation.record([...records, started], { durable: true }).catch((error: unknown) => {
        throw words.notWritten(error);
      });
      const start = toAnswerStart({
        transcript: conversation.transcript,
        answerId,
        notTaken,
        limit: this.folding.limit,
      });
      return this.send({ conversation, turnId, answerId, model, ...start });
    } finally {
      this.starting = false;
    }
  }

  private send(start: AnswerStart & Pick<AnswerRunOptions, 'conversation' | 'turnId' | 'answerId' | 'model'>): Turn {
    const { client, words, onTrouble, now, gatherMs, activity } = this.options;
    const { transcript } = start.conversation;
    const run = new AnswerRun({
      ...start,
      client,
      describe: (error) => describeFailure(error, start, this.options),
      emptyAnswer: words.emptyAnswer,
      waiting: words.waiting,
      onTrouble,
      now,
      gatherMs,
    });
    const { conversation } = start;
    this.runs.set(conversation.id, run);
    this.tellRunning();
    const work = activity.start(words.answering, { paid: true });
    void run.finished.then(() => {
      work.dispose();
      this.runs.delete(conversation.id);
      this.tellRunning();
    });
    void this.open.hold(conversation, () => run.finished).catch(onTrouble);
    return this.toTurn(conversation, transcript.turn(start.turnId)!);
  }
}

type AnswerRunOptions = ConstructorParameters<typeof AnswerRun>[0];

interface Beginning {
  readonly turnId: string;
  readonly records: Parameters<Conversation['record']>[0];
  readonly continues?: string;
}
