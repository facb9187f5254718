import { pageNumber } from './pageLanguage';

/** Fills `{0}`, `{1}` … of a localized string, with numbers formatted for the page's language. A placeholder without a value stays. */
export function fill(template: string, ...values: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (place, index: string) => {
    const value = values[Number(index)];
    return typeof value === 'number' ? pageNumber(value) : (value ?? place);
  });
}
