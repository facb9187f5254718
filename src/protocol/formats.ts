/** Caches formatters: creating one costs as much as formatting a hundred values, and lists format thousands. */
const made = new Map<string, unknown>();

function cached<Format>(kind: string, language: string, options: object, make: (language: string) => Format): Format {
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
  return cached('number', language, options, (tag) => new Intl.NumberFormat(tag, options));
}

export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached('date', language, options, (tag) => new Intl.DateTimeFormat(tag, options));
}

export function ageFormat(language: string): Intl.RelativeTimeFormat {
  const options = { style: 'short', numeric: 'auto' } as const;
  return cached('age', language, options, (tag) => new Intl.RelativeTimeFormat(tag, options));
}

/** Formats a context length as model cards state it in any language: "128K" for 131,072, "200K" for 200,000, "1M" for 1,048,576. */
export function contextText(tokens: number): string {
  const kilo = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000;
  const [size, unit] = tokens >= kilo * kilo ? [kilo * kilo, 'M'] : tokens >= kilo ? [kilo, 'K'] : [1, ''];
  return `${numberFormat('en', { maximumFractionDigits: unit === 'M' ? 1 : 0, useGrouping: false }).format(tokens / size)}${unit}`;
}

/** Returns a comparer that sorts as is usual in `language`, with numbers in the texts compared by value. */
export function nameOrder(language: string): (first: string, second: string) => number {
  return cached('order', language, {}, (tag) => new Intl.Collator(tag, { numeric: true })).compare;
}

/** Joins texts, without a final "and" if the language allows that, e.g. "a, b, c" or "a、b、c". Empty parts are omitted. */
export function listText(
  parts: readonly (string | false | undefined)[],
  language: string,
  style: 'narrow' | 'long' = 'narrow',
): string {
  const [first = '', ...others] = parts.filter((part) => typeof part === 'string').filter((part) => part !== '');
  if (others.length === 0) return first;
  const options = { type: 'conjunction', style } as const;
  return cached('list', language, options, (tag) => new Intl.ListFormat(tag, options)).format([first, ...others]);
}

const unitSeconds = { day: 86_400, hour: 3600, minute: 60, second: 1 } as const;

/**
 * Formats a duration in up to two units, e.g. "59 sec", "1 min 31 sec", "2 hr" or "1 day 4 hr". "0 sec" only for zero or less. `measured`:
 * how long something took or lasts, with tenths below a minute.
 */
export function durationText(ms: number, language: string, measured?: 'measured'): string {
  const seconds = ms / 1000;
  const inUnit = (value: number, unit: keyof typeof unitSeconds) =>
    numberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
  if (seconds <= 0) return inUnit(0, 'second');
  if (measured && seconds < 59.95) return inUnit(Math.max(0.1, seconds), 'second');
  // Rounded to the smaller of the units that are shown.
  const step = seconds < 3599.5 ? 1 : seconds < 86_370 ? 60 : 3600;
  let rest = Math.max(step, Math.round(seconds / step) * step);
  const parts: string[] = [];
  for (const unit of ['day', 'hour', 'minute', 'second'] as const) {
    const count = Math.floor(rest / unitSeconds[unit]);
    rest -= count * unitSeconds[unit];
    if (count > 0) parts.push(inUnit(count, unit));
  }
  const options = { type: 'unit', style: 'narrow' } as const;
  return cached('list', language, options, (tag) => new Intl.ListFormat(tag, options)).format(parts);
}

/** A currency in which a known service bills. */
export type Currency = 'CNY' | 'USD';

/** Longer text is not an amount of money. */
const amountForm = /^\s*[+-]?\d{1,18}(?:\.\d{0,20})?\s*$/;

/**
 * Formats an amount of money: with two decimals, or with two significant digits below 0.01, so that a small cost is never shown as zero.
 * `currency`: absent if unknown. Text of a service that isn't an amount is returned unchanged.
 */
export function moneyText(amount: string | number, currency: Currency | undefined, language: string): string {
  const size = Math.abs(Number(amount));
  const digits =
    size > 0 && size < 0.01 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return inCurrency(amount, currency, { language, digits });
}

/** Formats an amount of money like `moneyText`, with all its decimals. */
export function exactMoneyText(amount: string | number, currency: Currency | undefined, language: string): string {
  return inCurrency(amount, currency, { language, digits: { minimumFractionDigits: 2, maximumFractionDigits: 20 } });
}

function inCurrency(
  amount: string | number,
  currency: Currency | undefined,
  { language, digits }: { readonly language: string; readonly digits: Intl.NumberFormatOptions },
): string {
  if (typeof amount === 'string' && !amountForm.test(amount)) return amount;
  const style = currency && ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const);
  // As text, because a float can't represent every amount exactly.
  return numberFormat(language, { ...style, ...digits }).format(amount as `${number}`);
}

/** Returns a text in the form in which texts are searched: without differences in case, width (`Ａ` and `A`), and composition of accents. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Returns the words of a search, folded. An ideographic space separates words like any other space. */
export function searchWords(query: string): readonly string[] {
  return foldText(query).split(/\s+/u).filter(Boolean);
}
