import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exists as exist, makeFolder, writeFile } from './privateFiles';

/** Thrown if another window holds the lease. `where` is the name of that window, or empty. */
export class HeldElsewhere extends Error {
  constructor(readonly where: string) {
    super('This is open in another window.');
  }
}

/** Proof that something is held by this window, and therefore by no other. */
export interface Lease {
  /** Throws `HeldElsewhere` if another window took the lease over. */
  check(): Promise<void>;
  /** Publishes the holder's note for other windows, which replaces the previous one. Any JSON value. */
  setNote(note: unknown): Promise<void>;
  release(): Promise<void>;
}

/** What the holder of a lease in another window says about it. Written by another process, so it can contain anything. */
export interface LeaseNote {
  readonly id: string;
  /** The name of the window; empty if it has none. */
  readonly where: string;
  readonly note: unknown;
}

export interface Waiting {
  /** Unset: 10 seconds. */
  readonly forMs?: number;
  /** Ends the waiting: `hold` then rejects. */
  readonly signal?: AbortSignal;
}

interface ClaimFile {
  readonly id: string;
  readonly generation: number;
  readonly path: string;
}

interface Claim extends ClaimFile {
  readonly token: string | undefined;
  readonly where: string;
  readonly note: unknown;
  readonly isLive: boolean;
}

const beatMs = 20_000;
/** Six beats: a machine that was busy or asleep for less retains its leases. */
const staleMs = 120_000;
/** Writing a claim takes a moment. One that stays empty for longer was left by a process that died in the meantime. */
const unwrittenMs = 5000;
const attempts = 5;
/** How often a lease that is waited for is tried again: usually it is held for only a few milliseconds. */
const pollMs = 25;
const namePattern = /^([\w-]{1,64})\.(\d{1,9})$/;

/**
 * Leases as files `<id>.<generation>`, one for each held ID, whose modification time is updated while held. The highest generation counts:
 * a dead lease is taken over by creating the next generation, in which only one window can succeed. A dead process loses its leases
 * immediately, and one on another machine once its files are no longer touched.
 */
export class Leases {
  /** By path. */
  private readonly own = new Set<string>();
  private readonly beat: NodeJS.Timeout;

  /** `where` returns this window's name, for others. */
  constructor(
    private readonly folder: string,
    private readonly where: () => string,
  ) {
    this.beat = setInterval(() => {
      const at = new Date();
      // A missing file was taken over, which `check` reports.
      for (const path of this.own) void utimes(path, at, at).catch(() => undefined);
    }, beatMs);
    this.beat.unref();
  }

