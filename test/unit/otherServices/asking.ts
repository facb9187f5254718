import { equal } from 'node:assert/strict';
import type { OtherService } from '../../support/otherServices/loopbackService';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks a service as anybody would: no client of ours in between. */
export async function ask(
  { baseUrl, key }: OtherService,
  endpoint: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${key}` },
): Promise<Answered> {
  const [method = 'GET', path = ''] = endpoint.split(' ');
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = { 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, { method, headers: { ...type, ...headers }, ...sent });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The answer's JSON. */
export function jsonIn({ text }: Answered): unknown {
  return JSON.parse(text);
}

/** What is at a path such as `choices.0.delta`; `undefined` where nothing is. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

/** The data of each event of a stream, read as JSON; `[DONE]` as it is. */
export function eventsIn({ status, text }: Answered): readonly unknown[] {
  equal(status, 200, text);
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** What of a refusal a client can go by. */
export function reported({ status, text }: Answered): string {
  return `${status} ${text}`;
}
