/** Thousands separators and decimal commas mean different things to different people; neither is guessed. */
const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** Parses a typed number; `undefined` if it is not one. */
export function typedNumber(typed: string): number | undefined {
  const text = typed.trim();
  return numberPattern.test(text) ? Number(text) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** Replaces the typed escapes `\n`, `\r`, `\t` and `\\` by the characters they mean. */
export function unescaped(typed: string): string {
  return typed.replace(/\\([nrt\\])/g, (_all, letter: string) => escapes[letter] ?? letter);
}

/** Escapes a text for a single-line input. */
export function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
