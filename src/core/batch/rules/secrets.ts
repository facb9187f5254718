import type { Problem, Span } from '../problem';
import { lineWords } from '../words/lineWords';

interface KeyForm {
  readonly part: string;
  readonly pattern: RegExp;
  /** The continuation of a key of this form, matched in chunks, because a run of millions would overflow the regular expression's stack. */
  readonly rest?: RegExp;
}

/**
 * The publicly documented forms of keys: OpenAI-like services (SiliconFlow too), GitHub, AWS, Google, Slack, and private keys.
 * `part` is searched for before the whole pattern; `../scan/assembly/secrets.ts` has the same parts.
 */
export const keyForms: readonly KeyForm[] = [
  { part: 'sk-', pattern: /\bsk-(?:[a-z]{1,20}-){0,5}[A-Za-z0-9_]{20}/g, rest: /[A-Za-z0-9_]{1,1000}/y },
  { part: 'xoxb-', pattern: /\bxoxb-[0-9A-Za-z-]{20}/g, rest: /[0-9A-Za-z-]{1,1000}/y },
  { part: 'KEY-', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  { part: 'ghp_', pattern: /\bghp_[A-Za-z0-9]{36}/g },
  { part: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{22}/g, rest: /[A-Za-z0-9_]{1,1000}/y },
  { part: 'AKIA', pattern: /\bAKIA[0-9A-Z]{16}\b/g },
  { part: 'AIza', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
];

/** Returns where a text has keys of a form, in order. */
export function* keysOf({ part, pattern, rest }: KeyForm, text: string): Iterable<Span> {
  if (!text.includes(part)) return;
  const find = new RegExp(pattern);
  const more = rest && new RegExp(rest);
  for (let found = find.exec(text); found; found = find.exec(text)) {
    let end = find.lastIndex;
    if (more) {
      more.lastIndex = end;
      while (more.test(text)) end = more.lastIndex;
    }
    yield { start: found.index, end };
    find.lastIndex = end;
  }
}

/** Reports what looks like a key anywhere in a line, in names and values alike. */
export function* secrets(text: string): Iterable<Problem> {
  for (const form of keyForms)
    for (const span of keysOf(form, text)) yield { code: 'line.secret', message: lineWords.secret(), span };
}
