import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { ConversationRecord } from '../../../core/conversation/record';
import { deniedText, lastCalls } from '../../../core/conversation/toolRounds';
import { shownAnswer } from '../../../core/conversation/transcript';
import type { TranscriptAnswer } from '../../../core/conversation/transcript';
import type { Turn } from '../../../protocol/chat';
import type { ToolDecision } from '../../../protocol/chatTools';
import type { ChatEngine } from './chatEngine';
import type { ShownConversation } from './shownConversation';
import { notWritten, stillAnswering, turnGone } from './chatMessages';
import * as l10n from '@vscode/l10n';
import { UserError } from '../../../platform/errors/userError';

interface DecidedCall {
  readonly turnId: string;
  /** If absent, the shown try. */
  readonly tryId?: string;
  readonly block: number;
  readonly decision: ToolDecision;
}

/** The tools of the conversation a location shows. */
export class ConversationTools {
  /** Serialized, because two calls of one answer may be decided at the same time. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly engine: ChatEngine,
    private readonly shown: ShownConversation,
  ) {}

  /** The editor's tools that run without asking. */
  async allowed(): Promise<ReadonlySet<string>> {
    return (await this.shown.current()).transcript.allowedTools;
  }

  async forbid(tool: string): Promise<void> {
    const conversation = await this.shown.current();
    if (!conversation.transcript.allowedTools.has(tool)) return;
    await conversation.record([{ kind: 'toolAllowed', at: this.engine.services.clock.now(), tool, allowed: false }]);
  }

  /** Records the decision, runs the call if allowed, and continues the answer once all its calls have results. */
  decide(call: DecidedCall): Promise<Turn> {
    const decided = this.last.then(async () => this.decideNow(await this.shown.current(), call));
    this.last = decided.catch(() => {});
    return decided;
  }

  private async decideNow(conversation: Conversation, call: DecidedCall): Promise<Turn> {
    const { answers } = this.engine;
    const { block, decision, turnId } = call;
    const { id, model } = this.answerOf(conversation, call);
    // A running answer continues with the account it began with.
    if (!answers.of(id)) await answers.requireModels([model], true);
    const answer = this.answerOf(conversation, call);
    await this.write(conversation, answer.id, call);
    const allowed = decision.type === 'allow' ? [block] : [];
    const running = answers.of(answer.id);
    if (!running?.noteDecision(allowed[0])) {
      await running?.finished;
      const isAnswered = lastCalls(answer).every(({ block: { result } }) => result);
      // Another location may have continued it in the meantime.
      const isWaiting = !answers.of(answer.id) && (isAnswered || allowed.length > 0);
      if (isWaiting) answers.continueCalls(conversation, answer, turnId, allowed);
    }
    return answers.describe(conversation, conversation.transcript.turn(turnId)!);
  }

  /** Returns the answer that contains the call. Throws if the call cannot be decided, or not in this way. */
  private answerOf({ transcript }: Conversation, { turnId, tryId, block, decision }: DecidedCall): TranscriptAnswer {
    const { answers, tools } = this.engine;
    const turn = transcript.turns().at(-1);
    const answer = tryId === undefined ? turn && shownAnswer(turn) : turn?.answers.find(({ id }) => id === tryId);
    if (turn?.id !== turnId || !answer) throw turnGone();
    const running = answers.of(answer.id);
    if (running && !running.isAtTools) throw stillAnswering();
    const call = lastCalls(answer).find(({ index }) => index === block);
    if (!call || call.block.result || running?.runningCalls.has(block)) throw callGone();
    const tool = tools.offered(transcript).get(call.name);
    if (decision.type === 'allow' && (tool?.source !== 'editor' || !tools.mayRun)) throw callGone();
    return answer;
  }

  /** Throws, with nothing decided, if it can't be recorded, because what is sent back must be on record. */
  private async write(
    conversation: Conversation,
    answer: string,
    { block: index, decision }: DecidedCall,
  ): Promise<void> {
    const { tools, services } = this.engine;
    const at = services.clock.now();
    const record = (text: string, isError: boolean, by: 'person' | 'denied'): ConversationRecord => {
      return { kind: 'toolResult', answer, index, at, text, isError, by };
    };
    const records: ConversationRecord[] = [];
    if (decision.type === 'deny') records.push(record(deniedText(decision.words), true, 'denied'));
    else if (decision.type === 'result') records.push(record(decision.text, decision.isError, 'person'));
    else if (decision.always) {
      const name = conversation.transcript.answer(answer)?.blocks[index]?.name ?? '';
      const tool = tools.offered(conversation.transcript).get(name);
      if (tool) records.push({ kind: 'toolAllowed', at, tool: tool.name, allowed: true });
    }
    if (records.length === 0) return;
    await conversation.record(records, { durable: true }).catch((error: unknown) => {
      throw notWritten(error);
    });
  }
}

/** The call has been decided in the meantime, or is not a call. */
function callGone(): UserError {
  return new UserError(
    l10n.t("Couldn't allow or deny the tool call"),
    l10n.t("The call already has a result, or its tool isn't available."),
  );
}
