import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { runCommand } from './command.ts';
import { root } from './places.ts';

/** The kinds of tests, which are folders in `test`. */
export type Kind = (typeof kinds)[number];
export const kinds = ['unit', 'integration', 'pages', 'e2e'] as const;

/** The test files of each kind that a change can affect, as paths within its folder, or `all` if that is unknown. */
export type Reached = Readonly<Record<Kind, readonly string[] | 'all'>>;

/** Returns the files changed since a commit, or since the last commit, or in it if there are no changes. Paths are relative to the root. */
export async function changedFiles(since: string | undefined): Promise<readonly string[]> {
  const git = async (...args: string[]) =>
    (await runCommand('git', args, { cwd: root, purpose: 'ask Git what changed' })).split('\n').filter(Boolean);
  const others = () => git('ls-files', '--others', '--exclude-standard');
  const inFolder = [...(await git('diff', '--name-only', since ?? 'HEAD')), ...(await others())];
  return since === undefined && inFolder.length === 0 ? git('diff', '--name-only', 'HEAD~1', 'HEAD') : inFolder;
}

/**
 * Follows imports backwards. A unit test is affected if it imports a changed file. Tests in windows and of pages don't import the code they
 * test, so they are matched by name (`roomsOf`) with the features and screens that import a changed file. Files that build and drive
 * everything affect all tests, and so do files that nearly every feature imports.
 */
export function reachedBy(changed: readonly string[]): Reached {
  const code = changed.filter((file) => !/\.md$|^media\/|^LICENSE$/.test(file));
  if (code.some((file) => ofAll.test(file))) return { unit: 'all', integration: 'all', pages: 'all', e2e: 'all' };
  const importers = importersOf(allFiles());
  const reached = new Set(code);
  for (const file of reached) {
    if (ends.has(file)) continue;
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const rooms = new Set(
    [...reached].flatMap((file) => /^(?:src\/features|webview\/screens)\/(\w+)\//.exec(file)?.[1] ?? []),
  );
  const isWide = rooms.size > mostRooms;
  const testsOf = (kind: Kind): readonly string[] | 'all' => {
    const folder = `test/${kind}/`;
    const names = testsIn(kind);
    const found = names.filter((name) => reached.has(`${folder}${name}`));
    if (kind === 'unit') return [...new Set([...found, ...names.filter((name) => !name.includes('/'))])];
    if (isWide) return 'all';
    return names.filter((name) => found.includes(name) || roomsOf(name).some((room) => rooms.has(room)));
  };
  return {
    unit: testsOf('unit'),
    integration: testsOf('integration'),
    pages: testsOf('pages'),
    e2e: testsOf('e2e'),
  };
}

const ofAll = /^(package(-lock)?|tsconfig)\.json$|^esbuild\.mjs$|^test\/(host|tsconfig)|^\.ci\//;

/** These import everything, so they say nothing about what a change affects. */
const ends = new Set(['src/features/index.ts', 'src/extension.ts', 'webview/main.tsx']);

/** The limit, of about fifty features and screens. */
const mostRooms = 12;

const allRooms: readonly string[] = ['src/features', 'webview/screens'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name),
);

/**
 * Returns the features and screens of a test: the one whose full name starts the test's name, as `batchSubmitLooks.test.ts` and
 * `batchSubmit`, or otherwise each that starts with the same word, as `batchFixes.test.ts` and `batchEditor`. A test of two has both names.
 */
function roomsOf(test: string): readonly string[] {
  const names = path
    .basename(test)
    .replace(/\.test\.tsx?$/, '')
    .split('And');
  return names.flatMap((name) => {
    const owners = allRooms.filter((room) => name.toLowerCase().startsWith(room.toLowerCase()));
    if (owners.length > 0) return owners;
    return allRooms.filter((room) => firstWord(name) === firstWord(room));
  });
}

/** In lowercase, and up to the length at which `complete` and `completion` are equal. */
const firstWord = (name: string): string =>
  (/^[A-Za-z][a-z]*/.exec(name)?.[0] ?? '').toLowerCase().slice(0, 6).replace(/s$/, '');

function testsIn(kind: Kind): readonly string[] {
  return readdirSync(path.join(root, 'test', kind), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.test\.tsx?$/.test(name),
  );
}

function allFiles(): readonly string[] {
  return ['src', 'webview', 'test'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|css)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

function importersOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files.filter((name) => !name.endsWith('.css')))
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return importers;
}

/** Returns the runtime imports of a file, without types. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const names = [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/['"]/g, ''),
    ),
  ];
  return names.filter((name) => name.startsWith('.')).flatMap((name) => resolved(path.dirname(file), name));
}

function resolved(folder: string, name: string): readonly string[] {
  const made = name.replace(/\.worker$/, 'Worker').replace(/([^/]+)\.wasm$/, 'assembly/$1');
  const file = path.posix.normalize(path.posix.join(folder, made));
  return ['', '.ts', '.tsx', '/index.ts']
    .map((end) => `${file}${end}`)
    .filter((found) => existsSync(path.join(root, found)) && statSync(path.join(root, found)).isFile())
    .slice(0, 1);
}
