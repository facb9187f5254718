import type { TextQuery } from '../../../core/search/textPattern';

/** What was typed for a search: a text, or an expression between slashes, with `c` behind them where the case counts. */
export function toTextQuery(typed: string): TextQuery {
  const [, source, flags] = /^\/(.+)\/(c?)$/s.exec(typed.trim()) ?? [];
  if (source === undefined) return { text: typed };
  return { text: source, isRegExp: true, isCaseSensitive: flags === 'c' };
}
