/** A request to a model, independent of its format. */
export interface Asking {
  /** The text of the user's last question. */
  readonly question: string;
  readonly tools: readonly ToolOffer[];
  /** The tool results since that question, newest last. */
  readonly results: readonly string[];
  readonly mustCall?: boolean;
}

export interface ToolOffer {
  readonly name: string;
  /** The JSON schema of its input. */
  readonly schema: unknown;
}

export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
}

/**
 * A predictable model: it repeats the question, calls a tool that the question names once, with the text in double quotes for each required
 * string, and repeats the tool's result.
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

/** Returns the model's continuation of a text without a question. */
export function scriptedContinuation(prompt: string): string {
  return ` and so it went on after ${firstWords(prompt.split('\n').at(-1) ?? '', 3).toLowerCase() || 'nothing'}.`;
}

/** Splits a text into streamed tokens: words with the space before them. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Returns as many tokens as allowed, and whether that was all. */
export function cut(
  text: string,
  most: number | undefined,
): { readonly tokens: readonly string[]; readonly isWhole: boolean } {
  const tokens = tokensOf(text);
  return most === undefined || tokens.length <= most
    ? { tokens, isWhole: true }
    : { tokens: tokens.slice(0, most), isWhole: false };
}

/** Returns the logprob of each token, of which every fourth is uncertain. */
export function logprobOf(index: number): number {
  return index % 4 === 3 ? -2.5 : -0.0625;
}

/** Returns an embedding with the requested dimensions. Texts with common words are close to each other. */
export function vectorOf(text: string, dimensions = 8): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of wordsOf(text)) {
    const at = Buffer.from(word).reduce((sum, byte) => sum + byte, 0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** Returns the share of the query's words in a document. */
export function relevanceOf(query: string, document: string): number {
  const words = wordsOf(query);
  const had = new Set(wordsOf(document));
  return words.filter((word) => had.has(word)).length / Math.max(1, words.length);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
