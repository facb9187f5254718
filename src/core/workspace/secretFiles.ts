import picomatch from 'picomatch';

/**
 * Tells by its path, with `/` between its parts, whether a file is one that holds keys or passwords. Of the patterns that fit, the last
 * decides. Capitals are as good as others: `.ENV` is the same file as `.env` on most machines.
 */
export function createSecretCheck(patterns: Readonly<Record<string, boolean>>): (path: string) => boolean {
  const checks = Object.entries(patterns).map(([pattern, isSecret]) => ({
    fits: picomatch(pattern, { dot: true, nocase: true }),
    isSecret,
  }));
  return (path) => checks.findLast(({ fits }) => fits(path))?.isSecret ?? false;
}
