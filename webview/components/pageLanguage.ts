import { listText, numberFormat } from '../../src/protocol/formats';

/** Returns the editor's display language, as the host wrote it into the page. */
function pageLanguage(): string {
  return (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
}

/** Formats a number for the page's language. */
export function pageNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(pageLanguage(), options).format(value);
}

/** Formats a list for the page's language, e.g. "a, b, c" or "a、b、c". */
export function pageList(parts: readonly string[]): string {
  return listText(parts, pageLanguage());
}
