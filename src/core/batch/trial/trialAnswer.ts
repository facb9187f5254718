import type { ChatCompletionEvent, ChatUsage } from '../../api/chatCompletions/chatCompletionEvents';

/** One of the answers to a line, as far as it has arrived. */
export interface TrialChoice {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Why it ended, in the service's own word. */
  readonly finish: string | undefined;
}

/** The received response of a tested line. */
export interface TrialAnswer {
  readonly choices: readonly TrialChoice[];
  readonly usage: ChatUsage | undefined;
  /** The time since the request was sent; `undefined` until something arrives. */
  readonly firstTokenMs: number | undefined;
}

export interface TrialRecorder {
  /** Call this when the request is sent: times count from here. */
  begin(): void;
  add(event: ChatCompletionEvent): void;
  read(): TrialAnswer;
}

interface GrowingChoice {
  readonly reasoning: string[];
  readonly text: string[];
  readonly calls: { readonly name: string; readonly pieces: string[] }[];
  finish: string | undefined;
}

/** `now` returns the milliseconds of any clock. */
export function createTrialRecorder(now: () => number): TrialRecorder {
  let startedAt = now();
  const choices: GrowingChoice[] = [];
  let usage: ChatUsage | undefined;
  let firstTokenMs: number | undefined;

  const grow = (index: number): GrowingChoice =>
    (choices[index] ??= { reasoning: [], text: [], calls: [], finish: undefined });
  return {
    begin: () => void (startedAt = now()),
    add(event) {
      if (event.type === 'usage') usage = event.usage;
      if (!('index' in event)) return;
      const choice = grow(event.index);
      if (event.type === 'finish') {
        choice.finish = event.reason;
        return;
      }
      firstTokenMs ??= now() - startedAt;
      if (event.type === 'text') choice.text.push(event.text);
      else if (event.type === 'reasoning') choice.reasoning.push(event.text);
      else if (event.type === 'toolCall') choice.calls[event.call] = { name: event.name, pieces: [] };
      else if (event.type === 'toolArguments') choice.calls[event.call]?.pieces.push(event.text);
    },
    read: () => ({ choices: choices.filter(Boolean).map(toChoice), usage, firstTokenMs }),
  };
}

function toChoice({ reasoning, text, calls, finish }: GrowingChoice): TrialChoice {
  return {
    reasoning: reasoning.join(''),
    text: text.join(''),
    calls: calls.filter(Boolean).map(({ name, pieces }) => ({ name, arguments: pieces.join('') })),
    finish,
  };
}
