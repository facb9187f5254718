/** Roughly what a tokenizer makes of text: about four letters, or one to two Chinese characters, to a token. */
const tokenPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,2}| ?[A-Za-z0-9_\u00c0-\u024f]{1,7}|\n+| +|[\s\S]/gu;

/** Pieces that joined give the text again. */
export function tokenise(text: string): readonly string[] {
  return text.match(tokenPattern) ?? [];
}

export const countTokens = (text: string): number => tokenise(text).length;
