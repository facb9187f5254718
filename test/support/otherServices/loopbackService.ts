import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { readAll, startOrigin, type OriginServerOptions } from '../originServer';

/** A received request with the status of its response. */
export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The value of `{id}` in the path's pattern. */
  readonly id: string;
  /** 0 until it is answered. */
  status: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged: text, bytes, or the chunks of a stream. */
  readonly raw?: string | Uint8Array | Iterable<string>;
}

/** Thrown by a route that rejects the request. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super('refused');
  }
}

export type Route = (asked: Asked) => Reply | Promise<Reply>;

export interface LoopbackServiceOptions {
  /** The common prefix of all paths, such as `/v1`. */
  readonly root: string;
  /** By method and path below the root. A path can contain `{id}`. */
  readonly routes: Readonly<Record<string, Route>>;
  /** Called first. Throws the rejection of an unauthorized request. */
  readonly admit?: (asked: Asked) => void;
  /** The response for an unknown path or method. */
  readonly missing: (asked: Asked, isKnownPath: boolean) => Reply;
  /** Headers of every response. */
  readonly headers?: (asked: Asked) => Readonly<Record<string, string>>;
  /** The response to an error of a route that isn't a rejection. */
  readonly failed: (error: unknown) => Reply;
}

/** A service of another vendor on this machine: real HTTP, with the behavior of that vendor. */
export interface OtherService {
  readonly baseUrl: string;
  readonly port: number;
  /** Empty if it requires none. */
  readonly key: string;
  /** In the order of arrival. */
  readonly asked: readonly Asked[];
  /** Returns the JSON bodies of the requests to a method and path such as `POST /v1/chat/completions`. */
  bodies(endpoint: string): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

/** Its key and host. With an identity, it uses TLS. */
export interface ServiceAt extends OriginServerOptions {
  readonly key?: string;
}

export async function startLoopbackService(options: LoopbackServiceOptions, at: ServiceAt = {}): Promise<OtherService> {
  const asked: Asked[] = [];
  const origin = await startOrigin(async (request, response) => {
    const body = await readAll(request);
    const url = new URL(request.url ?? '/', 'http://loopback');
    const { method = 'GET', headers } = request;
    const { route, id, isKnownPath } = routeOf(options, method, url.pathname);
    const one: Asked = { method, path: url.pathname, query: url.searchParams, headers, body, id, status: 0 };
    asked.push(one);
    const reply = await replyTo(options, one, route ?? (() => options.missing(one, isKnownPath)));
    one.status = reply.status ?? 200;
    await send(response, reply, options.headers?.(one) ?? {});
  }, at);
  return {
    baseUrl: origin.url.origin + options.root,
    port: origin.port,
    key: at.key ?? '',
    asked,
    bodies: (endpoint) =>
      asked.filter((one) => `${one.method} ${one.path}` === endpoint).map((one) => jsonOf(one) ?? {}),
    close: () => origin.close(),
  };
}

/** Returns the body as a JSON object, or `undefined`. */
export function jsonOf({ body }: Asked): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list, or an empty list for anything else. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the parts of a form, or `undefined` for other requests. */
export async function formOf({ headers, body }: Asked): Promise<FormData | undefined> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return undefined;
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
}

/** Yields the lines of an event stream, one event each, and the service's end mark. */
export function* eventsOf(events: Iterable<unknown>, end = ''): Generator<string> {
  for (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
  if (end) yield end;
}

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

function routeOf({ root, routes }: LoopbackServiceOptions, method: string, path: string) {
  let isKnownPath = false;
  for (const [endpoint, route] of Object.entries(routes)) {
    const [verb, pattern = ''] = endpoint.split(' ');
    const [before = '', after] = pattern.split('{id}');
    const isMatch = after === undefined ? path === root + before : isBetween(path, root + before, after);
    if (!isMatch) continue;
    isKnownPath = true;
    const end = after ? -after.length : undefined;
    const id = after === undefined ? '' : decodeURIComponent(path.slice(root.length + before.length, end));
    if (verb === method) return { route, id, isKnownPath };
  }
  return { id: '', isKnownPath };
}

function isBetween(path: string, before: string, after: string): boolean {
  if (!path.startsWith(before) || !path.endsWith(after)) return false;
  const id = path.slice(before.length, path.length - after.length);
  return id !== '' && !id.includes('/');
}

async function replyTo({ admit, failed }: LoopbackServiceOptions, asked: Asked, route: Route): Promise<Reply> {
  try {
    admit?.(asked);
    return await route(asked);
  } catch (error) {
    return error instanceof Refusal ? error.reply : failed(error);
  }
}

async function send(response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>): Promise<void> {
  const { status = 200, json, raw = '' } = reply;
  const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers, ...reply.headers });
  if (json !== undefined) return void response.end(JSON.stringify(json));
  if (typeof raw === 'string' || raw instanceof Uint8Array) return void response.end(raw);
  response.flushHeaders();
  for (const part of raw) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(part, () => resolve()));
  }
  response.end();
}
