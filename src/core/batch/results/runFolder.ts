import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, makeNewFolder, reachOf } from '../../storage/privateFiles';
import { writeAtomic } from '../../storage/atomicFile';
import type { Reach } from '../../storage/privateFiles';
import { setAside } from '../../storage/storedFile';
import { dayOf } from '../../usage/usage';
import { readRun, runVersion } from './runFile';
import type { Run } from './runFile';

/** The folder of a run: `run.json` and the files with its results. */
export interface RunFolder {
  /** Absolute. */
  readonly path: string;
  readonly run: Run;
  /** `run.json` is missing or cannot be read: what is known of the run was guessed from the folder. */
  readonly isGuessed: boolean;
}

const runFile = 'run.json';
const shortIdLength = 6;
const outputFile = 'output.jsonl';
const errorFile = 'errors.jsonl';
/** Files of further parts. */
const partFile = /^(?:output|errors)-\d{1,4}\.jsonl$/;

/**
 * Creates the folder of a run under `root`, with access as `reach` says. Files written into it later are as accessible as the folder. The
 * same job or batch gets its existing folder, so repeating this after a crash duplicates nothing. Throws file system errors.
 */
export async function createRunFolder(root: string, run: Run, reach: Reach = {}): Promise<RunFolder> {
  await makeFolder(root, reach);
  const known = run.jobId ?? run.batchId;
  const base = `${dayOf(run.createdAt)} ${folderName(run.name)}`;
  for (let attempt = 0; ; attempt++) {
    const folder = path.join(root, `${base} ${shortId(known, attempt)}`);
    if (await makeNewFolder(folder, reach)) return writeRun(folder, undefined, run);
    // The link could lead anywhere.
    if ((await lstat(folder).catch(() => undefined))?.isSymbolicLink()) continue;
    const there = await readRunFolder(folder);
    if (there && known !== undefined && (there.run.jobId ?? there.run.batchId) === known) return there;
    // A folder that a crash left without its `run.json` belongs to this run too.
    if (there?.isGuessed && known !== undefined) return writeRun(folder, undefined, run);
  }
}

/** Returns `undefined` without the folder. Reads the known properties of a newer version's record. */
export async function readRunFolder(folder: string): Promise<RunFolder | undefined> {
  const read = readRun(await readObject(folder));
  if (read) return { path: folder, run: read, isGuessed: false };
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  return { path: folder, run: await guessRun(folder, found.mtimeMs), isGuessed: true };
}

/** Changes members of a run; those that only a newer version knows stay. `undefined` removes a member. */
export async function updateRun(folder: string, changes: RunChanges): Promise<RunFolder> {
  const { run } = (await readRunFolder(folder)) ?? { run: await guessRun(folder, Date.now()) };
  return writeRun(folder, await readObject(folder), { ...run, ...changes } as Run);
}

/** The members of a run that may change once it has its folder. */
type RunChanges = { readonly [Key in keyof Run]?: Run[Key] | undefined };

/** The last loaded runs, by folder, with data that detects changes of their `run.json`. */
export type KnownRuns = Map<string, { readonly stamp: string; readonly folder: RunFolder }>;

/**
 * Returns all runs under `root`, newest first, or an empty list without the folder. Skips other folders and files. Rereads only changed
 * runs of `known`, and updates it.
 */
export async function listRunFolders(root: string, known: KnownRuns = new Map()): Promise<readonly RunFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(root, name));
  for (const folder of known.keys())
    if (path.dirname(folder) === root && !folders.includes(folder)) known.delete(folder);
  const read = await Promise.all(folders.map((folder) => readKnownFolder(folder, known)));
  return read
    .filter((folder) => folder !== undefined)
    .filter(({ isGuessed, run }) => !isGuessed || run.files.output !== undefined || run.files.errors !== undefined)
    .toSorted((a, b) => b.run.createdAt - a.run.createdAt || (a.path < b.path ? -1 : 1));
}

