import { createGlobMatcher, isUsableGlob } from './globs';

/**
 * Returns a check whether a file contains keys or passwords, by its path with `/` between its parts. The last matching pattern
 * decides. Case is ignored: `.ENV` is the same file as `.env` on most machines. An unusable secret pattern counts as one for all
 * files, to be on the safe side.
 */
export function createSecretCheck(patterns: Readonly<Record<string, boolean>>): (path: string) => boolean {
  const entries = Object.entries(patterns).flatMap(([pattern, isSecret]) => {
    if (isUsableGlob(pattern)) return [{ pattern, isSecret }];
    return isSecret ? [{ pattern: '**', isSecret }] : [];
  });
  const last = createGlobMatcher(
    entries.map(({ pattern }) => pattern),
    { noCase: true },
  );
  return (path) => entries[last(path)]?.isSecret ?? false;
}
