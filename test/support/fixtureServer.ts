import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { readAll, startOrigin } from './originServer';

/** A received request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FixtureAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | readonly (string | Uint8Array)[];
  /** What happens after the last chunk. By default, the response ends. */
  readonly afterwards?: 'end' | 'hang' | 'reset';
}

export interface FixtureServer {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  connections(): number;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  /** Sets the next responses in order, of which the last one is repeated. */
  answer(...answers: readonly FixtureAnswer[]): void;
  close(): Promise<void>;
}

/** Starts a real HTTP server that replays responses as raw bytes and records requests. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const seen: SeenRequest[] = [];
  let answers: FixtureAnswer[] = [];
  const origin = await startOrigin((request, response) => {
    void (async () => {
      const body = String(await readAll(request));
      const url = new URL(request.url ?? '/', 'http://fixture');
      const { method = '', headers } = request;
      seen.push({ method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body });
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? unforeseen;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.flushHeaders();
      for (const chunk of chunksOf(answer.body)) {
        await new Promise((resolve) => response.write(chunk, resolve));
      }
      if (answer.afterwards === 'reset') request.socket.resetAndDestroy();
      else if (answer.afterwards !== 'hang') response.end();
    })();
  });
  return {
    baseUrl: new URL('v1', origin.url).href,
    seen,
    connections: () => origin.connections(),
    allClosed: () => origin.allClosed(),
    answer: (...provided) => void (answers = [...provided]),
    close: () => origin.close(),
  };
}

/** The response to an unexpected request, which ends instead of hanging. */
const unforeseen: FixtureAnswer = { status: 400, body: 'The test gave no answer.' };

function chunksOf(body: FixtureAnswer['body']): readonly (string | Uint8Array)[] {
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  return chunks.filter((chunk) => chunk.length > 0);
}

/** Returns the content of a file in `test/fixtures`. */
export function fixture(name: string): string {
  return readFileSync(path.join('test/fixtures', name), 'utf8');
}

export function jsonAnswer(name: string): FixtureAnswer {
  return { body: fixture(name) };
}

export function streamAnswer(body: FixtureAnswer['body']): FixtureAnswer {
  return { headers: { 'content-type': 'text/event-stream' }, body };
}
