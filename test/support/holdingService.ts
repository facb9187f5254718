import { startOrigin } from './originServer';

/** Stands before a service and hands everything on, but for what it holds: that is not answered before it is let go. */
export interface HoldingService {
  /** Has the path of the service's own. */
  readonly baseUrl: string;
  /** Requests that are held now: what the asking side gave up is not among them. */
  readonly held: number;
  /** From now on, requests whose path ends so; `undefined` holds none. */
  hold(pathEnd: string | undefined): void;
  /** Holds nothing any more, and hands on what it held. */
  letGo(): void;
  close(): Promise<void>;
}

export async function startHoldingService(service: { readonly baseUrl: string }): Promise<HoldingService> {
  let held = 0;
  let requested: string | undefined;
  let goOn = new Set<() => void>();
  const target = new URL(service.baseUrl).origin;
  const server = await startOrigin((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '/';
      const isHeld = requested !== undefined && path.split('?')[0]!.endsWith(requested);
      const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const method = request.method ?? 'GET';
      const handOn = () =>
        void fetch(target + path, { method, headers: { authorization, 'content-type': type }, ...body }).then(
          async (answer) => {
            response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
            response.end(Buffer.from(await answer.arrayBuffer()));
          },
          () => response.destroy(),
        );
      if (!isHeld) return handOn();
      held += 1;
      goOn.add(handOn);
      response.on('close', () => {
        held -= 1;
        goOn.delete(handOn);
      });
    });
  });
  return {
    baseUrl: new URL(new URL(service.baseUrl).pathname, server.url).href,
    get held() {
      return held;
    },
    hold: (pathEnd) => void (requested = pathEnd),
    letGo() {
      requested = undefined;
      const waiting = goOn;
      goOn = new Set();
      for (const handOn of waiting) handOn();
    },
    close: () => server.close(),
  };
}
