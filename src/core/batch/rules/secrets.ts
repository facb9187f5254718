import type { Problem } from '../problem';
import { lineWords } from '../words/lineWords';

/**
 * The publicly documented forms of keys: OpenAI-like services (SiliconFlow too), GitHub, AWS, Google, Slack, and private keys.
 * `part` is searched for before the whole pattern; `../scan/assembly/secrets.ts` has the same parts.
 */
export const keyForms: readonly { readonly part: string; readonly pattern: RegExp }[] = [
  { part: 'sk-', pattern: /\bsk-(?:[a-z]{1,20}-){0,5}[A-Za-z0-9_]{20,}/g },
  { part: 'xoxb-', pattern: /\bxoxb-[0-9A-Za-z-]{20,}/g },
  { part: 'KEY-', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  { part: 'ghp_', pattern: /\bghp_[A-Za-z0-9]{36}/g },
  { part: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{22,}/g },
  { part: 'AKIA', pattern: /\bAKIA[0-9A-Z]{16}\b/g },
  { part: 'AIza', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
];

/** Reports what looks like a key anywhere in a line, in names and values alike. */
export function* secrets(text: string): Iterable<Problem> {
  for (const { part, pattern } of keyForms) {
    if (!text.includes(part)) continue;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      yield { code: 'line.secret', message: lineWords.secret(), span: { start: index, end: index + found.length } };
    }
  }
}
