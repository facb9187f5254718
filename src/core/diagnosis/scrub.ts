import { createRedact, redacted } from '../api/redact';
import { keyForms } from '../batch/rules/secrets';

/** What this machine and its accounts would be known by. */
export interface Known {
  readonly keys: readonly string[];
  /** Absolute paths: the home folder, those of the workspace. */
  readonly folders: readonly string[];
  /** The user, the machine. */
  readonly names: readonly string[];
}

export type Scrub = (text: string) => string;

/** A name of fewer characters is in too many words to be taken out of them. */
const shortestName = 3;

/**
 * Takes out of a text what tells who somebody is or lets others in: known keys, what has the form of a key, what stands for a key
 * in a header, names and passwords in addresses, known folders and names.
 */
export function createScrub({ keys, folders, names }: Known): Scrub {
  const redact = createRedact(keys);
  const known = longestFirst(folders.flatMap(slashes));
  const words = names.filter(({ length }) => length >= shortestName).map(wholeWord);
  return (text) => {
    let left = redact(text);
    for (const part of known) left = left.replaceAll(part, '[folder]');
    for (const { pattern } of keyForms) left = left.replaceAll(pattern, redacted);
    left = left.replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 [key]').replaceAll(/:\/\/[^\s/@]*@/g, '://[key]@');
    for (const word of words) left = left.replaceAll(word, '[name]');
    return left;
  };
}

/** One may be the beginning of another. */
function longestFirst(parts: readonly string[]): readonly string[] {
  return [...new Set(parts)].toSorted((one, other) => other.length - one.length);
}

/** A root would be in every path. */
function slashes(folder: string): readonly string[] {
  const bare = folder.replace(/[/\\]+$/, '');
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
