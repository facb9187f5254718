/** Caches formatters: creating one costs as much as formatting a hundred values, and lists format thousands. */
const made = new Map<string, unknown>();

function kept<Format>(kind: string, language: string, options: object, make: (language: string) => Format): Format {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const format = (made.get(key) as Format | undefined) ?? make(knownLanguage(language));
  made.set(key, format);
  return format;
}

/** Returns the canonical language tag, or `en` if `language` is not a valid tag, which `Intl` and a page's `lang` would reject. */
export function knownLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept('number', language, options, (tag) => new Intl.NumberFormat(tag, options));
}

export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept('date', language, options, (tag) => new Intl.DateTimeFormat(tag, options));
}

export function ageFormat(language: string): Intl.RelativeTimeFormat {
  const options = { style: 'short', numeric: 'auto' } as const;
  return kept('age', language, options, (tag) => new Intl.RelativeTimeFormat(tag, options));
}

/** Returns a comparer that sorts as is usual in `language`, with numbers in the texts compared by value. */
export function nameOrder(language: string): (first: string, second: string) => number {
  return kept('order', language, {}, (tag) => new Intl.Collator(tag, { numeric: true })).compare;
}

/** Joins texts, without a final "and" if the language allows that, e.g. "a, b, c" or "a、b、c". Empty parts are omitted. */
export function listText(parts: readonly (string | false | undefined)[], language: string): string {
  const [first = '', ...others] = parts.filter((part) => typeof part === 'string').filter((part) => part !== '');
  if (others.length === 0) return first;
  const options = { type: 'conjunction', style: 'narrow' } as const;
  return kept('list', language, options, (tag) => new Intl.ListFormat(tag, options)).format([first, ...others]);
}
