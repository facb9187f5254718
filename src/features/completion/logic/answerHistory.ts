import { join } from 'node:path';
import type { Completion, CompletionChoice } from '../../../core/api/completions/completionEvents';
import type { Usage } from '../../../core/usage/usage';
import { createJsonFile } from '../../../core/storage/storedFile';
import type { AnswerFacts } from '../factsWords';
import { isObject } from '../../../core/api/isObject';

/** Maximum number of saved characters. The first answers take precedence. */
const mostChars = 4_000_000;
const mostPromptChars = 20_000;
/** Save interval while answers stream, because paid answers should survive closing the window. */
const everyMs = 2000;

/** The last answers, of one request or of several at once. */
export interface SavedAnswers {
  /** Unix milliseconds. */
  readonly at: number;
  /** Only its end, if it is long. */
  readonly prompt: string;
  /** Without token probabilities. */
  readonly choices: readonly CompletionChoice[];
  readonly facts: AnswerFacts;
}

export interface AnswerHistory {
  keep(answers: SavedAnswers): Promise<void>;
  /** Saves answers that are still streaming: throttled, and without waiting for the write. */
  keepGrowing(answers: () => SavedAnswers): void;
  read(): Promise<SavedAnswers | undefined>;
}

export function createAnswerHistory(folder: string, onError: (error: unknown) => void): AnswerHistory {
  const file = createJsonFile(join(folder, 'lastCompletion.json'), readSaved);
  let last = Date.now();
  const keep = (answers: SavedAnswers) => file.write(bounded(answers)).catch(onError);
  return {
    keep,
    keepGrowing(answers) {
      if (Date.now() - last < everyMs) return;
      last = Date.now();
      void keep(answers());
    },
    read: () => file.read(),
  };
}

function bounded({ prompt, choices, ...rest }: SavedAnswers): SavedAnswers {
  let chars = 0;
  const fitting = choices.filter(({ text }) => (chars += text.length) <= mostChars);
  const whole =
    fitting.length > 0 ? fitting : choices.slice(0, 1).map((one) => ({ ...one, text: one.text.slice(0, mostChars) }));
  return { ...rest, prompt: prompt.slice(-mostPromptChars), choices: whole.map(withoutTokens) };
}

function withoutTokens({ index, text, finish_reason }: Completion['choices'][number]): CompletionChoice {
  return { index, text, ...(finish_reason !== undefined && { finish_reason }) };
}

/** `undefined` for data from another version or source. */
function readSaved(raw: unknown): SavedAnswers | undefined {
  if (!isObject(raw) || !isObject(raw['facts'])) return undefined;
  const { at, prompt, choices, facts } = raw;
  if (typeof at !== 'number' || typeof prompt !== 'string' || !Array.isArray(choices)) return undefined;
  const { model, ms, end, usage } = facts;
  if (typeof model !== 'string' || typeof ms !== 'number' || !isUsage(usage)) return undefined;
  if (end !== 'done' && end !== 'stopped' && end !== 'failed') return undefined;
  const text = (name: string) => (typeof facts[name] === 'string' ? facts[name] : undefined);
  return {
    at,
    prompt,
    choices: choices.filter(isChoice),
    facts: {
      model,
      ms,
      end,
      usage,
      finish: text('finish'),
      fingerprint: text('fingerprint'),
      exchangeId: text('exchangeId'),
      requestedModel: text('requestedModel'),
      completionId: text('completionId'),
      traceId: text('traceId'),
      seed: typeof facts['seed'] === 'number' ? facts['seed'] : undefined,
      isPromptCut: facts['isPromptCut'] === true,
    },
  };
}

function isUsage(value: unknown): value is Usage {
  return isObject(value) && typeof value['inputTokens'] === 'number' && typeof value['outputTokens'] === 'number';
}

function isChoice(value: unknown): value is CompletionChoice {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['text'] === 'string';
}
