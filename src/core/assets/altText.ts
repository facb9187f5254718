/** The maximum length that page editors recommend, because screen readers are said to speak it without a pause. */
const maxLength = 125;

/** Derives a file's alt text from its prompt: one line, cut at a word if it is long. Empty if the prompt contains no text. */
export function altTextFrom(prompt: string): string {
  return beginningOf(oneLine(prompt), maxLength);
}

/** Cuts the line to `most` grapheme clusters. */
export function beginningOf(line: string, most: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= most) return line;
  const head = characters.slice(0, most - 1).join('');
  const space = head.lastIndexOf(' ');
  // Text without spaces, or one endless word, is cut mid-word.
  const whole = space > head.length / 2 ? head.slice(0, space) : head;
  return `${whole.replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** Removes line breaks, and characters that are invisible or change the text direction. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
