import type { ServerResponse } from 'node:http';
import { readAll, startOrigin } from './originServer';

/** How a service fails a request that it received. */
export type Failing = 'silent' | 'cut' | 'broken' | 'refused';

/** A service that fails every request in one way, or returns what the test sets. */
export interface FailingService {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  fail(how: Failing): void;
  answer(body: object): void;
  /** Ends each response after these events of a stream, as if the connection had been lost. */
  breakOff(events: readonly object[]): void;
  /** Resolves when the next request has arrived completely. */
  arrived(): Promise<void>;
  close(): Promise<void>;
}

export async function startFailingService(): Promise<FailingService> {
  let respond: (response: ServerResponse) => void = () => undefined;
  let waiting: (() => void)[] = [];
  const origin = await startOrigin(async (request, response) => {
    await readAll(request);
    respond(response);
    const reported = waiting;
    waiting = [];
    for (const tell of reported) tell();
  });
  const json = (status: number, body: object) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const ways: Readonly<Record<Failing, (response: ServerResponse) => void>> = {
    silent: () => undefined,
    cut: (response) => void response.socket?.resetAndDestroy(),
    broken: json(500, { message: 'Something broke.' }),
    refused: json(400, { code: 20_015, message: 'The parameter is invalid.' }),
  };
  return {
    baseUrl: new URL('v1', origin.url).href,
    fail: (how) => void (respond = ways[how]),
    answer: (body) => void (respond = json(200, body)),
    breakOff(events) {
      respond = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      };
    },
    arrived: () => new Promise((resolve) => void waiting.push(resolve)),
    close: () => origin.close(),
  };
}
