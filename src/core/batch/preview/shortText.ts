/** Returns the beginning of a text, without half a surrogate pair at its end. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Returns the beginning of a text on one line. */
export function inOneLine(text: string, most: number): string {
  // Longer than what is shown, because white space is collapsed.
  const start = beginning(text, most * 4);
  const one = start.replace(/\s+/g, ' ').trim();
  return one.length > most || start.length < text.length ? `${beginning(one, most)}…` : one;
}
