/**
 * Sounds spoken per second, by the kind of character. Mandarin 5.2, English 6.2 and Japanese 7.8 syllables per second: Pellegrino, Coupé
 * and Marsico, "A cross-language perspective on speech information rate", Language 87(3), 2011. A letter of an alphabet is about 0.4
 * syllables, so 15 letters per second. A digit is a separate word.
 */
const perSecond = { han: 5.2, kana: 7.8, hangul: 6.2, digit: 4, letter: 15 } as const;

/** Estimates how long it takes to speak a text. Returns 0 if nothing in it is spoken. */
export function speakingSeconds(text: string): number {
  let seconds = 0;
  for (const character of text.normalize('NFC')) {
    const kind = kindOf(character);
    if (kind !== undefined) seconds += 1 / perSecond[kind];
  }
  return seconds;
}

function kindOf(character: string): keyof typeof perSecond | undefined {
  if (/\p{Script=Han}/u.test(character)) return 'han';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return 'kana';
  if (/\p{Script=Hangul}/u.test(character)) return 'hangul';
  if (/\p{N}/u.test(character)) return 'digit';
  return /\p{L}/u.test(character) ? 'letter' : undefined;
}

/** People speak up to twice as fast as average, and pause: outside these bounds, words are missing or superfluous. */
const mostOfMiddle = 2;
const leastOfMiddle = 0.3;

/** Whether a text can be what is spoken in this many seconds. */
export function textFits(textSeconds: number, seconds: number): 'fits' | 'tooMuch' | 'tooLittle' {
  if (textSeconds > seconds * mostOfMiddle) return 'tooMuch';
  return textSeconds < seconds * leastOfMiddle ? 'tooLittle' : 'fits';
}
