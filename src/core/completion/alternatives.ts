import type { CompletionChoice } from '../api/completions/completionEvents';

/** One distinct answer of several, with its number of occurrences. */
export interface Alternative {
  readonly text: string;
  /** How many of the answers have exactly this text. */
  readonly count: number;
  /** Index of the first answer with this text, from 0. */
  readonly index: number;
  /** The distinct finish reasons of these answers. Empty if none was reported. */
  readonly finishReasons: readonly string[];
}

/** Merges answers with equal text into one, in order of first occurrence. */
export function foldAlternatives(choices: readonly CompletionChoice[]): readonly Alternative[] {
  const byText = new Map<string, CompletionChoice[]>();
  for (const choice of choices) {
    const same = byText.get(choice.text);
    if (same) same.push(choice);
    else byText.set(choice.text, [choice]);
  }
  return [...byText].map(([text, same]) => ({
    text,
    count: same.length,
    index: same[0]!.index,
    finishReasons: [...new Set(same.flatMap(({ finish_reason }) => finish_reason ?? []))],
  }));
}
