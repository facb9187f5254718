import { ageFormat, durationText } from '../protocol/formats';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Formats how long ago something was, as usual in `language`, e.g. "3 min. ago"; "now" within a minute. */
export function ageWords(at: number, now: number, language: string): string {
  const format = ageFormat(language);
  const age = Math.max(0, now - at);
  if (age < minuteMs) return format.format(0, 'second');
  if (age < hourMs) return format.format(-Math.floor(age / minuteMs), 'minute');
  if (age < dayMs) return format.format(-Math.floor(age / hourMs), 'hour');
  return format.format(-Math.floor(age / dayMs), 'day');
}

/** Formats the time left until `at`, e.g. "23 hr"; `undefined` if that has passed. At least one minute. */
export function leftText(at: number, now: number, language: string): string | undefined {
  const left = at - now;
  if (left <= 0) return undefined;
  const unitMs = left >= 3 * dayMs ? dayMs : left >= hourMs ? hourMs : minuteMs;
  return durationText(Math.max(minuteMs, Math.floor(left / unitMs) * unitMs), language);
}
