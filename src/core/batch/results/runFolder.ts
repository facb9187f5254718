import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, makeNewFolder, reachOf, replaceFile } from '../../files/privateFiles';
import type { Reach } from '../../files/privateFiles';
import { setAside } from '../../files/setAside';
import { dayOf } from '../../usage/usage';
import { folderName } from './folderName';
import { readRun, runVersion } from './runFile';
import type { Run } from './runFile';

/** The folder of a run: `run.json` and the files with its results. */
export interface RunFolder {
  /** Absolute. */
  readonly path: string;
  readonly run: Run;
  /** `run.json` is missing or cannot be read: what is told of the run was guessed from the folder. */
  readonly isGuessed: boolean;
}

const runFile = 'run.json';
const shortIdLength = 6;
const outputFile = 'output.jsonl';
const errorFile = 'errors.jsonl';

/**
 * Makes the folder of a run under `root`; what is written into it later reaches as far as the folder does. The same job or batch gets the folder it has already: made again after a crash,
 * nothing is doubled. Throws what the file system throws.
 */
export async function createRunFolder(root: string, run: Run, reach: Reach = {}): Promise<RunFolder> {
  await makeFolder(root, reach);
  const known = run.jobId ?? run.batchId;
  const base = `${dayOf(run.createdAt)} ${folderName(run.name)}`;
  for (let attempt = 0; ; attempt++) {
    const folder = path.join(root, `${base} ${shortId(known, attempt)}`);
    if (await makeNewFolder(folder, reach)) return writeRun(folder, undefined, run);
    // Whoever put it there may have it lead anywhere.
    if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink()) continue;
    const there = await readRunFolder(folder);
    if (there && known !== undefined && (there.run.jobId ?? there.run.batchId) === known) return there;
    // A folder that a crash left without its `run.json` is this run's too.
    if (there?.isGuessed && known !== undefined) return writeRun(folder, undefined, run);
  }
}

/** `undefined` where there is no such folder. What a newer version wrote is read as far as it is known here. */
export async function readRunFolder(folder: string): Promise<RunFolder | undefined> {
  const read = readRun(await readObject(folder));
  if (read) return { path: folder, run: read, isGuessed: false };
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  return { path: folder, run: await guessRun(folder, found.mtimeMs), isGuessed: true };
}

/** Changes members of a run; those that only a newer version knows stay. `undefined` takes a member away. */
export async function updateRun(folder: string, changes: RunChanges): Promise<RunFolder> {
  const { run } = (await readRunFolder(folder)) ?? { run: await guessRun(folder, Date.now()) };
  return writeRun(folder, await readObject(folder), { ...run, ...changes } as Run);
}

/** What may change in a run once it has its folder. */
export type RunChanges = { readonly [Key in keyof Run]?: Run[Key] | undefined };

/** All runs under `root`, newest first; empty where there is no such folder. Other folders and files are passed over. */
export async function listRunFolders(root: string): Promise<readonly RunFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(root, name));
  const read = await Promise.all(folders.map((folder) => readRunFolder(folder)));
  return read
    .filter((folder) => folder !== undefined)
    .filter(({ isGuessed, run }) => !isGuessed || run.files.output !== undefined || run.files.errors !== undefined)
    .toSorted((a, b) => b.run.createdAt - a.run.createdAt || (a.path < b.path ? -1 : 1));
}

/** Absolute. */
export interface ResultPaths {
  readonly outputs: readonly string[];
  readonly errors: readonly string[];
  /** Those that are no files of the folder itself: a link may lead to any file. They are not to be read. */
  readonly refused: readonly string[];
}

/** Where the results of a run are. They need not be there (any more). */
export async function resultPaths({ path: folder, run }: RunFolder): Promise<ResultPaths> {
  const { output, errors } = run.files;
  const named = [output, errors].map((name) => (name === undefined ? [] : [path.join(folder, name)]));
  const refused: string[] = [];
  for (const file of named.flat()) if (await isOther(file)) refused.push(file);
  const [outputs = [], ofErrors = []] = named.map((files) => files.filter((file) => !refused.includes(file)));
  return { outputs, errors: ofErrors, refused };
}

/** Something is there, and it is no file. */
async function isOther(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isFile() === false;
}

/** The same for the same job, unless that is taken by another. */
function shortId(known: string | undefined, attempt: number): string {
  const seed = known === undefined ? randomUUID() : attempt === 0 ? known : `${known} ${attempt}`;
  return createHash('sha256').update(seed).digest('hex').slice(0, shortIdLength);
}

/** In place of `before`; without it what is there, which cannot be read, is kept beside. */
async function writeRun(
  folder: string,
  before: Readonly<Record<string, unknown>> | undefined,
  run: Run,
): Promise<RunFolder> {
  const text = JSON.stringify({ ...before, ...run, version: newerOf(before?.['version']) }, undefined, 2);
  if (!before) await setAside(path.join(folder, runFile), () => {});
  await replaceFile(path.join(folder, runFile), `${text}\n`, await reachOf(folder));
  const known = Object.entries(run).filter(([, member]) => member !== undefined);
  return { path: folder, run: Object.fromEntries(known) as unknown as Run, isGuessed: false };
}

function newerOf(version: unknown): number {
  return typeof version === 'number' && version > runVersion ? version : runVersion;
}

/** `undefined` where there is no file, or none that is a whole JSON object. */
async function readObject(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    if (await isOther(path.join(folder, runFile))) return undefined;
    const value: unknown = JSON.parse(await readFile(path.join(folder, runFile), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

async function guessRun(folder: string, createdAt: number): Promise<Run> {
  const names = await readdir(folder).catch((): string[] => []);
  const has = (name: string) => names.includes(name);
  return {
    kind: 'batch',
    name: path.basename(folder),
    createdAt,
    files: { ...(has(outputFile) && { output: outputFile }), ...(has(errorFile) && { errors: errorFile }) },
    ended: true,
  };
}
