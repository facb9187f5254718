/** URL schemes that a link in an answer may have. All others could reach commands and other extensions. */
const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);

/** Whether a URL written by a model can be opened outside VS Code. */
export function isOutsideLink(url: string): boolean {
  return URL.canParse(url) && schemes.has(new URL(url).protocol);
}
