import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns 0 while the file is being written or has already been removed. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** Returns the process that holds the lock, or undefined if this process acquired it. */
function tryLock(file: string): number | undefined {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return undefined;
  } catch {
    return ownerOf(file);
  }
}

/** Runs `work` while no other process does so for the same file. A lock whose owner has ended is taken over. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  let reported = false;
  for (let owner = tryLock(file); owner !== undefined; owner = tryLock(file)) {
    if (owner > 0 && !isAlive(owner)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!reported && owner > 0) console.log(`Waiting for process ${owner}, which holds ${file} ...`);
    reported ||= owner > 0;
    await wait(500);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
