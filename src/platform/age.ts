const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago something was, as people say it in `language`, e.g. "3 min. ago"; within a minute "now". */
export function ageWords(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'auto' });
  const age = Math.max(0, now - at);
  if (age < minuteMs) return format.format(0, 'second');
  if (age < hourMs) return format.format(-Math.floor(age / minuteMs), 'minute');
  if (age < dayMs) return format.format(-Math.floor(age / hourMs), 'hour');
  return format.format(-Math.floor(age / dayMs), 'day');
}
