import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { ConversationRecord } from '../../../core/conversation/record';
import { deniedText, lastCalls } from '../../../core/conversation/toolRounds';
import { shownAnswer } from '../../../core/conversation/transcript';
import type { TranscriptAnswer } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import type { ToolDecision } from '../../../protocol/chatTools';
import { describeTurn } from '../chatDescription';
import type { ChatSessionOptions } from '../chatSession';

export interface DecidedCall {
  readonly turnId: string;
  /** If absent, the shown try. */
  readonly tryId?: string;
  readonly block: number;
  readonly decision: ToolDecision;
}

/** The tools of the conversation a location shows. */
export interface ConversationTools {
  /** The editor's tools that run without asking. */
  allowed(): Promise<ReadonlySet<string>>;
  forbid(tool: string): Promise<void>;
  /** Records the decision, runs the call if allowed, and continues the answer once all its calls have results. */
  decide(call: DecidedCall): Promise<Turn>;
}

export function createConversationTools(options: ChatSessionOptions): ConversationTools {
  const { shown, now } = options;
  // Serialized, because two calls of one answer may be decided at the same time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    allowed: async () => (await shown.current()).transcript.allowedTools,
    async forbid(tool) {
      const conversation = await shown.current();
      if (!conversation.transcript.allowedTools.has(tool)) return;
      await conversation.record([{ kind: 'toolAllowed', at: now(), tool, allowed: false }]);
    },
    decide(call) {
      const decided = last.then(async () => decide(await shown.current(), call, options));
      last = decided.catch(() => {});
      return decided;
    },
  };
}

async function decide(conversation: Conversation, call: DecidedCall, options: ChatSessionOptions): Promise<Turn> {
  const { runs, scheduler } = options;
  const { block, decision, turnId } = call;
  const answer = answerOf(conversation, call, options);
  await write(conversation, answer.id, call, options);
  const allowed = decision.type === 'allow' ? [block] : [];
  const run = runs.of(answer.id);
  if (!run?.heed(allowed[0])) {
    await run?.finished;
    const isAnswered = lastCalls(answer).every(({ block: { result } }) => result);
    // Another location may have continued it in the meantime.
    const isWaiting = !runs.of(answer.id) && (isAnswered || allowed.length > 0);
    if (isWaiting) scheduler.goOn(conversation, answer, turnId, allowed);
  }
  return describeTurn(conversation, conversation.transcript.turn(turnId)!, options);
}

/** Returns the answer that contains the call. Throws if the call cannot be decided, or not in this way. */
function answerOf(
  { transcript }: Conversation,
  { turnId, tryId, block, decision }: DecidedCall,
  { words, callWords, runs, access }: ChatSessionOptions,
): TranscriptAnswer {
  const turn = transcript.turns().at(-1);
  const answer = tryId === undefined ? turn && shownAnswer(turn) : turn?.answers.find(({ id }) => id === tryId);
  if (turn?.id !== turnId || !answer) throw words.turnGone();
  const run = runs.of(answer.id);
  if (run && !run.isAtTools) throw words.stillAnswering();
  const call = lastCalls(answer).find(({ index }) => index === block);
  if (!call || call.block.result || run?.runningCalls.has(block)) throw callWords.callGone();
  const tool = access.offered(transcript).get(call.name);
  if (decision.type === 'allow' && (tool?.source !== 'editor' || !access.mayRun)) throw callWords.callGone();
  return answer;
}

/** Throws, with nothing decided, if it cannot be recorded: what is sent back must be on record. */
async function write(
  conversation: Conversation,
  answer: string,
  { block: index, decision }: DecidedCall,
  { access, words, now }: ChatSessionOptions,
): Promise<void> {
  const at = now();
  const record = (text: string, isError: boolean, by: 'person' | 'denied'): ConversationRecord => {
    return { kind: 'toolResult', answer, index, at, text, isError, by };
  };
  const records: ConversationRecord[] = [];
  if (decision.type === 'deny') records.push(record(deniedText(decision.words), true, 'denied'));
  else if (decision.type === 'result') records.push(record(decision.text, decision.isError, 'person'));
  else if (decision.always) {
    const name = conversation.transcript.answer(answer)?.blocks[index]?.name ?? '';
    const tool = access.offered(conversation.transcript).get(name);
    if (tool) records.push({ kind: 'toolAllowed', at, tool: tool.name, allowed: true });
  }
  if (records.length === 0) return;
  await conversation.record(records, { durable: true }).catch((error: unknown) => {
    throw words.notWritten(error);
  });
}
