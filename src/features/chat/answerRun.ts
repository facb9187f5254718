import { toolCallsAsText } from '../../core/api/chat/adaptedWay';
import { requestParameters, requestPrefill, type ParameterName } from '../../core/conversation/chatParameters';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { compactTurns, goingOnFrom, unfinishedBlock, unfinishedText } from '../../core/conversation/requestMessages';
import { HeldElsewhere } from '../../core/storage/leases';
import type { AnswerEnd } from '../../core/conversation/record';
import { lastCalls } from '../../core/conversation/toolRounds';
import type { TranscriptAnswer } from '../../core/conversation/transcript';
import type { CallContext } from '../../protocol/call';
import type { Answer, AnswerChunk, AnswerWait, AnswerBlock } from '../../protocol/chat';
import { AnswerRound, type AnswerStart } from './answerRound';
import type { ChatEngine } from './chatEngine';
import { toAnswer, type CallViews, type RunningAnswer, toAnswerState, toBlock } from './toTurn';
import { abandoned, ToolRunner } from './tools/toolRunner';

/** A recorded answer whose request is to be sent. */
export interface Sending {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly turnId: string;
  readonly model: string;
  /** The blocks of the tool calls the user allowed; these run before anything is sent. If absent, a request is sent at once. */
  readonly allowed?: readonly number[];
  /** Whether other models answer beside it. */
  readonly together?: boolean;
}

/**
 * Not sent to models that get calls as text, nor to models that answer side by side: each tool call would need a separate decision, and one
 * model's calls may change what the others find.
 */
export const toolParameters: readonly ParameterName[] = ['tools', 'tool_choice'];

/**
 * A running answer whose turn and try are already recorded. Sends the request at once, runs the tools that may run, sends their
 * results, and so on until the answer ends or needs the user, whether or not anyone follows it.
 */
export class AnswerRun implements RunningAnswer {
  /** Resolves once the last record is written. Never rejects. */
  readonly finished: Promise<void>;
  private readonly abort = new AbortController();
  private readonly followers = new Set<() => void>();
  private readonly tools: ToolRunner;
  /** The id of the account it goes on with, also when another becomes active meanwhile. */
  readonly account: string | undefined;
  private isFinished = false;
  private round: AnswerRound | undefined;
  /** Number of consecutive requests since the last user input. */
  private alone = 0;

  constructor(
    readonly engine: ChatEngine,
    readonly sending: Sending,
  ) {
    this.tools = new ToolRunner(this);
    this.account = engine.options.models.state.profileId;
    this.finished = this.run()
      .catch(engine.options.onTrouble)
      .then(() => this.finish());
  }

  get turnId(): string {
    return this.sending.turnId;
  }

  get conversationId(): string {
    return this.sending.conversation.id;
  }

  get firstTokenMs(): number | undefined {
    return this.round?.firstTokenMs;
  }

  get wait(): AnswerWait | undefined {
    return this.round?.wait;
  }

  get runningCalls(): ReadonlySet<number> {
    return this.tools.running;
  }

  get isAtTools(): boolean {
    return !this.isFinished && this.round === undefined;
  }

  /**
   * To be called when the user decided about a call while others are running; `allowed` is the block of a call to run as well.
   * Returns false if it is too late because no call is running any more.
   */
  heed(allowed?: number): boolean {
    if (this.tools.running.size === 0) return false;
    this.alone = 0;
    if (allowed !== undefined) this.tools.allow(allowed);
    return true;
  }

  /** Aborts the request and the tools; what has arrived is stored as a stopped answer. */
  stop(): void {
    this.abort.abort();
  }

  /** Aborts the request and leaves the answer without an end, as if the editor had closed. */
  abandon(): void {
    this.abort.abort(abandoned);
  }

  /** Emits what the page does not have yet, then every change. Resolves at the end, or when `signal` aborts. */
  async follow(have: readonly number[], { signal, emit }: CallContext<AnswerChunk>): Promise<Answer> {
    const tell = createDeltaPublisher(have, emit);
    const onChange = () => tell(this.answer, this.coming, this.views());
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.followers.add(onChange);
    signal.addEventListener('abort', leave, { once: true });
    try {
      onChange();
      if (!signal.aborted) await Promise.race([this.finished, left]);
      return toAnswer(this.answer, this.coming, this.views());
    } finally {
      this.followers.delete(onChange);
      signal.removeEventListener('abort', leave);
    }
  }

  private get coming(): RunningAnswer | undefined {
    return this.isFinished ? undefined : this;
  }

  private views(): CallViews {
    return this.engine.tools.views(this.sending.conversation.transcript, this.answer, this.coming);
  }

  private get answer(): TranscriptAnswer {
    const { conversation, answerId } = this.sending;
    const answer = conversation.transcript.answer(answerId);
    if (!answer) throw new Error('An answer was started that is not in its conversation.');
    return answer;
  }

  private async run(): Promise<void> {
    const { allowed } = this.sending;
    for (const block of allowed ?? []) this.tools.allow(block);
    let goesOn = allowed === undefined || (await this.runTools());
    while (goesOn) {
      const end = await this.request();
      goesOn = end?.state === 'done' && (await this.runTools());
    }
  }

