import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../core/storage/atomicFile';
import { HeldElsewhere, Leases } from '../core/storage/leases';
import { isSecret, newSecret, proves } from './proof';
import { type Demo, type DemoOptions, startDemo } from './server';
import { demoPath } from './service';

/** A folder's record of its service, whether or not it is running. */
interface Remembered {
  readonly port: number;
  readonly apiKey: string;
  readonly pid: number;
  /** By which the service proves its identity; new at each start. Absent in files of earlier versions. */
  readonly secret?: string | undefined;
}

export interface AttachedDemo extends Demo {
  /** Whether another process runs it; closing this one then leaves it running. */
  readonly attached: boolean;
}

/** A start takes well under a second. */
const longestStartMs = 15_000;

async function recall(folder: string): Promise<Remembered | undefined> {
  try {
    const { port, apiKey, pid, secret } = JSON.parse(await readFile(join(folder, 'service.json'), 'utf8')) as {
      readonly [Name in keyof Remembered]?: unknown;
    };
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
    if (typeof apiKey !== 'string') return undefined;
    return { port, apiKey, pid: typeof pid === 'number' ? pid : 0, secret: isSecret(secret) ? secret : undefined };
  } catch {
    return undefined;
  }
}

async function remember(folder: string, remembered: Remembered): Promise<void> {
  await writeAtomic(join(folder, 'service.json'), JSON.stringify(remembered));
}

/** Whether the listener on that port is the folder's service. Sends nothing that a stranger could use. */
async function isThere({ port, secret }: Remembered): Promise<boolean> {
  return secret !== undefined && proves(port, secret);
}

const attachedTo = ({ port, apiKey }: Remembered): AttachedDemo => ({
  baseUrl: `http://127.0.0.1:${port}${demoPath}/v1`,
  apiKey,
  port,
  attached: true,
  close: () => Promise.resolve(),
});

async function startOnSamePort(
  options: DemoOptions,
  remembered: Remembered | undefined,
  tell: (message: string) => void,
): Promise<Demo> {
  const apiKey = options.apiKey ?? remembered?.apiKey;
  const requested = { ...options, ...(apiKey === undefined ? {} : { apiKey }) };
  if (remembered === undefined || (options.port ?? 0) !== 0) return startDemo(requested);
  try {
    return await startDemo({ ...requested, port: remembered.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const demo = await startDemo({ ...requested, port: 0 });
    tell(
      `Port ${remembered.port} belongs to a program that did not prove to be this folder's demo service. It got no key; the demo service runs on port ${demo.port} now.`,
    );
    return demo;
  }
}

/** Returns where the folder's service last ran, whether or not it is running now. */
export async function lastAddress(folder: string): Promise<AttachedDemo | undefined> {
  const remembered = await recall(folder);
  return remembered && attachedTo(remembered);
}

/**
 * Resolves to the folder's service: the running one, whichever process runs it, or otherwise a new one with the same port and key as last
 * time (another port only if that one is taken, which `tell` reports). Safe to call from several processes at once. The service has proved
 * its identity before this resolves. Another program on its port never gets a key.
 */
export async function attachOrStart(
  options: Omit<DemoOptions, 'secret'>,
  tell: (message: string) => void = () => undefined,
): Promise<AttachedDemo> {
  const folder = options.dataDir;
  const running = await recall(folder);
  if (running !== undefined && (await isThere(running))) return attachedTo(running);
  const start = async (): Promise<AttachedDemo> => {
    const remembered = await recall(folder);
    if (remembered !== undefined && (await isThere(remembered))) return attachedTo(remembered);
    const secret = newSecret();
    const demo = await startOnSamePort({ ...options, secret }, remembered, tell);
    await remember(folder, { port: demo.port, apiKey: demo.apiKey, pid: process.pid, secret });
    return { ...demo, attached: false };
  };
  const leases = new Leases(join(folder, 'open'), () => '');
  try {
    return await leases.hold('start', start, { forMs: longestStartMs });
  } catch (error) {
    if (!(error instanceof HeldElsewhere)) throw error;
    throw new Error('Another window is starting the demo service and does not finish.', { cause: error });
  } finally {
    leases.dispose();
  }
}
