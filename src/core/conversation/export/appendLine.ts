/** How one more line gets to the end of a file of lines. */
export interface Addition {
  /** Where to insert, in UTF-16 offsets: behind the last line that is not blank. */
  readonly offset: number;
  readonly text: string;
}

/** Adds a line in the file's own line ends, after what it holds; blank lines at its end stay behind it. */
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

/** A `custom_id` no line of the file has: `chat-1`, `chat-2`, and so on for `chat`. A name is letters, digits and hyphens. */
export function freeCustomId(content: string, name: string): string {
  const ids = new RegExp(`"${name}-(\\d{1,15})"`, 'gu');
  const taken = new Set([...content.matchAll(ids)].map(([, number]) => Number(number)));
  let number = 1;
  while (taken.has(number)) number += 1;
  return `${name}-${number}`;
}
