/** Thousands and decimal commas mean different things to different people; neither is guessed. */
const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** The number a person typed; `undefined` for what is none. */
export function typedNumber(typed: string): number | undefined {
  const text = typed.trim();
  return numberPattern.test(text) ? Number(text) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** What is meant by a text in which `\n`, `\r`, `\t` and `\\` are typed. */
export function unescaped(typed: string): string {
  return typed.replace(/\\([nrt\\])/g, (_all, letter: string) => escapes[letter] ?? letter);
}

/** A text as it is typed into one line. */
export function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
