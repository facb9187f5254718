import { usualSecretFiles } from './usualSecretFiles';

/** In letters: an environment has no room for any more on some systems. */
const longest = 16_000;

/**
 * What a person keeps out beyond the usual files, as a text for the environment of a program; `undefined` where that is nothing. What
 * lets files in is left out: the program keeps all that is usual. Too many patterns become one for all files, rather than fewer.
 */
export function writeSecretFiles(patterns: Readonly<Record<string, boolean>>): string | undefined {
  const own = Object.keys(patterns).filter((pattern) => patterns[pattern] === true && !isUsual(pattern));
  if (own.length === 0) return undefined;
  const text = JSON.stringify(own);
  return text.length > longest ? JSON.stringify(['**']) : text;
}

/** `undefined` for what is no list of patterns. */
export function readSecretFiles(text: string): readonly string[] | undefined {
  if (text.length > longest) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The usual files, and after them, so that they decide, those of these patterns. */
export function withSecretFiles(own: readonly string[]): Readonly<Record<string, boolean>> {
  const usual = Object.entries(usualSecretFiles).filter(([pattern]) => !own.includes(pattern));
  return Object.fromEntries([...usual, ...own.map((pattern) => [pattern, true] as const)]);
}

function isUsual(pattern: string): boolean {
  return Object.hasOwn(usualSecretFiles, pattern) && usualSecretFiles[pattern] === true;
}