  /** Resolves with whether all calls have results and the next request is recorded. */
  private async runTools(): Promise<boolean> {
    const { conversation, answerId } = this.sending;
    const { maxToolRounds, now } = this.engine.options;
    if (!this.hasCalls() || !(await this.tools.work(this.abort.signal))) return false;
    const max = maxToolRounds();
    if (max > 0 && this.alone >= max) {
      await conversation.record([{ kind: 'toolLimit', answer: answerId, at: now(), rounds: this.alone }]);
      return false;
    }
    this.alone += 1;
    const goesOn = [{ kind: 'continue', answer: answerId, at: now() }] as const;
    await conversation.record(goesOn, { durable: true }).catch((error: unknown) => {
      if (error instanceof HeldElsewhere) throw error;
      // A disk that refuses the write does not end the answer.
      return conversation.record(goesOn);
    });
    return true;
  }

  private hasCalls(): boolean {
    return lastCalls(this.answer).length > 0;
  }

  /** Resolves with how the request ended; `undefined` if it was abandoned. */
  private async request(): Promise<AnswerEnd | undefined> {
    const { conversation, answerId } = this.sending;
    const { signal } = this.abort;
    const end = await this.read(signal);
    if (signal.reason === abandoned) return undefined;
    await conversation.record([{ kind: 'end', answer: answerId, at: this.engine.options.now(), end }]);
    this.round = undefined;
    return end;
  }

  /** A request that was refused for having too many messages is sent once more with fewer, if that limit was not known before. */
  private async read(signal: AbortSignal): Promise<AnswerEnd> {
    try {
      const round = new AnswerRound(this, await this.start());
      this.round = round;
      const end = await round.read(signal);
      const { messageLimit } = round;
      if (messageLimit === undefined || signal.aborted) return end;
      if (!(await this.engine.options.learnMessageLimit(messageLimit))) return end;
      this.round = new AnswerRound(this, await this.start());
      return await this.round.read(signal);
    } catch (error) {
      return { state: 'failed', error: this.engine.options.describe(error) };
    }
  }

  /**
   * Builds the next request from the current state. A new try begins with the prefill; one that already has text continues from
   * there, and one whose tools have results continues from those.
   */
  private async start(): Promise<AnswerStart> {
    const { messageLimit: limit, options } = this.engine;
    const { conversation, answerId, model, together = false } = this.sending;
    const { parameters, callsAsText } = conversation.transcript;
    const isWithoutTools = together || callsAsText.has(model);
    const notTaken = [...(await options.parameters.notTaken(model)), ...(isWithoutTools ? toolParameters : [])];
    const answer = conversation.transcript.answer(answerId);
    // When several tries run side by side, each continues from its own tools.
    const turns = conversation.transcript
      .sentTurns()
      .map((turn) => (answer && turn.answers.includes(answer) ? { ...turn, shown: answer } : turn));
    const blocks = (answer?.blocks ?? []).map(({ text }) => ({ length: text.length }));
    const prefill = blocks.length === 0 ? requestPrefill(parameters, notTaken) : '';
    const lastTurn = answer && blocks.length > 0 ? unfinishedText(answer) : prefill;
    // The existing part of the answer counts as a message too.
    const room = limit === undefined || lastTurn === '' ? limit : limit - 1;
    const { messages } = compactTurns(turns, room, { model, account: this.account });
    return {
      messages: goingOnFrom(callsAsText.has(model) ? toolCallsAsText(messages) : messages, lastTurn),
      parameters: requestParameters(parameters, { notTaken, editorTools: options.tools.list() }),
      beginning: { blocks, unfinished: answer ? unfinishedBlock(answer) : -1, prefill },
    };
  }

  private finish(): void {
    this.isFinished = true;
    this.notify();
  }

  /** To be called when the answer or one of its calls changed. */
  notify(): void {
    for (const follower of this.followers) follower();
  }
}

/**
 * Returns a function that emits what was added to an answer since its last call. `have` is the number of characters of each block
 * that the page already has.
 */
export function createDeltaPublisher(have: readonly number[], emit: (chunk: AnswerChunk) => void) {
  const lengths = [...have];
  const kinds: string[] = [];
  const toldCalls = new Map<number, string>();
  let toldState: string | undefined;

  return (answer: TranscriptAnswer, running: RunningAnswer | undefined, calls: CallViews): void => {
    const state = toAnswerState(answer, running);
    const told = `${state.state} ${state.wait?.until ?? ''}`;
    if (toldState !== told) emit({ type: 'state', answer: state });
    toldState = told;
    answer.blocks.forEach((block, index) => {
      const length = lengths[index];
      const isOther = kinds[index] !== undefined && kinds[index] !== block.type;
      kinds[index] = block.type;
      const isNewImage = block.type === 'image' && length === undefined;
      if (isOther || isNewImage || (length !== undefined && block.text.length < length)) {
        emit({ type: 'replace', block: index, as: toBlock(block) });
        lengths[index] = block.text.length;
        return;
      }
      // A new block is emitted even while it is empty, so that the page has no gaps.
      if (length !== undefined && block.text.length <= length) return;
      const shown = toBlock(block);
      emit({ type: 'append', block: index, kind: shown.kind, ...nameIn(shown), text: shown.text.slice(length ?? 0) });
      lengths[index] = block.text.length;
    });
    calls.forEach((call, block) => {
      const told = JSON.stringify(call);
      if (toldCalls.get(block) !== told) emit({ type: 'toolCall', block, call });
      toldCalls.set(block, told);
    });
  };
}

function nameIn(block: AnswerBlock): { readonly name?: string } {
  return 'name' in block ? { name: block.name } : {};
}
