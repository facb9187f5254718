/** Returns a text as a CSS string, including quotes. Every character that could have a meaning in CSS is escaped by its code point. */
export function cssText(text: string): string {
  const escaped = Array.from(text, (character) =>
    /[\p{L}\p{N} ]/u.test(character) ? character : `\\${character.codePointAt(0)!.toString(16)} `,
  );
  return `"${escaped.join('')}"`;
}
