import path from 'node:path';
import type Mocha from 'mocha';

const mostNamed = 10;

/** Follows a run, and gives at its end the files that took longest, with what they prepared and took away again: one line each. */
export function watchSlowFiles(runner: Mocha.Runner): () => readonly string[] {
  const spent = new Map<string, number>();
  let begun = 0;
  const isOuter = ({ parent }: Mocha.Suite): boolean => parent?.root === true;
  runner.on('suite', (suite) => {
    if (isOuter(suite)) begun = performance.now();
  });
  runner.on('suite end', (suite) => {
    const { file = '' } = suite;
    if (isOuter(suite)) spent.set(file, (spent.get(file) ?? 0) + performance.now() - begun);
  });
  return () =>
    [...spent]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostNamed)
      .map(([file, ms]) => `${Math.round(ms / 1000)} s`.padStart(8) + `  ${path.basename(file, '.test.js')}`);
}
