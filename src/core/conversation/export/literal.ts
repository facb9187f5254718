/** How a language writes JSON values as literals. */
export interface LiteralSyntax {
  readonly indent: string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly key: (text: string) => string;
}

/** JSON's own syntax, for values that another program reads as JSON. */
export const jsonSyntax: LiteralSyntax = {
  indent: '  ',
  words: { true: 'true', false: 'false', null: 'null' },
  key: quoted,
};

/** JSON, except for the one key that would set an object's prototype instead of a property. */
export const typescriptSyntax: LiteralSyntax = {
  ...jsonSyntax,
  key: (text) => (text === '__proto__' ? `[${quoted(text)}]` : quoted(text)),
};

export const pythonSyntax: LiteralSyntax = {
  indent: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  key: quoted,
};

/**
 * Writes a JSON value as a literal. Every line but the first begins with white space or a closing bracket, whatever its strings
 * contain, because their line breaks are escaped.
 */
export function literal(value: unknown, syntax: LiteralSyntax, depth = 0): string {
  if (value === null) return syntax.words.null;
  if (typeof value === 'boolean') return syntax.words[`${value}`];
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return JSON.stringify(value) ?? syntax.words.null;
  const inner = syntax.indent.repeat(depth + 1);
  const outer = syntax.indent.repeat(depth);
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown) => literal(item, syntax, depth + 1))]
    : [
        '{',
        '}',
        Object.entries(value)
          .filter(([, field]) => field !== undefined)
          .map(([key, field]) => `${syntax.key(key)}: ${literal(field, syntax, depth + 1)}`),
      ];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts
    .map((part) => `${inner}${part},`)
    .join('\n')
    .replace(/,$/, '')}\n${outer}${close}`;
}

/**
 * Quotes a string so that it is valid in JSON, TypeScript and Python. Besides what JSON escapes, escapes characters that are a line
 * break somewhere, invisible, or change the text direction, so that the program reads as it runs.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
