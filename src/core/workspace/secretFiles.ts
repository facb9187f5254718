import { createGlobMatcher, isUsableGlob } from './globs';

/**
 * Tells by its path, with `/` between its parts, whether a file is one that holds keys or passwords. Of the patterns that fit, the last
 * decides. Capitals are as good as others: `.ENV` is the same file as `.env` on most machines. A pattern that cannot be used counts as
 * one for all files, rather than for none.
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
