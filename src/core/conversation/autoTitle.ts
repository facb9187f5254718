/** Fits one line of a list; longer titles are cut at a word. */
const maxLength = 60;

/** Returns a conversation's title from its first question: the first line with a letter or digit, without Markdown. */
export function autoTitle(question: string): string {
  const lines = question.split(/[\r\n\u2028\u2029]+/).map(plain);
  const line = lines.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? lines.find((text) => text !== '') ?? '';
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  const head = characters.slice(0, maxLength - 1).join('');
  const space = head.lastIndexOf(' ');
  // Text without spaces, or one very long word, is cut anywhere.
  const whole = space > maxLength / 2 ? head.slice(0, space) : head;
  return `${whole.replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** Removes invisible and bidirectional control characters, and the marks of headings, quotes, list items and fences. */
function plain(line: string): string {
  return line
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|`{3,}\S*)+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
