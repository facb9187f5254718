/** A formatter costs as much to make as a hundred values to format, and lists format thousands: each is made once. */
const made = new Map<string, unknown>();

function kept<Format>(kind: string, language: string, options: object, make: (language: string) => Format): Format {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const format = (made.get(key) as Format | undefined) ?? make(knownLanguage(language));
  made.set(key, format);
  return format;
}

/** The language itself; English where it is no language tag, which `Intl` and a page's `lang` would not take. */
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

/** Compares as people sort in `language`, numbers in the texts by what they amount to. */
export function nameOrder(language: string): (first: string, second: string) => number {
  return kept('order', language, {}, (tag) => new Intl.Collator(tag, { numeric: true })).compare;
}

/** Things one after the other, without a last "and" where the language can do so, e.g. "a, b, c" or "a、b、c". What is empty is left out. */
export function listText(parts: readonly (string | false | undefined)[], language: string): string {
  const [first = '', ...others] = parts.filter((part) => typeof part === 'string').filter((part) => part !== '');
  if (others.length === 0) return first;
  const options = { type: 'conjunction', style: 'narrow' } as const;
  return kept('list', language, options, (tag) => new Intl.ListFormat(tag, options)).format([first, ...others]);
}
