import type {
  Completion,
  CompletionChoice,
  CompletionEvent,
  CompletionUsage,
  TokenLogprobs,
  CompletionHead,
} from '../api/completions/completionEvents';

/** Records a stream, so that what has arrived is available however the stream ends. */
export interface AnswerRecorder {
  add(event: CompletionEvent): void;
  /** Returns the completion as far as it has arrived. */
  read(): Completion;
}

interface Growing {
  text: string;
  finish: string | undefined;
  readonly logprobs: TokenLogprobs[];
}

export function createAnswerRecorder(): AnswerRecorder {
  const growing = new Map<number, Growing>();
  let whole: Completion | undefined;
  let head: CompletionHead = {};
  let usage: CompletionUsage = {};
  const at = (index: number): Growing => {
    const choice = growing.get(index) ?? { text: '', finish: undefined, logprobs: [] };
    growing.set(index, choice);
    return choice;
  };

  return {
    add(event) {
      if (event.type === 'start') head = headOf(event);
      else if (event.type === 'text') {
        const choice = at(event.index);
        choice.text += event.text;
        if (event.logprobs) choice.logprobs.push(event.logprobs);
      } else if (event.type === 'finish') at(event.index).finish = event.reason;
      else if (event.type === 'usage') usage = event.usage;
      else if (event.type === 'end') whole = event.completion;
    },
    read: () => whole ?? { ...head, usage, choices: [...growing].map(toChoice).sort((a, b) => a.index - b.index) },
  };
}

function headOf({ id, model }: CompletionHead) {
  return { ...(id !== undefined && { id }), ...(model !== undefined && { model }) };
}

function toChoice([index, { text, finish, logprobs }]: readonly [number, Growing]): CompletionChoice {
  const tokens = joined(logprobs);
  return { index, text, ...(finish !== undefined && { finish_reason: finish }), ...(tokens && { logprobs: tokens }) };
}

function joined(parts: readonly TokenLogprobs[]): TokenLogprobs | undefined {
  if (parts.length === 0) return undefined;
  return {
    tokens: parts.flatMap(({ tokens }) => tokens),
    token_logprobs: parts.flatMap(({ token_logprobs }) => token_logprobs),
    top_logprobs: parts.flatMap(({ tokens, top_logprobs }) => top_logprobs ?? tokens.map(() => null)),
  };
}
