import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './leases';
import { openFile } from './privateFiles';
import type { Reach } from './privateFiles';

/** A file that is written before it gets its name. */
export interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Removes the folder that was made for the file, if any, once the file has left it. Never rejects. */
  readonly leave: () => Promise<void>;
}

const ownStart = '.inference-desk-';
const awayStart = 'inference-desk-writing-';
const ownNames = [
  /^\.inference-desk-(?<pid>\d+)-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/,
  /^inference-desk-writing-(?<pid>\d+)-\w{6}$/,
];
/** The form of names in earlier versions. In a folder of the user, such a file may belong to another program. */
const earlierName = /(^|\.)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;
const abandonedMs = 60 * 60_000;

/** Returns an unused path in the folder of `target` that VS Code does not list: `files.exclude` in package.json names its form. */
export function hiddenBeside(target: string): string {
  return path.join(path.dirname(target), `${ownStart}${process.pid}-${randomUUID()}.tmp`);
}

/**
 * Creates a temporary file for `target` on the same file system, with the access rights of a new file in the folder of `target`, which
 * must exist. In a folder that the user chose, it is moved to the system's temporary folder immediately. If that is on another file system,
 * it stays and is hidden. Errors name `target`. Also removes files left by killed processes.
 */
export async function openTemporary(target: string, reach: Reach): Promise<TemporaryFile> {
  const isPrivate = reach.isPrivate ?? true;
  const folder = path.dirname(target);
  await removeAbandoned(folder, isPrivate ? [...ownNames, earlierName] : ownNames);
  const beside = hiddenBeside(target);
  const handle = await openFile(beside, 'wx', reach).catch((error: unknown) => {
    throw naming(target, beside, error);
  });
  return { handle, ...((isPrivate ? undefined : await moveAway(beside)) ?? { path: beside, leave: async () => {} }) };
}

/** Returns a file system error with the target's path instead of the temporary file's. */
export function naming(target: string, temporary: string, error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes(temporary)) return error;
  return Object.assign(error, { path: target, dest: undefined, message: error.message.replace(temporary, target) });
}

/** Moving the file after its creation keeps the group and access lists that it inherited from its folder. */
async function moveAway(file: string) {
  await removeAbandoned(tmpdir(), ownNames);
  const folder = await mkdtemp(path.join(tmpdir(), `${awayStart}${process.pid}-`)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const away = path.join(folder, path.basename(file));
  const leave = () => rmdir(folder).catch(() => undefined);
  return rename(file, away).then(
    () => ({ path: away, leave }),
    async () => {
      await leave();
      return undefined;
    },
  );
}

const searched = new Set<string>();

/** Deletes the files that killed processes left in a folder. Runs once per folder and process. */
async function removeAbandoned(folder: string, forms: readonly RegExp[]): Promise<void> {
  if (searched.has(folder)) return;
  searched.add(folder);
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const found = forms.map((form) => form.exec(name)).find((match) => match !== null);
    if (!found) continue;
    const pid = found.groups?.['pid'];
    const entry = path.join(folder, name);
    // A process may keep a file for longer than any write takes, such as while it waits for its user.
    if ((await isOld(entry)) && (pid === undefined || !isAlive(Number(pid))))
      await rm(entry, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether neither the entry nor, if it is a folder, anything in it has changed recently. */
async function isOld(entry: string): Promise<boolean> {
  const within = await readdir(entry).catch((): string[] => []);
  const found = await Promise.all(['', ...within].map((name) => stat(path.join(entry, name)).catch(() => undefined)));
  return found.every((one) => one === undefined || Date.now() - one.mtimeMs > abandonedMs);
}
