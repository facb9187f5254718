/** A place in a text that is to be filled in: `{{name}}`, with white space around the name or not. In UTF-16 units. */
export interface Placeholder {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** A backslash before it leaves it as it stands; `start` is the backslash's. */
  readonly isEscaped: boolean;
}

/** No white space is matched apart from the name: a run of it that nothing closes would be tried in every way. */
const pattern = /\\?\{\{([^{}]+)\}\}/g;

export function* findPlaceholders(text: string): Iterable<Placeholder> {
  for (const { 0: found, 1: inner = '', index } of text.matchAll(pattern)) {
    const name = inner.trim();
    if (name === '') continue;
    yield { start: index, end: index + found.length, name, isEscaped: found.startsWith('\\') };
  }
}

/** Puts a value in each place; one without a value, and one that is escaped, stands in the text without its backslash. */
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

/** The same text as one that no place of is filled in, and that reads as it stands once it was filled. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll(pattern, (found, inner: string) => (inner.trim() === '' ? found : `\\${found}`));
}
