import type { CompletionChoice } from '../api/completions/completionEvents';

/** One answer of several, with how often it came. */
export interface Alternative {
  readonly text: string;
  /** How many of the answers read exactly so. */
  readonly count: number;
  /** From 0, of the first that reads so. */
  readonly index: number;
  /** Why they ended, each reason once; empty where none was told. */
  readonly finishReasons: readonly string[];
}

/** Answers that read the same become one, in the order they came. */
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