async function readKnownFolder(folder: string, known: KnownRuns): Promise<RunFolder | undefined> {
  const found = await lstat(path.join(folder, runFile), { bigint: true }).catch(() => undefined);
  const stamp = found && `${found.ino} ${found.size} ${found.mtimeNs} ${found.mode}`;
  const before = known.get(folder);
  if (stamp !== undefined && before?.stamp === stamp) return before.folder;
  const read = await readRunFolder(folder);
  if (stamp !== undefined && read?.isGuessed === false) known.set(folder, { stamp, folder: read });
  else known.delete(folder);
  return read;
}

/** Absolute paths. */
interface ResultPaths {
  readonly outputs: readonly string[];
  readonly errors: readonly string[];
  /** Paths that are not files of the folder itself: a link may point to any file. They must not be read. */
  readonly refused: readonly string[];
}

/** Returns where the results of a run are. The files might not exist. */
export async function resultPaths({ path: folder, run }: RunFolder): Promise<ResultPaths> {
  const { output, errors, more = [] } = run.files;
  const named = [[...(output === undefined ? [] : [output]), ...more], errors === undefined ? [] : [errors]].map(
    (names) => names.map((name) => path.join(folder, name)),
  );
  const refused: string[] = [];
  for (const file of named.flat()) if (await isOther(file)) refused.push(file);
  const [outputs = [], ofErrors = []] = named.map((files) => files.filter((file) => !refused.includes(file)));
  return { outputs, errors: ofErrors, refused };
}

/** Whether files of these sizes, in bytes, are among the results in a folder. */
export async function hasResults(folder: string, sizes: readonly number[]): Promise<boolean> {
  if (sizes.length === 0) return true;
  const run = await readRunFolder(folder);
  if (!run) return false;
  const { outputs, errors } = await resultPaths(run);
  const found = await Promise.all([...outputs, ...errors].map((file) => stat(file).catch(() => undefined)));
  const left = found.flatMap((file) => file?.size ?? []);
  return sizes.every((size) => {
    const place = left.indexOf(size);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** Whether something exists at the path that is not a file. */
async function isOther(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isFile() === false;
}

/** Returns the same id for the same job, unless another one has it. */
function shortId(known: string | undefined, attempt: number): string {
  const seed = known === undefined ? randomUUID() : attempt === 0 ? known : `${known} ${attempt}`;
  return createHash('sha256').update(seed).digest('hex').slice(0, shortIdLength);
}

/** Writes `run.json` in place of `before`. Without `before`, an existing file, which is unreadable then, is set aside. */
async function writeRun(
  folder: string,
  before: Readonly<Record<string, unknown>> | undefined,
  run: Run,
): Promise<RunFolder> {
  const text = JSON.stringify({ ...before, ...run, version: newerOf(before?.['version']) }, undefined, 2);
  if (!before) await setAside(path.join(folder, runFile), () => {});
  await writeAtomic(path.join(folder, runFile), `${text}\n`, await reachOf(folder));
  const known = Object.entries(run).filter(([, member]) => member !== undefined);
  return { path: folder, run: Object.fromEntries(known) as unknown as Run, isGuessed: false };
}

function newerOf(version: unknown): number {
  return typeof version === 'number' && version > runVersion ? version : runVersion;
}

/** Returns `undefined` if there is no file, or none that is a complete JSON object. */
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
  const more = names.filter((name) => partFile.test(name));
  return {
    kind: 'batch',
    name: path.basename(folder),
    createdAt,
    files: {
      ...(has(outputFile) && { output: outputFile }),
      ...(has(errorFile) && { errors: errorFile }),
      ...(more.length > 0 && { more }),
    },
    ended: true,
  };
}

/** Windows limits the whole path, sometimes to 260 characters; other systems limit a name to 255 bytes. */
const mostCharacters = 48;

/** Returns a text as part of a folder name that Windows, macOS and Linux accept: at most 48 characters, never empty. */
export function folderName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Forbidden on some system, or invisible.
    .replace(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = Array.from(plain).slice(0, mostCharacters).join('');
  // Windows removes dots and spaces at the end.
  const name = cut.replace(/^[. ]+|[. ]+$/gu, '');
  if (name === '') return 'run';
  // Device names, with or without an extension.
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu.test(name) ? `${name[0]}_${name.slice(1)}` : name;
}
