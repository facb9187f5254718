import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, type DemoOptions, startDemo } from '../../../src/demo/server';

export const firstModel = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

/** Parsed JSON that a test reaches into; what is not there is undefined and fails the assertion on it. */
export type Loose = { readonly [key: string]: Loose } & { toString(): string };

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly body: Loose;
  readonly headers: Headers;
}

export interface TestDemo extends Demo {
  readonly folder: string;
  readonly origin: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  form(path: string, fields: Readonly<Record<string, string | Blob>>): Promise<Answer>;
  control(action: string, body?: unknown): Promise<Answer>;
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, text, body: body as Loose, headers: response.headers };
}

/** A service at instant pace in a folder of its own, with the calls tests need. */
export async function openDemo(options: Partial<DemoOptions> = {}): Promise<TestDemo> {
  const folder = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'demo-')));
  const demo = await startDemo({ pace: 'instant', ...options, dataDir: folder });
  const authorization = `Bearer ${demo.apiKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  const send = async (url: string, init: RequestInit) => read(await fetch(url, { redirect: 'manual', ...init }));
  const { origin } = new URL(demo.baseUrl);
  return {
    ...demo,
    folder,
    origin,
    get: (path) => send(demo.baseUrl + path, { headers: { authorization } }),
    post: (path, body) => send(demo.baseUrl + path, { method: 'POST', headers: json, body: JSON.stringify(body) }),
    form: (path, fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return send(demo.baseUrl + path, { method: 'POST', headers: { authorization }, body: form });
    },
    control: (action, body) =>
      send(
        `${origin}/_control/${action}`,
        body === undefined
          ? { headers: { authorization } }
          : { method: 'POST', headers: json, body: JSON.stringify(body) },
      ),
  };
}

/** Runs the work against a service of its own and removes it afterwards. */
export async function withDemo(
  work: (demo: TestDemo) => Promise<void>,
  options: Partial<DemoOptions> = {},
): Promise<void> {
  const demo = await openDemo(options);
  try {
    await work(demo);
  } finally {
    await demo.close();
    await rm(demo.folder, { recursive: true, force: true });
  }
}

export interface StreamEvent {
  readonly event: string | undefined;
  readonly data: Loose;
}

/** The events of a whole stream; `[DONE]` stays text. */
export function eventsOf(text: string): readonly StreamEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => block.split(/\r?\n/))
    .map((lines) => ({
      event: lines.find((line) => line.startsWith('event: '))?.slice(7),
      data: lines.find((line) => line.startsWith('data: '))?.slice(6),
    }))
    .filter((item) => item.data !== undefined)
    .map(({ event, data = '' }) => ({ event, data: (data === '[DONE]' ? data : JSON.parse(data)) as Loose }));
}

export const ask = (content: string, more: object = {}): object => ({
  model: firstModel,
  max_tokens: 2000,
  messages: [{ role: 'user', content }],
  ...more,
});

/** Asks until the answer is as wanted; the test's own timeout ends it. */
export async function until(get: () => Promise<Answer>, requested: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await get();
    if (requested(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
