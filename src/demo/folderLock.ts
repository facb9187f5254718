import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFile } from '../core/files/privateFiles';

/** A start takes well under a second; a lock this old was abandoned. */
const staleAfterMs = 30_000;
/** Long enough for another process that takes over the same stale lock to show up. */
const settleMs = 60;

interface Held {
  readonly pid: number;
  readonly token: string;
  readonly at: number;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function readHeld(path: string): Promise<Held | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Held;
  } catch {
    return undefined;
  }
}

async function create(path: string, held: Held): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(held), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead holder's lock aside; puts it back if another process has taken it in the meantime. */
async function removeStale(path: string, stale: Held | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  if (
    !(await rename(path, aside).then(
      () => true,
      () => false,
    ))
  )
    return;
  const moved = await readHeld(aside);
  if (moved !== undefined && moved.token !== stale?.token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/**
 * Runs `work` while no other process runs under the same lock file. Takes over a lock whose holder died or that is 30 seconds old. `now` is
 * in milliseconds since the epoch. Rejects after waiting `timeoutMs`.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { now, timeoutMs }: { now: () => number; timeoutMs: number },
): Promise<T> {
  const mine: Held = { pid: process.pid, token: randomUUID(), at: now() };
  const end = now() + timeoutMs;
  for (let tookOver = false; ;) {
    if (await create(path, mine)) {
      if (tookOver) await sleep(settleMs);
      if (!tookOver || (await readHeld(path))?.token === mine.token) break;
    } else {
      const held = await readHeld(path);
      // Unreadable: being written at this moment, or truncated by a crash. Reading it again tells which.
      const stale =
        held === undefined
          ? await sleep(settleMs).then(async () => (await readHeld(path)) === undefined)
          : !isAlive(held.pid) || now() - held.at > staleAfterMs;
      if (stale) {
        await removeStale(path, held);
        tookOver = true;
        continue;
      }
    }
    if (now() > end) throw new Error('Another window is starting the demo service and does not finish.');
    await sleep(settleMs);
  }
  try {
    return await work();
  } finally {
    if ((await readHeld(path))?.token === mine.token) await rm(path, { force: true });
  }
}
