import { pageNumber } from './pageLanguage';

/** Fills `{0}`, `{1}` … of a worded string, numbers as the page's language writes them. A place without a value stays as it is. */
export function fill(template: string, ...values: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (place, index: string) => {
    const value = values[Number(index)];
    return typeof value === 'number' ? pageNumber(value) : (value ?? place);
  });
}
