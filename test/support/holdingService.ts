import { startOrigin } from './originServer';

/** A proxy of a service that passes requests on, except for held ones, which wait until they are released. */
export interface HoldingService {
  /** Has the path of the service's own URL. */
  readonly baseUrl: string;
  /** The number of held requests, without those that the caller abandoned. */
  readonly held: number;
  /** Holds requests whose path ends with this. `undefined` holds none. */
  hold(pathEnd: string | undefined): void;
  /** Releases held requests, and holds no more. */
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
