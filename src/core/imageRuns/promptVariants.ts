export interface PromptForms {
  /** Each line that is not blank is a separate prompt. */
  readonly lines: boolean;
  /** `{red|green|blue}` stands for one of these at a time. */
  readonly alternatives: boolean;
}

/** Braces without a bar are plain text. */
const group = /\{([^{}]*)\}/g;

/** Counts the prompts of a text without expanding them, because they may not fit in memory. */
export function countPrompts(text: string, forms: PromptForms): number {
  return promptLines(text, forms).reduce((sum, line) => sum + countAlternatives(line, forms), 0);
}

/** Expands a text to at most `most` prompts, in the order written; the last group varies fastest. */
export function expandPrompts(text: string, forms: PromptForms, most: number): readonly string[] {
  const prompts: string[] = [];
  for (const line of promptLines(text, forms)) {
    for (const whole of forms.alternatives ? eachAlternative(line) : [line]) {
      if (prompts.length >= most) return prompts;
      // An empty choice leaves no gap.
      prompts.push(forms.alternatives ? whole.replaceAll(/ {2,}/g, ' ').trim() : whole);
    }
  }
  return prompts;
}

function promptLines(text: string, { lines }: PromptForms): readonly string[] {
  return (lines ? text.split(/\r\n|\r|\n/) : [text]).map((line) => line.trim()).filter(Boolean);
}

/** Returns the texts of a line that stay the same, and the choices between them. */
function readGroups(line: string): {
  readonly fixed: readonly string[];
  readonly choices: readonly (readonly string[])[];
} {
  const fixed: string[] = [];
  const choices: (readonly string[])[] = [];
  let from = 0;
  for (const { 0: whole, 1: inner = '', index } of line.matchAll(group)) {
    if (!inner.includes('|')) continue;
    fixed.push(line.slice(from, index));
    choices.push(inner.split('|'));
    from = index + whole.length;
  }
  return { fixed: [...fixed, line.slice(from)], choices };
}

function countAlternatives(line: string, { alternatives }: PromptForms): number {
  if (!alternatives) return 1;
  return readGroups(line).choices.reduce((product, { length }) => product * length, 1);
}

function* eachAlternative(line: string): Generator<string> {
  const { fixed, choices } = readGroups(line);
  const chosen = choices.map(() => 0);
  for (let place = 0; place >= 0;) {
    yield fixed.map((text, index) => text + (choices[index]?.[chosen[index] ?? 0]?.trim() ?? '')).join('');
    // The last group varies fastest.
    for (place = choices.length - 1; place >= 0; place--) {
      chosen[place] = ((chosen[place] ?? 0) + 1) % (choices[place]?.length ?? 1);
      if (chosen[place] !== 0) break;
    }
  }
}

/** Returns what distinguishes each of several prompts, without the words with which they all begin and end. */
export function variedParts(prompts: readonly string[]): ReadonlyMap<string, string> {
  const different = [...new Set(prompts)];
  if (different.length < 2) return new Map();
  const words = different.map((prompt) => [...segmenter.segment(prompt)].map(({ segment }) => segment));
  const fewest = words.map(({ length }) => length).reduce((least, one) => Math.min(least, one), Infinity);
  const isShared = (at: number) => words.every((of) => of.at(at) === words[0]!.at(at));
  let start = 0;
  while (start < fewest && isShared(start)) start++;
  let end = 0;
  while (end < fewest - start && isShared(-1 - end)) end++;
  return new Map(
    different.map((prompt, at) => [
      prompt,
      words[at]!.slice(start, words[at]!.length - end)
        .join('')
        .trim(),
    ]),
  );
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
