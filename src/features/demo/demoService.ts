import { join } from 'node:path';
import { createJsonFile } from '../../platform/jsonFile';
import type { Disposable } from '../../platform/disposables';
import { answersAt } from './probe';

/** Where the demo service is reached. The same after a restart, unless another program took its port. */
export interface DemoAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface RunningDemo extends DemoAddress {
  readonly port: number;
  close(): Promise<void>;
}

export interface DemoServiceOptions {
  /** Keeps the service's state, and where it last ran. Shared by all windows. */
  readonly folder: string;
  /** Loads and starts the service. Rejects when the port is taken. */
  readonly start: (options: { readonly dataDir: string; readonly port: number }) => Promise<RunningDemo>;
}

/** The demo service as this window sees it: run here, or attached to where another window runs it. */
export interface DemoService extends Disposable {
  /** Resolves when it answers. Calls at the same time share one start. */
  ensureRunning(): Promise<DemoAddress>;
  /** Where it last ran, whether or not it runs now. */
  lastAddress(): Promise<DemoAddress | undefined>;
  readonly isRunHere: boolean;
  /** Ends it when it runs here. Resolves to whether it did. */
  stop(): Promise<boolean>;
}

interface Endpoint extends DemoAddress {
  readonly port: number;
}

export function createDemoService({ folder, start }: DemoServiceOptions): DemoService {
  const file = createJsonFile(join(folder, 'endpoint.json'), toEndpoint);
  let running: RunningDemo | undefined;
  let starting: Promise<DemoAddress> | undefined;

  const startAt = async (port: number): Promise<RunningDemo> => {
    const demo = await start({ dataDir: folder, port });
    await file.write({ port: demo.port, baseUrl: demo.baseUrl, apiKey: demo.apiKey });
    running = demo;
    return demo;
  };
  const attachOrStart = async (): Promise<DemoAddress> => {
    const last = await file.read();
    if (last && (await answersAt(last.baseUrl, last.apiKey))) return last;
    try {
      return await startAt(last?.port ?? 0);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      // Another window may have started it a moment ago; else another program has the port.
      return last && (await answersAt(last.baseUrl, last.apiKey)) ? last : startAt(0);
    }
  };

  return {
    async ensureRunning() {
      if (running) return running;
      starting ??= attachOrStart().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    lastAddress: () => file.read(),
    get isRunHere() {
      return running !== undefined;
    },
    async stop() {
      await starting?.catch(() => undefined);
      const demo = running;
      running = undefined;
      await demo?.close();
      return demo !== undefined;
    },
    dispose() {
      running?.close().catch(() => undefined);
      running = undefined;
    },
  };
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

function toEndpoint(raw: unknown): Endpoint | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { port, baseUrl, apiKey } = raw as { readonly [name: string]: unknown };
  if (typeof port !== 'number' || typeof baseUrl !== 'string' || typeof apiKey !== 'string') return undefined;
  // The folder is not secret: a key must not be led anywhere but to this machine.
  return baseUrl === `http://127.0.0.1:${port}/v1` ? { port, baseUrl, apiKey } : undefined;
}
