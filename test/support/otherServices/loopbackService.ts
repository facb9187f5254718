import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { readAll, startOrigin, type OriginServerOptions } from '../originServer';

/** A request as it came, with what it was answered. */
export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Of the path's pattern: what stands in place of `{id}`. */
  readonly id: string;
  /** 0 until it is answered. */
  status: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is: text, bytes, or the parts of a stream as they come. */
  readonly raw?: string | Uint8Array | Iterable<string>;
}

/** Thrown by a route that does not take the request. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super('refused');
  }
}

export type Route = (asked: Asked) => Reply | Promise<Reply>;

export interface LoopbackServiceOptions {
  /** What all paths begin with, such as `/v1`. */
  readonly root: string;
  /** By method and path below the root; the last part of a path may be `{id}`, also in its middle. */
  readonly routes: Readonly<Record<string, Route>>;
  /** Asked before anything else: throws what a request without a right to be here gets. */
  readonly admit?: (asked: Asked) => void;
  /** The answer on a path that there is no route for, or none of this method. */
  readonly missing: (asked: Asked, isKnownPath: boolean) => Reply;
  /** Headers of every answer. */
  readonly headers?: (asked: Asked) => Readonly<Record<string, string>>;
  /** Of what a route threw that is no refusal. */
  readonly failed: (error: unknown) => Reply;
}

/** A service of another vendor on this machine: real HTTP, with the manners of that vendor's own. */
export interface OtherService {
  readonly baseUrl: string;
  readonly port: number;
  /** Empty where it takes none. */
  readonly key: string;
  /** In the order they came. */
  readonly asked: readonly Asked[];
  /** The bodies of the requests to a method and path such as `POST /v1/chat/completions`, read as JSON. */
  bodies(endpoint: string): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

/** Its key, and where it is meant to be: with an identity it speaks TLS. */
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

/** The body as an object of JSON; `undefined` where it is none. */
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

/** The objects of a list; of anything else none. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The parts of a form, or `undefined` where the request is none. */
export async function formOf({ headers, body }: Asked): Promise<FormData | undefined> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return undefined;
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
}

/** Lines of an event stream, one event each, and what a service ends it with. */
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
