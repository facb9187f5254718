import type { Conversation } from '../../../core/conversation/conversationFolder';
import { lastCalls, stoppedText } from '../../../core/conversation/toolRounds';
import type { ToolCall } from '../../../core/conversation/toolRounds';
import type { ToolAccess } from './toolAccess';

export interface ToolRunnerOptions {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly access: ToolAccess;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A call began or ended. */
  readonly onNews: () => void;
}

/** Runs the calls of one answer that are allowed, as many at once as there are. */
export class ToolRunner {
  /** By the call's block. */
  private readonly runs = new Map<number, Promise<void>>();
  /** Allowed by the person for this time. */
  private readonly once = new Set<number>();
  /** Lets `work` look again. */
  private wake: () => void = () => {};

  constructor(private readonly options: ToolRunnerOptions) {}

  /** The blocks whose calls run. */
  get running(): ReadonlySet<number> {
    return new Set(this.runs.keys());
  }

  allow(block: number): void {
    this.once.add(block);
    this.wake();
  }

  /** Runs what is allowed, also what is allowed meanwhile. Whether every call of the last message has its result then. */
  async work(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const calls = this.open();
      if (!signal.aborted) for (const call of calls) this.startIfAllowed(call, signal);
      if (this.runs.size === 0) return calls.length === 0 && !signal.aborted;
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      await Promise.race([...this.runs.values(), woken]);
    }
  }

  private open(): readonly ToolCall[] {
    const { conversation, answerId } = this.options;
    const answer = conversation.transcript.answer(answerId);
    return answer ? lastCalls(answer).filter(({ block }) => !block.result) : [];
  }

  private startIfAllowed(call: ToolCall, signal: AbortSignal): void {
    const { index } = call;
    const { conversation, access } = this.options;
    if (this.runs.has(index)) return;
    const { source, name } = access.offered(conversation.transcript).get(call.name) ?? {};
    if (source !== 'editor' || name === undefined || !access.mayRun) return;
    // What was cut off by the end of the editor may have done its work: it is not run again unasked.
    const isAlways = call.block.toolStartedAt === undefined && conversation.transcript.allowedTools.has(name);
    if (!isAlways && !this.once.has(index)) return;
    this.once.delete(index);
    const run = this.run(call, name, signal).finally(() => {
      this.runs.delete(index);
      this.options.onNews();
    });
    this.runs.set(index, run);
    this.options.onNews();
  }

  private async run({ index, input }: ToolCall, name: string, signal: AbortSignal): Promise<void> {
    const { conversation, answerId: answer, access, now } = this.options;
    await conversation.record([{ kind: 'toolStart', answer, index, at: now() }]);
    const { text, isError } = await access.run(name, input, signal);
    if (signal.reason === abandoned) return;
    const result = signal.aborted
      ? { text: stoppedText, isError: true, by: 'stopped' as const }
      : { text, isError, by: 'tool' as const };
    await conversation.record([{ kind: 'toolResult', answer, index, at: now(), ...result }]);
  }
}

/** Why a run is ended that is to look cut off by the end of the editor. */
export const abandoned = new Error('The editor closes.');
