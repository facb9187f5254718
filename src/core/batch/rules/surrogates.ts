import type { Problem } from '../problem';
import { lineWords } from '../words/lineWords';

/** Reports escapes of half a surrogate pair in valid JSON. An escaped backslash starts no escape. */
export function* loneSurrogates(text: string): Iterable<Problem> {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  for (const { 0: found, index } of text.matchAll(escapes)) {
    if (!/^\\u[dD]/.test(found) || found.length > 6) continue;
    yield { code: 'line.lone-surrogate', message: lineWords.loneSurrogate(), span: { start: index, end: index + 6 } };
  }
}

/** A pair, half of one, or any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
