/**
 * How far an estimate may deviate from a model's count, in percent. Measured on English, Chinese, Japanese, code, JSON, paths and
 * terminal output against o200k_base.
 */
export const estimateErrorPercent = 25;

/**
 * The pieces a tokenizer splits text into before its vocabulary lookup: words with the preceding space, slash, dot or underscore,
 * up to three digits, one character of a script without spaces, runs of symbols, runs of white space.
 */
const pieces =
  /(?<ideograph>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])|(?<word>[ /._]?\p{Lu}*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[ /._]?\p{Lu}+)|(?<digits>\p{N}{1,3})|(?<signs> ?[^\s\p{L}\p{N}\p{M}]+[\r\n]*)|(?<blanks>\s+)/gu;

/** Letters per token in long words; a word of up to this length is usually one token. Words beyond Latin are split into smaller tokens. */
const lettersPerToken = 7;
const foreignLettersPerToken = 4;
const lastLatinLetter = 0x24f;
/** Two ideographs are often one token; a rare one takes two. */
const tokensPerIdeograph = 0.8;
const signsPerToken = 3;

/**
 * Estimates how many tokens a model counts for `text`. Not a model's own tokenizer: the services offer dozens of models and name no
 * tokenizer.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { groups } of text.matchAll(pieces)) {
    if (groups?.['ideograph'] !== undefined) tokens += tokensPerIdeograph;
    else if (groups?.['word'] !== undefined) tokens += wordTokens(groups['word']);
    else if (groups?.['signs'] !== undefined) tokens += Math.ceil(groups['signs'].trim().length / signsPerToken);
    else tokens += 1;
  }
  return Math.ceil(tokens);
}

function wordTokens(word: string): number {
  const letters = word.trimStart();
  const perToken = (letters.codePointAt(0) ?? 0) > lastLatinLetter ? foreignLettersPerToken : lettersPerToken;
  return Math.max(1, letters.length / perToken);
}

/** Yields the texts of messages and their parts; images are not texts. */
export function* textsOf(messages: unknown): Iterable<string> {
  if (!Array.isArray(messages)) return;
  for (const message of messages as readonly { readonly content?: unknown; readonly text?: unknown }[]) {
    if (typeof message?.content === 'string') yield message.content;
    else if (typeof message?.text === 'string') yield message.text;
    else yield* textsOf(message?.content);
  }
}
