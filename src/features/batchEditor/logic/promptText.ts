/** Escapes a prompt for a single-line input box: a line break becomes `\n`, a backslash is doubled. */
export function toOneLine(prompt: string): string {
  return prompt.replaceAll('\\', '\\\\').replaceAll(/\r\n|\n|\r/g, '\\n');
}

/** Reverses `toOneLine`. A backslash before any other character is literal. */
export function fromOneLine(typed: string): string {
  return typed.replaceAll(/\\([\\n])/g, (_, next: string) => (next === 'n' ? '\n' : '\\'));
}
