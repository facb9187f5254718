import type { Counts, MochaOptions } from './mocha.ts';
import { runMocha } from './mocha.ts';

/** More than so many are no accident. */
const mostFiles = 4;

/**
 * `runMocha`, and the files in which something failed once more, whole, after all others. The editor around the tests does work of its own
 * and swallows a click now and then while it is busy. What failed the first time only is named in `unsteady`; what fails twice has failed.
 */
export async function runWithSecondChance(files: readonly string[], options: MochaOptions): Promise<Counts> {
  const first = await runMocha(files, options);
  const broken = new Set(first.failures.map(({ file }) => file));
  const again = files.filter((file) => broken.has(file));
  if (again.length === 0 || again.length !== broken.size || again.length > mostFiles) return first;
  const { print = console.log } = options;
  print(`\n  once more, what failed in ${again.length} files:`);
  const second = await runMocha(again, { ...options, round: 2 });
  const titles = new Set(second.failures.map(({ title }) => title));
  return {
    ...second,
    passed: first.passed - again.reduce((sum, file) => sum + (first.passedIn?.[file] ?? 0), 0) + second.passed,
    unsteady: first.failures.filter(({ title }) => !titles.has(title)),
  };
}
