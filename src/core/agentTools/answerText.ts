/** The longest answer, in characters: about 6,000 tokens. */
export const longestAnswer = 24_000;

/** Cuts `text` to `most` characters and states the number of omitted ones. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

/** Joins the text into one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), most);
}

/** Scores for models have up to this many decimals; see `scoreText`. */
export const scoreDecimals = [0, 4] as const;

/** Joins as many parts as fit with empty lines, and states the number of omitted ones. */
export function joinParts(head: string, parts: readonly string[], most = longestAnswer): string {
  let text = head;
  for (const [index, part] of parts.entries()) {
    if (text.length + part.length > most)
      return `${text}\n\n(${parts.length - index} more omitted. Request fewer at a time.)`;
    text += `\n\n${part}`;
  }
  return text;
}
