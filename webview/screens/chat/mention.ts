/** A `#` at the start of a word, and the text after it. */
export interface Mention {
  /** Index of the `#`. */
  readonly start: number;
  /** Index of the end of the word. */
  readonly end: number;
  /** The text between the `#` and the cursor. */
  readonly query: string;
}

/** Returns the `#` word at the cursor; `undefined` if there is none. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const before = /(?:^|\s)#([^\s#]*)$/u.exec(text.slice(0, cursor));
  if (!before) return undefined;
  const query = before[1] ?? '';
  const rest = /^[^\s#]*/u.exec(text.slice(cursor))?.[0] ?? '';
  return { start: cursor - query.length - 1, end: cursor + rest.length, query };
}

/** Returns the text without the word and one of the spaces around it. */
export function withoutWord(text: string, { start, end }: Mention): { readonly text: string; readonly cursor: number } {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const hasSpaceBefore = before === '' || /\s$/u.test(before);
  return { text: before + (hasSpaceBefore ? after.replace(/^ /, '') : after), cursor: start };
}
