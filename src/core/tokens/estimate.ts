/**
 * How far an estimate may deviate from a model's count, in percent: within 10 on English prose and code, within 25 on modern Chinese,
 * Japanese, Russian, German and Spanish. Tokenizers themselves differ more than that on other scripts, on classical Chinese and on hashes.
 */
export const estimateErrorPercent = 25;

/**
 * The pieces a tokenizer splits text into before its vocabulary lookup: runs of one script, words with the preceding space, slash, dot or
 * underscore, digits, runs of symbols, runs of white space.
 */
const pieces =
  /(?<han> ?\p{sc=Han}+)|(?<kana> ?[\p{sc=Hiragana}\p{sc=Katakana}ー]+)|(?<hangul> ?\p{sc=Hangul}+)|(?<capitals>[ /._]?[A-Z]{2,}(?![a-z]))|(?<word>[ /._]?\p{Lu}*(?:[\p{Ll}\p{Lm}\p{Lo}]\p{M}*)+|[ /._]?\p{Lu}+)|(?<digits>\p{N}+)|(?<signs> ?[^\s\p{L}\p{N}]+[\r\n]*)|(?<blanks>\s+)/gu;

/** The means of the tokenizers of Qwen 3 and DeepSeek V3; o200k_base takes up to a quarter more for Chinese and Japanese. */
const tokensPerHan = 0.6;
const tokensPerKana = 0.6;
const tokensPerHangul = 0.8;
const signsPerToken = 3;
/** An English word of up to this length is usually one token. */
const lettersPerToken = 7;
/** In other languages written in Latin letters, in words with accents, and in capitals, words are split into smaller tokens. */
const otherLettersPerToken = 4.2;
const accentedLettersPerToken = 2.5;
const capitalsPerToken = 4;
/** A text with a larger share of words with accents is not in English. */
const accentedShare = 0.03;

/** Letters per token of scripts beyond Latin, by the last code point of each. */
const scripts: readonly (readonly [last: number, lettersPerToken: number])[] = [
  // Greek
  [0x3ff, 1.3],
  // Cyrillic
  [0x52f, 3.5],
  // Armenian, Hebrew
  [0x5ff, 1.5],
  // Arabic
  [0x77f, 2.1],
  // Indic scripts
  [0xdff, 1.15],
  // Thai, Lao
  [0xeff, 2.3],
];
const rareLettersPerToken = 1.3;

/**
 * Estimates how many tokens a model counts for `text`. Not a model's own tokenizer: the services offer dozens of models and name no
 * tokenizer. What a model counts differently is learned from its responses, see `LearnedTokens`.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let words = 0;
  let accented = 0;
  /** The tokens of plain Latin words, if the text is in English and if it is in another language. */
  let english = 0;
  let foreign = 0;
  for (const { groups = {} } of text.matchAll(pieces)) {
    const { han, kana, hangul, capitals, word, digits, signs } = groups;
    if (word !== undefined) {
      const letters = word.trimStart();
      const perToken = lettersOf(letters);
      if (perToken === lettersPerToken) {
        words++;
        english += Math.max(1, letters.length / lettersPerToken);
        foreign += Math.max(1, letters.length / otherLettersPerToken);
      } else {
        if (perToken === accentedLettersPerToken) accented++;
        tokens += Math.max(1, letters.length / perToken);
      }
    } else if (signs !== undefined) tokens += signTokens(signs.trim());
    else if (han !== undefined) tokens += tokensPerHan * han.trimStart().length;
    else if (kana !== undefined) tokens += tokensPerKana * kana.trimStart().length;
    else if (hangul !== undefined) tokens += tokensPerHangul * hangul.trimStart().length;
    else if (capitals !== undefined) tokens += Math.max(1, capitals.trimStart().length / capitalsPerToken);
    // Some tokenizers take each digit as one token, the others up to three.
    else if (digits !== undefined) tokens += (digits.length + Math.ceil(digits.length / 3)) / 2;
    else tokens += 1;
  }
  return Math.ceil(tokens + (accented > (words + accented) * accentedShare ? foreign : english));
}

/** Returns how many letters of a word are one token on average. */
function lettersOf(word: string): number {
  const first = word.codePointAt(word.length > 1 && /^[/._]/.test(word) ? 1 : 0) ?? 0;
  if (first < 0x250 || (first >= 0x1e00 && first < 0x1f00))
    return isAscii(word) ? lettersPerToken : accentedLettersPerToken;
  return scripts.find(([last]) => first <= last)?.[1] ?? rareLettersPerToken;
}

/** Signs beyond ASCII, such as Chinese punctuation and emoji, are one token or more each. */
function signTokens(signs: string): number {
  let wide = 0;
  for (const sign of signs) if (sign > '\u007f') wide++;
  return wide + Math.ceil((signs.length - wide) / signsPerToken);
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 0x7f) return false;
  return true;
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
