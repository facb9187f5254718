import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { resumeBatches } from './batch/runBatch';
import { newControlState } from './controlState';
import { sweepAssets } from './endpoints/assets';
import { resumeVideos } from './video/renderVideo';
import { type Pace, type PaceName, toPace } from './pace';
import { proofOf } from './proof';
import { route } from './router';
import { type Service, demoPath } from './service';
import { openStore } from './store';

export interface DemoOptions {
  /** Folder of the service's state; created if missing. Only one running service per folder. */
  readonly dataDir: string;
  /** 0 or unset: any free port. */
  readonly port?: number;
  /** Unset: the folder's own key, created at its first start. */
  readonly apiKey?: string;
  /** Proves the service's identity to those who know the secret. Unset: it proves nothing. */
  readonly secret?: string;
  /** A pace, or single values that override the reading pace. Unset: `reading`. */
  readonly pace?: PaceName | Partial<Pace>;
  /** Milliseconds since the epoch. Unset: the system clock. */
  readonly clock?: () => number;
  /** Numbers in [0, 1) for ids, jitter and where streams are cut; answers never depend on them. */
  readonly random?: () => number;
}

export interface Demo {
  /** Ends with the version segment, such as `http://127.0.0.1:4711/demo/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly port: number;
  /**
   * Ends running answers and saves the state. Resolves once the port is free and all writes have finished; a second call changes nothing.
   */
  close(): Promise<void>;
}

const idLetters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Without a listener, a CONNECT request would end without a response. */
function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
}

/** Starts the service on loopback. Rejects if the port is taken or the folder is not writable. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const store = await openStore(options.dataDir, options.apiKey);
  const closing = new AbortController();
  const works = new Set<Promise<void>>();
  const random = options.random ?? (() => randomBytes(4).readUInt32LE(0) / 2 ** 32);
  const control = newControlState(toPace(options.pace));
  let port = 0;
  let turn = Promise.resolve();
  const service: Service = {
    store,
    control,
    random,
    clock: options.clock ?? Date.now,
    pace: () => control.pace,
    origin: () => `http://127.0.0.1:${port}`,
    proof: (nonce) => (options.secret === undefined ? undefined : proofOf(options.secret, nonce, `127.0.0.1:${port}`)),
    closing: closing.signal,
    newId: () =>
      options.random === undefined
        ? randomUUID().replaceAll('-', '').slice(0, 24)
        : Array.from({ length: 24 }, () => idLetters[Math.floor(random() * idLetters.length)]).join(''),
    background: (work) => {
      const running = work(closing.signal)
        .catch(() => undefined)
        .finally(() => works.delete(running));
      works.add(running);
    },
    inTurn: (work) => {
      const mine = turn.then(work);
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
  const server = createServer({ keepAliveTimeout: 30_000, requestTimeout: 0 }, (request, response) => {
    service.background(() => route(service, request, response));
  });
  server.on('connect', refuseTunnel);
  port = await listen(server, options.port ?? 0);
  await sweepAssets(service);
  await store.save();
  resumeBatches(service);
  resumeVideos(service);
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    const freed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([freed, ...works]);
    await store.save();
  };
  return {
    baseUrl: `${service.origin()}${demoPath}/v1`,
    apiKey: store.state.apiKey,
    port,
    close: () => (closed ??= close()),
  };
}