  /** Throws `HeldElsewhere`; with `force` the lease is taken over, and its previous holder finds out by `check`. */
  async take(id: string, { force = false }: { readonly force?: boolean } = {}): Promise<Lease> {
    await makeFolder(this.folder);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const lease = await this.tryToTake(id, force);
      if (lease) return lease;
    }
    throw new HeldElsewhere('');
  }

  /** Runs `work` while nobody else has the lease; waits for others, then throws `HeldElsewhere`. */
  async hold<T>(id: string, work: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
    const lease = await this.takeSoon(id, waiting);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }

  /** Resolves to the ids that others hold, with the names of their windows. */
  async elsewhere(): Promise<ReadonlyMap<string, string>> {
    const others = (await this.claims()).filter(({ isLive, path }) => isLive && !this.own.has(path));
    return new Map(others.map((claim) => [claim.id, claim.where]));
  }

  /** Resolves to what others say about the leases they hold, without leases that have no note. */
  async notesElsewhere(): Promise<readonly LeaseNote[]> {
    const others = (await this.claims()).filter(({ isLive, path }) => isLive && !this.own.has(path));
    return others.flatMap(({ id, where, note }) => (note === undefined ? [] : [{ id, where, note }]));
  }

  dispose(): void {
    clearInterval(this.beat);
  }

  private claims(id?: string): Promise<readonly Claim[]> {
    return readClaims(this.folder, Date.now(), id);
  }

  private async takeSoon(id: string, { forMs = 10_000, signal }: Waiting): Promise<Lease> {
    for (const until = performance.now() + forMs; ;) {
      try {
        return await this.take(id);
      } catch (error) {
        if (!(error instanceof HeldElsewhere) || performance.now() >= until) throw error;
        await wait(pollMs, undefined, { signal });
      }
    }
  }

  private async tryToTake(id: string, force: boolean): Promise<Lease | undefined> {
    let before = (await this.claims(id)).at(-1);
    // A process that is killed while it writes its claim leaves an empty one, which is nobody's.
    while (before?.isLive && before.token === undefined && !force) {
      await wait(pollMs);
      before = (await this.claims(id)).at(-1);
    }
    if (before?.isLive && !force) throw new HeldElsewhere(before.where);
    const generation = (before?.generation ?? 0) + 1;
    const path = join(this.folder, `${id}.${generation}`);
    const token = randomUUID();
    const claim = this.claimOf(token);
    const isMade = await writeFile(path, claim, { flag: 'wx' }).then(() => true, exists);
    if (!isMade) return undefined;
    const all = await this.claims(id);
    const others = all.filter((other) => other.token !== token);
    // Our claim is missing: it stayed unwritten for so long that another window considered it dead and took over.
    if (others.length === all.length) return undefined;
    if (others.some((other) => other.generation > generation)) {
      await rm(path, { force: true });
      return undefined;
    }
    for (const older of others) await rm(older.path, { force: true });
    this.own.add(path);
    return this.leaseOf(id, { path, token });
  }

  private claimOf(token: string, note?: unknown): string {
    return JSON.stringify({ token, pid: process.pid, host: hostname(), where: this.where(), note });
  }

  private leaseOf(id: string, { path, token }: { readonly path: string; readonly token: string }): Lease {
    return {
      check: async () => {
        const newest = (await this.claims(id)).at(-1);
        if (newest?.token !== undefined && newest.token !== token) throw new HeldElsewhere(newest.where);
      },
      setNote: async (note) => {
        // A lease that was released or taken over must not come back.
        if (!this.own.has(path) || !(await exist(path))) return;
        // A file of another name first: others must never read half of a claim, for which they would take the holder to be dead.
        await writeFile(`${path}.note`, this.claimOf(token, note));
        await rename(`${path}.note`, path);
      },
      release: async () => {
        this.own.delete(path);
        await rm(path, { force: true });
      },
    };
  }
}

/** Reads the claims of one id, or of all ids; the highest generation last. */
async function readClaims(folder: string, now: number, only: string | undefined): Promise<readonly Claim[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = names.flatMap((name) => {
    const [, id, generation] = namePattern.exec(name) ?? [];
    return id === undefined || (only ?? id) !== id ? [] : [{ id, generation: Number(generation), name }];
  });
  const read = await Promise.all(found.map((claim) => readClaim({ ...claim, path: join(folder, claim.name) }, now)));
  return read.filter((claim) => claim !== undefined).toSorted((a, b) => a.generation - b.generation);
}

/** `undefined` if the file is already deleted. */
async function readClaim(file: ClaimFile, now: number): Promise<Claim | undefined> {
  const { mtimeMs } = (await stat(file.path).catch(() => undefined)) ?? {};
  if (mtimeMs === undefined) return undefined;
  const { token, pid, host, where, note } = parse(await readFile(file.path, 'utf8').catch(() => ''));
  const isDead = host === hostname() && typeof pid === 'number' && !isAlive(pid);
  return {
    id: file.id,
    generation: file.generation,
    path: file.path,
    token: typeof token === 'string' ? token : undefined,
    where: typeof where === 'string' ? where : '',
    note,
    isLive: !isDead && now - mtimeMs <= (token === undefined ? unwrittenMs : staleMs),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Readonly<Record<string, unknown>> | null) ?? {};
  } catch {
    return {};
  }
}

/** Whether a process of this machine is running, including processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function exists(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false;
  throw error;
}
