/** What to search for in texts. */
export interface TextQuery {
  readonly text: string;
  readonly isRegExp?: boolean;
  readonly isCaseSensitive?: boolean;
}

/**
 * Returns a pattern that finds every match. A line end in plain text matches LF and CRLF. Throws `SyntaxError` for an invalid
 * expression.
 */
export function createTextPattern({ text, isRegExp = false, isCaseSensitive = false }: TextQuery): RegExp {
  const flags = isCaseSensitive ? 'gm' : 'gim';
  if (!isRegExp) return new RegExp(escaped(text), `${flags}u`);
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    // Without `u`, unnecessary escapes are allowed.
    return new RegExp(text, flags);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\r?\n`);
}
