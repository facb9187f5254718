/** A prompt as it stands in a box of one line: a line break is `\n`, a backslash is written twice. */
export function toOneLine(prompt: string): string {
  return prompt.replaceAll('\\', '\\\\').replaceAll(/\r\n|\n|\r/g, '\\n');
}

/** The prompt of such a box. A backslash before anything else stands for itself. */
export function fromOneLine(typed: string): string {
  return typed.replaceAll(/\\([\\n])/g, (_, next: string) => (next === 'n' ? '\n' : '\\'));
}
