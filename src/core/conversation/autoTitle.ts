/** A line of a list; longer names are cut at a word. */
const maxLength = 60;

/** A conversation's name as its first question makes it: the first line that says something, without its markup. */
export function autoTitle(question: string): string {
  const lines = question.split(/[\r\n\u2028\u2029]+/).map(plain);
  const line = lines.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? lines.find((text) => text !== '') ?? '';
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  const head = characters.slice(0, maxLength - 1).join('');
  const space = head.lastIndexOf(' ');
  // A script without spaces, or one endless word, is cut where it is.
  const whole = space > maxLength / 2 ? head.slice(0, space) : head;
  return `${whole.replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** Without characters that are not seen or turn the line around, and without what begins a heading, quote, item or fence. */
function plain(line: string): string {
  return line
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|`{3,}\S*)+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
