/**
 * How far an estimate may be from what a model counts, in percent. Measured on English, Chinese, Japanese, code, JSON, paths and
 * a terminal's output against o200k_base.
 */
export const estimateErrorPercent = 25;

/**
 * What a tokenizer splits text into before it looks anything up: words with the space, slash, dot or underscore before them,
 * digits by three, one character of a script without spaces, runs of signs, runs of blanks.
 */
const pieces =
  /(?<ideograph>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])|(?<word>[ /._]?\p{Lu}*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[ /._]?\p{Lu}+)|(?<digits>\p{N}{1,3})|(?<signs> ?[^\s\p{L}\p{N}\p{M}]+[\r\n]*)|(?<blanks>\s+)/gu;

/** Letters of one token in long words; a word up to this long is mostly one token. Words beyond Latin are cut smaller. */
const lettersPerToken = 7;
const foreignLettersPerToken = 4;
const lastLatinLetter = 0x24f;
/** Two ideographs are often one token, rare ones are two. */
const tokensPerIdeograph = 0.8;
const signsPerToken = 3;

/** About how many tokens a model counts for `text`. No model's own tokenizer: the services offer dozens, and name none. */
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
