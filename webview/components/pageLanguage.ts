import { listText, numberFormat } from '../../src/protocol/formats';

/** The editor's display language, as the page's own host names it. */
function pageLanguage(): string {
  return (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
}

/** A number with the separators of the page's language. */
export function pageNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(pageLanguage(), options).format(value);
}

/** Things one after the other, e.g. "a, b, c" or "a、b、c". */
export function pageList(parts: readonly string[]): string {
  return listText(parts, pageLanguage());
}
