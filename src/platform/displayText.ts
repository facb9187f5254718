import { dateFormat, numberFormat } from '../protocol/formats';

/** Formats a size as usual in `language`, in steps of 1,000, e.g. "1.2 MB". */
export function bytesText(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  let step = 0;
  // 999,999 bytes are rounded to 1 MB, not to 1,000 kB.
  while (step < units.length - 1 && Math.round(bytes / 1000 ** step) >= 1000) step += 1;
  const value = bytes / 1000 ** step;
  return numberFormat(language, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 100 && step > 0 ? 1 : 0,
  }).format(value);
}

export function numberText(value: number, language: string): string {
  return numberFormat(language).format(value);
}

/** Formats date and time to the second, in the machine's time zone. */
export function absoluteTimeText(at: number, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** Formats a past moment by the clock, with its date unless that is today. */
export function momentText(at: number, now: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return dateFormat(language, { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) }).format(at);
}

/** Shortens a text in the middle, because ids differ at their ends. Returns at most `length` characters (graphemes). */
export function shortened(text: string, length = 24): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (characters.length <= length) return text;
  const head = Math.ceil((length - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (length - 1 - head)).join('')}`;
}
