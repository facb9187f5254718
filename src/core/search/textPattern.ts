/** What is looked for in texts. */
export interface TextQuery {
  readonly text: string;
  readonly isRegExp?: boolean;
  readonly isCaseSensitive?: boolean;
}

/** Finds every place of it. A line end in plain text stands for either kind. Throws `SyntaxError` for a faulty expression. */
export function createTextPattern({ text, isRegExp = false, isCaseSensitive = false }: TextQuery): RegExp {
  const flags = isCaseSensitive ? 'gm' : 'gim';
  if (!isRegExp) return new RegExp(escaped(text), `${flags}u`);
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    // Without `u`, signs may be escaped that need not be.
    return new RegExp(text, flags);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\r?\n`);
}
