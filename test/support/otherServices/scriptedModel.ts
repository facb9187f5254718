/** What a model is asked, apart from the form it comes in. */
export interface Asking {
  /** The text of the last question of the person. */
  readonly question: string;
  readonly tools: readonly ToolOffer[];
  /** What tools gave since that question, newest last. */
  readonly results: readonly string[];
  readonly mustCall?: boolean;
}

export interface ToolOffer {
  readonly name: string;
  /** JSON schema of its input. */
  readonly schema: unknown;
}

export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
}

/**
 * A model that anybody can foresee: it says what it was asked; a tool that the question names it calls once, with what stands in double
 * quotes for each text it needs; and what the tool gave it repeats.
 */
export function scriptedAnswer({ question, tools, results, mustCall = false }: Asking): ModelAnswer {
  const result = results.at(-1);
  if (result !== undefined) {
    return { text: `The tool gave: ${firstWords(result, 12)}`, reasoning: 'The result is there.' };
  }
  const tool = tools.find(({ name }) => question.includes(name)) ?? (mustCall ? tools[0] : undefined);
  if (tool)
    return {
      text: 'I look.',
      reasoning: 'A tool knows that.',
      call: { name: tool.name, input: inputFor(tool, question) },
    };
  return {
    text: `You asked: ${firstWords(question, 20)}\n\n1. It was read.\n2. It is **answered** here.`,
    reasoning: 'A plain question.',
  };
}

function firstWords(text: string, count: number): string {
  return (text.match(/\S+/g) ?? []).slice(0, count).join(' ');
}

function inputFor({ schema }: ToolOffer, question: string): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>>;
    readonly required?: readonly string[];
  };
  const quoted = question.match(/"([^"]*)"/)?.[1] ?? 'nothing';
  const valueOf = (name: string): unknown => {
    const { type, enum: allowed } = properties[name] ?? {};
    if (allowed) return allowed[0];
    if (type === 'array') return [quoted];
    if (type === 'number' || type === 'integer') return 1;
    return type === 'boolean' ? true : quoted;
  };
  return Object.fromEntries(required.map((name) => [name, valueOf(name)]));
}

/** How a model goes on from a text without being asked anything. */
export function scriptedContinuation(prompt: string): string {
  return ` and so it went on after ${firstWords(prompt.split('\n').at(-1) ?? '', 3).toLowerCase() || 'nothing'}.`;
}

/** A text in the pieces it comes in: words with the space before them. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** As many of its tokens as are allowed, and whether that was all. */
export function cut(
  text: string,
  most: number | undefined,
): { readonly tokens: readonly string[]; readonly isWhole: boolean } {
  const tokens = tokensOf(text);
  return most === undefined || tokens.length <= most
    ? { tokens, isWhole: true }
    : { tokens: tokens.slice(0, most), isWhole: false };
}

/** Of each token: every fourth is a doubtful one. */
export function logprobOf(index: number): number {
  return index % 4 === 3 ? -2.5 : -0.0625;
}

/** Of as many dimensions as asked for: texts that share words are near each other. */
export function vectorOf(text: string, dimensions = 8): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of wordsOf(text)) {
    const at = Buffer.from(word).reduce((sum, byte) => sum + byte, 0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** The share of the query's words that a document has. */
export function relevanceOf(query: string, document: string): number {
  const words = wordsOf(query);
  const had = new Set(wordsOf(document));
  return words.filter((word) => had.has(word)).length / Math.max(1, words.length);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
