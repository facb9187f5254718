import { lastCalls, stoppedText } from '../../../core/conversation/toolRounds';
import type { ToolCall } from '../../../core/conversation/toolRounds';
import type { AnswerRun } from '../answerRun';

/** Runs the allowed calls of one answer, all of them in parallel. */
export class ToolRunner {
  /** By the call's block index. */
  private readonly runs = new Map<number, Promise<void>>();
  /** Calls the user allowed this once. */
  private readonly once = new Set<number>();
  /** Makes `work` check again. */
  private wake: () => void = () => {};

  constructor(private readonly answering: AnswerRun) {}

  /** The blocks of the running calls. */
  get running(): ReadonlySet<number> {
    return new Set(this.runs.keys());
  }

  allow(block: number): void {
    this.once.add(block);
    this.wake();
  }

  /** Runs the allowed calls, including those allowed meanwhile. Resolves with whether every call of the last message has its result. */
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
    const { conversation, answerId } = this.answering.sending;
    const answer = conversation.transcript.answer(answerId);
    return answer ? lastCalls(answer).filter(({ block }) => !block.result) : [];
  }

  private startIfAllowed(call: ToolCall, signal: AbortSignal): void {
    const { index } = call;
    const { sending, engine } = this.answering;
    const { conversation } = sending;
    const access = engine.tools;
    if (this.runs.has(index)) return;
    const { source, name } = access.offered(conversation.transcript).get(call.name) ?? {};
    if (source !== 'editor' || name === undefined || !access.mayRun) return;
    // A call interrupted by the editor closing may have completed, so it does not run again without asking.
    const isAlways = call.block.toolStartedAt === undefined && conversation.transcript.allowedTools.has(name);
    if (!isAlways && !this.once.has(index)) return;
    this.once.delete(index);
    const run = this.run(call, name, signal).finally(() => {
      this.runs.delete(index);
      this.answering.notify();
    });
    this.runs.set(index, run);
    this.answering.notify();
  }

  private async run({ index, input }: ToolCall, name: string, signal: AbortSignal): Promise<void> {
    const { conversation, answerId: answer } = this.answering.sending;
    const { options, tools } = this.answering.engine;
    await conversation.record([{ kind: 'toolStart', answer, index, at: options.now() }]);
    const { text, isError } = await tools.run(name, input, signal);
    if (signal.reason === abandoned) return;
    const result = signal.aborted
      ? { text: stoppedText, isError: true, by: 'stopped' as const }
      : { text, isError, by: 'tool' as const };
    await conversation.record([{ kind: 'toolResult', answer, index, at: options.now(), ...result }]);
  }
}

/** Abort reason of a run that should look as if the editor closed. */
export const abandoned = new Error('The editor closes.');
