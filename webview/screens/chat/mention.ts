/** A `#` or full-width `＃`, or a `/` at the start, after a space, or after a Chinese or Japanese character, and the text after it. */
export interface Mention {
  /** `/` lists commands, `#` what can be attached. */
  readonly sign: '#' | '/';
  /** Index of the sign. */
  readonly start: number;
  /** Index of the end of the word. */
  readonly end: number;
  /** The text between the `#` and the cursor. */
  readonly query: string;
  /** Whether it directly follows a Latin letter, a digit, or the like, as in `C#` and in links, so that it might not be meant as one. */
  readonly isInWord: boolean;
}

/** Returns the `#` word at the cursor; `undefined` if there is none. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const before = /(?<![#＃])[#＃]([^\s#＃]*)$/u.exec(text.slice(0, cursor));
  if (!before) return commandAt(text, cursor);
  const query = before[1] ?? '';
  // Chinese has no spaces, so text after the cursor is part of the word only if it can't be a sentence.
  const rest = /^[\w./\\-]*/.exec(text.slice(cursor))?.[0] ?? '';
  const isInWord = /[^\s\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text.slice(0, before.index));
  return { sign: '#', start: before.index, end: cursor + rest.length, query, isInWord };
}

/** A slash within a word belongs to a path or to "and/or". After a Chinese or Japanese character it may be either. */
function commandAt(text: string, cursor: number): Mention | undefined {
  const before = /(^|[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？、；：])[/／]([^\s/／]*)$/u.exec(
    text.slice(0, cursor),
  );
  if (!before) return undefined;
  const query = before[2] ?? '';
  const isInWord = /\S/.test(before[1] ?? '');
  const rest = /^[\w-]*/.exec(text.slice(cursor))?.[0] ?? '';
  return { sign: '/', start: cursor - query.length - 1, end: cursor + rest.length, query, isInWord };
}

/** Returns the text without the word and one of the spaces around it. */
export function withoutWord(text: string, { start, end }: Mention): { readonly text: string; readonly cursor: number } {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const hasSpaceBefore = before === '' || /\s$/u.test(before);
  return { text: before + (hasSpaceBefore ? after.replace(/^ /, '') : after), cursor: start };
}
