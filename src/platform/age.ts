import { ageFormat, numberFormat } from '../protocol/formats';

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
  if (left >= 3 * dayMs) return unitText(Math.floor(left / dayMs), 'day', language);
  if (left >= hourMs) return unitText(Math.floor(left / hourMs), 'hour', language);
  return unitText(Math.max(1, Math.floor(left / minuteMs)), 'minute', language);
}

/** Formats a duration, e.g. "3 min"; "0 sec" only for zero or less. */
export function durationText(ms: number, language: string): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return unitText(ms <= 0 ? 0 : Math.max(1, seconds), 'second', language);
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 60) return unitText(minutes, 'minute', language);
  return ms < 3 * dayMs
    ? unitText(Math.round(ms / hourMs), 'hour', language)
    : unitText(Math.round(ms / dayMs), 'day', language);
}

function unitText(value: number, unit: 'second' | 'minute' | 'hour' | 'day', language: string): string {
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}
