import type { TextQuery } from '../../../core/search/textSearch';

/** Parses a search: a text, or a regular expression between slashes, followed by `c` for case-sensitive. */
export function toTextQuery(typed: string): TextQuery {
  const [, source, flags] = /^\/(.+)\/(c?)$/s.exec(typed.trim()) ?? [];
  if (source === undefined) return { text: typed };
  return { text: source, isRegExp: true, isCaseSensitive: flags === 'c' };
}
