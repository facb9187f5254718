/** What readers of screens are said to speak without a pause, and editors of pages ask for at most. */
const maxLength = 125;

/** A description of a file as its prompt makes it: one line, cut at a word where it is long. Empty where it says nothing. */
export function altTextFrom(prompt: string): string {
  return beginningOf(oneLine(prompt), maxLength);
}

/** At most so many characters as people count them. */
export function beginningOf(line: string, most: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= most) return line;
  const head = characters.slice(0, most - 1).join('');
  const space = head.lastIndexOf(' ');
  // A script without spaces, or one endless word, is cut where it is.
  const whole = space > head.length / 2 ? head.slice(0, space) : head;
  return `${whole.replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** Without line ends, and without characters that are not seen or turn the line around. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
