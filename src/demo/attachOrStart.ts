import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './folderLock';
import { type Demo, type DemoOptions, startDemo } from './server';

/** What a folder remembers of its service, running or not. */
interface Remembered {
  readonly port: number;
  readonly apiKey: string;
  readonly pid: number;
}

export interface AttachedDemo extends Demo {
  /** Another process runs it; closing this one leaves it running. */
  readonly attached: boolean;
}

const pingTimeoutMs = 1500;
const lockTimeoutMs = 15_000;

async function recall(folder: string): Promise<Remembered | undefined> {
  try {
    const value = JSON.parse(await readFile(join(folder, 'service.json'), 'utf8')) as Partial<Remembered>;
    return typeof value.port === 'number' && typeof value.apiKey === 'string'
      ? { pid: 0, ...value, port: value.port, apiKey: value.apiKey }
      : undefined;
  } catch {
    return undefined;
  }
}

async function remember(folder: string, remembered: Remembered): Promise<void> {
  const path = join(folder, 'service.json');
  await writeFile(`${path}.new`, JSON.stringify(remembered), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Whether what listens on that port is the demo service and knows that key. */
async function answers({ port, apiKey }: Remembered): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/_control/ping`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(pingTimeoutMs),
      redirect: 'error',
    });
    const body = (await response.json()) as { service?: unknown };
    return response.ok && body.service === 'inference-desk-demo';
  } catch {
    return false;
  }
}

const attachedTo = ({ port, apiKey }: Remembered): AttachedDemo => ({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  apiKey,
  port,
  attached: true,
  close: () => Promise.resolve(),
});

async function startOnSamePort(options: DemoOptions, remembered: Remembered | undefined): Promise<Demo> {
  const apiKey = options.apiKey ?? remembered?.apiKey;
  const wanted = { ...options, ...(apiKey === undefined ? {} : { apiKey }) };
  if (remembered === undefined || (options.port ?? 0) !== 0) return startDemo(wanted);
  try {
    return await startDemo({ ...wanted, port: remembered.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startDemo({ ...wanted, port: 0 });
  }
}

/** Where the folder's service last ran, whether or not it runs now. */
export async function lastAddress(folder: string): Promise<Pick<Demo, 'baseUrl' | 'apiKey'> | undefined> {
  const remembered = await recall(folder);
  return remembered && attachedTo(remembered);
}

/**
 * The folder's service: the one that runs, wherever it runs, else a new one on the same port with the same key as last
 * time (another port only where somebody else has taken it). Safe to call from several processes at once.
 */
export async function attachOrStart(options: DemoOptions): Promise<AttachedDemo> {
  const folder = options.dataDir;
  const running = await recall(folder);
  if (running !== undefined && (await answers(running))) return attachedTo(running);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const start = async (): Promise<AttachedDemo> => {
    const remembered = await recall(folder);
    if (remembered !== undefined && (await answers(remembered))) return attachedTo(remembered);
    const demo = await startOnSamePort(options, remembered);
    await remember(folder, { port: demo.port, apiKey: demo.apiKey, pid: process.pid });
    return { ...demo, attached: false };
  };
  return withLock(join(folder, 'service.lock'), start, { now: Date.now, timeoutMs: lockTimeoutMs });
}
