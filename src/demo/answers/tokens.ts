/** Approximates a tokenizer: up to seven letters (about four on average), or one to two Chinese characters, per token. */
const tokenPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,2}| ?[A-Za-z0-9_\u00c0-\u024f]{1,7}|\n+| +|[\s\S]/gu;

/** Splits a text into tokens; joined, they give the text again. */
export function tokenise(text: string): readonly string[] {
  return text.match(tokenPattern) ?? [];
}

export const countTokens = (text: string): number => tokenise(text).length;
