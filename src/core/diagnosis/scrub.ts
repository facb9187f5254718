import { createRedact, redacted } from '../api/redact';
import type { Span } from '../batch/problem';
import { keyForms, keysOf } from '../batch/rules/secrets';

/** The values that would identify this machine and its accounts. */
export interface Known {
  readonly keys: readonly string[];
  /** Absolute paths: the home folder and the workspace folders. */
  readonly folders: readonly string[];
  /** Names of the user and the machine. */
  readonly names: readonly string[];
}

export type Scrub = (text: string) => string;

/** A shorter name is part of too many words to be removed from them. */
const shortestName = 3;

/**
 * Returns a function that removes from a text what identifies a user or grants access: known keys, anything in the form of a key,
 * credentials in headers and URLs, known folders and names.
 */
export function createScrub({ keys, folders, names }: Known): Scrub {
  const redact = createRedact(keys);
  const known = longestFirst(folders.flatMap(slashes));
  const words = names.filter(({ length }) => length >= shortestName).map(wholeWord);
  return (text) => {
    let left = redact(text);
    for (const part of known) left = left.replaceAll(part, '[folder]');
    for (const form of keyForms) left = withoutParts(left, keysOf(form, left));
    left = left.replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 [key]').replaceAll(/:\/\/[^\s/@]*@/g, '://[key]@');
    for (const word of words) left = left.replaceAll(word, '[name]');
    return left;
  };
}

function withoutParts(text: string, parts: Iterable<Span>): string {
  const remaining: string[] = [];
  let at = 0;
  for (const { start, end } of parts) {
    remaining.push(text.slice(at, start));
    at = end;
  }
  return [...remaining, text.slice(at)].join(redacted);
}

/** Longest first, because one part may be the beginning of another. */
function longestFirst(parts: readonly string[]): readonly string[] {
  return [...new Set(parts)].toSorted((one, other) => other.length - one.length);
}

/** Leaves out a root folder, which would be in every path. */
function slashes(folder: string): readonly string[] {
  const bare = folder.replace(/(?<![/\\])[/\\]+$/, '');
  if (bare.length < shortestName) return [];
  return [
    bare,
    bare.replaceAll('\\', '/'),
    bare.replaceAll('/', '\\'),
    encodeURI(bare),
    JSON.stringify(bare).slice(1, -1),
  ];
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${name.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');
}
