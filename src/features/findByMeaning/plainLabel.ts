/** A text as a row shows it: on one line, and with no part of it taken for an icon. */
export function plainLabel(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('$(', String.raw`\$(`);
}
