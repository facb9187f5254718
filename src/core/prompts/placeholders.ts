/** A placeholder in a text: `{{name}}`, with or without white space around the name. Offsets in UTF-16 units. */
export interface Placeholder {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Preceded by a backslash, so it remains as it is; `start` is at the backslash. */
  readonly isEscaped: boolean;
}

/** White space is matched as part of the name: matched separately, an unclosed run of it would cause heavy backtracking. */
const pattern = /\\?\{\{([^{}]+)\}\}/g;

export function* findPlaceholders(text: string): Iterable<Placeholder> {
  for (const { 0: found, 1: inner = '', index } of text.matchAll(pattern)) {
    const name = inner.trim();
    if (name === '') continue;
    yield { start: index, end: index + found.length, name, isEscaped: found.startsWith('\\') };
  }
}

/** Replaces each placeholder by its value; one without a value remains, an escaped one remains without its backslash. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  let filled = '';
  let end = 0;
  for (const place of findPlaceholders(text)) {
    const literal = text.slice(place.start, place.end);
    filled += text.slice(end, place.start);
    filled += place.isEscaped ? literal.slice(1) : (values.get(place.name) ?? literal);
    end = place.end;
  }
  return filled + text.slice(end);
}

/** Returns the text with its placeholders escaped, so that filling it in yields the original text. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll(pattern, (found, inner: string) => (inner.trim() === '' ? found : `\\${found}`));
}
