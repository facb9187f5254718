/** Longer texts of a file are cut where a message quotes them. */
const shownChars = 60;

/** Formats a text of a file for a message: on one line, and not longer than people read. */
export function shown(text: string): string {
  const cut = text.length > shownChars ? `${text.slice(0, shownChars - 1)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
