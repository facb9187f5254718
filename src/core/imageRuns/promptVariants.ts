export interface PromptForms {
  /** Each line that is not blank is a prompt of its own. */
  readonly lines: boolean;
  /** `{red|green|blue}` stands for one of these at a time. */
  readonly alternatives: boolean;
}

/** A group without a bar is text. */
const group = /\{([^{}]*\|[^{}]*)\}/g;

/** How many prompts a text stands for, without making them: it may be more than a machine holds. */
export function countPrompts(text: string, forms: PromptForms): number {
  return promptLines(text, forms).reduce((sum, line) => sum + countAlternatives(line, forms), 0);
}

/** At most so many of the prompts a text stands for, in the order they are written; the last group changes first. */
export function expandPrompts(text: string, forms: PromptForms, most: number): readonly string[] {
  const prompts: string[] = [];
  for (const line of promptLines(text, forms)) {
    for (const whole of forms.alternatives ? eachAlternative(line) : [line]) {
      if (prompts.length >= most) return prompts;
      // A choice that is empty leaves no gap.
      prompts.push(forms.alternatives ? whole.replaceAll(/ {2,}/g, ' ').trim() : whole);
    }
  }
  return prompts;
}

function promptLines(text: string, { lines }: PromptForms): readonly string[] {
  return (lines ? text.split(/\r\n|\r|\n/) : [text]).map((line) => line.trim()).filter(Boolean);
}

function countAlternatives(line: string, { alternatives }: PromptForms): number {
  if (!alternatives) return 1;
  return [...line.matchAll(group)].reduce((product, [, inner = '']) => product * inner.split('|').length, 1);
}

function* eachAlternative(line: string): Generator<string> {
  const [first] = line.matchAll(group);
  if (!first) {
    yield line;
    return;
  }
  const [whole, inner = ''] = first;
  const before = line.slice(0, first.index);
  const after = line.slice(first.index + whole.length);
  for (const choice of inner.split('|')) {
    for (const rest of eachAlternative(after)) yield `${before}${choice.trim()}${rest}`;
  }
}

/** What makes one of several prompts differ from the others: without the words they all begin and end with. */
export function variedParts(prompts: readonly string[]): ReadonlyMap<string, string> {
  const different = [...new Set(prompts)];
  if (different.length < 2) return new Map();
  const words = different.map((prompt) => [...segmenter.segment(prompt)].map(({ segment }) => segment));
  const fewest = Math.min(...words.map(({ length }) => length));
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
