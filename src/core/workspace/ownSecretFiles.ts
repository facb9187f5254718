import { usualSecretFiles } from './usualSecretFiles';

/** In characters, because an environment has little space on some systems. */
const longest = 16_000;

/**
 * Serializes the secret file patterns that a user added to the default ones, for a program's environment. Returns `undefined` without
 * patterns. Patterns that permit files are omitted, because the program excludes all default ones. Too many patterns become one for all
 * files, to be safe.
 */
export function writeSecretFiles(patterns: Readonly<Record<string, boolean>>): string | undefined {
  const own = Object.keys(patterns).filter((pattern) => patterns[pattern] === true && !isUsual(pattern));
  if (own.length === 0) return undefined;
  const text = JSON.stringify(own);
  return text.length > longest ? JSON.stringify(['**']) : text;
}

/** `undefined` if it is not a list of patterns. */
export function readSecretFiles(text: string): readonly string[] | undefined {
  if (text.length > longest) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the default patterns followed by these, so that these take precedence. */
export function withSecretFiles(own: readonly string[]): Readonly<Record<string, boolean>> {
  const usual = Object.entries(usualSecretFiles).filter(([pattern]) => !own.includes(pattern));
  return Object.fromEntries([...usual, ...own.map((pattern) => [pattern, true] as const)]);
}

function isUsual(pattern: string): boolean {
  return Object.hasOwn(usualSecretFiles, pattern) && usualSecretFiles[pattern] === true;
}
