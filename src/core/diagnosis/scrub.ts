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
 * Takes out of a text what tells who somebody is or lets others in: known keys as they are and as addresses, JSON and base64 hold
 * them, what has the form of a key, what stands for a key in a header, names and passwords in addresses, known folders and names.
 */
export function createScrub({ keys, folders, names }: Known): Scrub {
  const known = [...replaced(keys.flatMap(spellings), '[key]'), ...replaced(folders.flatMap(slashes), '[folder]')];
  const words = names.filter(({ length }) => length >= shortestName).map(wholeWord);
  return (text) => {
    let left = text;
    for (const [part, mark] of known) left = left.replaceAll(part, mark);
    for (const { pattern } of keyForms) left = left.replaceAll(pattern, '[key]');
    left = left.replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 [key]').replaceAll(/:\/\/[^\s/@]*@/g, '://[key]@');
    for (const word of words) left = left.replaceAll(word, '[name]');
    return left;
  };
}

/** Longest first: one may be the beginning of another. */
function replaced(parts: readonly string[], mark: string): readonly (readonly [part: string, mark: string])[] {
  return [...new Set(parts)]
    .filter((part) => part !== '')
    .toSorted((one, other) => other.length - one.length)
    .map((part) => [part, mark]);
}

function spellings(key: string): readonly string[] {
  const bytes = Buffer.from(key);
  return [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
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
