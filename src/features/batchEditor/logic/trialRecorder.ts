import { ChatAssembler } from '../../../core/api/chatCompletions/chatAssembler';
import type { ChatUsage } from '../../../core/api/chatCompletions/chatUsage';
import type { TrialAnswer, TrialChoice } from '../../../core/batch/trial/trialText';

/** Reads the response of a tested line. */
export interface TrialRecorder {
  /** Call this when the request is sent: times count from here. */
  begin(): void;
  /** Adds a chunk of the service. */
  add(chunk: unknown): void;
  /** Call this when no more chunks come. */
  end(): void;
  read(): TrialAnswer & { readonly usage: ChatUsage };
}

/** `now` returns the milliseconds of any clock. */
export function createTrialRecorder(now: () => number): TrialRecorder {
  let startedAt = now();
  const assembler = new ChatAssembler();
  let firstTokenMs: number | undefined;
  return {
    begin: () => void (startedAt = now()),
    add(chunk) {
      assembler.add(chunk);
      if (firstTokenMs === undefined && assembler.choices.some(hasBegun)) firstTokenMs = now() - startedAt;
    },
    end: () => assembler.flush([]),
    read: () => ({ choices: assembler.choices, usage: assembler.usage, firstTokenMs }),
  };
}

function hasBegun({ reasoning, text, calls }: TrialChoice): boolean {
  return reasoning !== '' || text !== '' || calls.length > 0;
}
