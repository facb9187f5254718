/** What a link of an answer may lead to. Everything else could reach commands and other extensions. */
const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);

/** Whether an address written by a model may be opened outside the editor. */
export function isOutsideLink(url: string): boolean {
  return URL.canParse(url) && schemes.has(new URL(url).protocol);
}
