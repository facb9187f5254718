/** A text as a CSS string, quotes included. Every character that could mean something in CSS is written as its number. */
export function cssText(text: string): string {
  const escaped = Array.from(text, (character) =>
    /[\p{L}\p{N} ]/u.test(character) ? character : `\\${character.codePointAt(0)!.toString(16)} `,
  );
  return `"${escaped.join('')}"`;
}
