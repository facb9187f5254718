/** How to append a line to a file of lines. */
export interface Addition {
  /** Where to insert, as a UTF-16 offset: after the last line that is not blank. */
  readonly offset: number;
  readonly text: string;
}

/** Appends a line after the content, with the file's own line endings; blank lines at the end stay after it. */
export function appendLine(content: string, line: string): Addition {
  const eol = lineEnd(content);
  const used = content.trimEnd();
  const start = content.startsWith('\ufeff') ? 1 : 0;
  if (used.length <= start) return { offset: start, text: content.length > start ? line : line + eol };
  const offset = used.length;
  return offset === content.length ? { offset, text: eol + line + eol } : { offset, text: eol + line };
}

function lineEnd(content: string): string {
  return /\r?\n/.exec(content)?.[0] ?? '\n';
}

/** Returns a `custom_id` unused in the file: `chat-1`, `chat-2`, and so on for `chat`. A name has only letters, digits and hyphens. */
export function freeCustomId(content: string, name: string): string {
  const ids = new RegExp(`"${name}-(\\d{1,15})"`, 'gu');
  const taken = new Set([...content.matchAll(ids)].map(([, number]) => Number(number)));
  let number = 1;
  while (taken.has(number)) number += 1;
  return `${name}-${number}`;
}
