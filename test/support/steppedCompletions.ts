import type { ServerResponse } from 'node:http';
import { readAll, startOrigin } from './originServer';

/** A completion request that the test answers step by step. */
export interface SteppedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** Names another model than the requested one in the response. */
  answerAs(model: string): void;
  /** Sends a chunk with this text, as one event. */
  text(text: string, more?: { readonly index?: number; readonly logprobs?: object }): Promise<void>;
  /** Sends the last chunk, the usage, and the end mark. */
  end(finish?: string): Promise<void>;
  /** Closes the connection in the middle. */
  cut(): void;
  /** Sends the complete response, or a rejection. */
  json(status: number, body: object): void;
  /** Resolves when the caller has disconnected. */
  readonly gone: Promise<void>;
}

export interface SteppedCompletions {
  readonly baseUrl: string;
  /** Resolves to the next unhandled request. */
  next(): Promise<SteppedRequest>;
  /** The number of unhandled requests. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** Starts a service with one model whose completions are controlled by a test. */
export async function startSteppedCompletions(model: string): Promise<SteppedCompletions> {
  const arrived: SteppedRequest[] = [];
  const requested: ((request: SteppedRequest) => void)[] = [];
  const origin = await startOrigin(async (request, response) => {
    const read = String(await readAll(request));
    if (!request.url?.endsWith('/completions')) {
      json(response, 200, { object: 'list', data: [{ id: model, object: 'model' }] });
      return;
    }
    const stepped = stepsOf(response, JSON.parse(read));
    const taker = requested.shift();
    if (taker) taker(stepped);
    else arrived.push(stepped);
  });
  return {
    baseUrl: new URL('v1', origin.url).href,
    next: async () => arrived.shift() ?? new Promise((resolve) => void requested.push(resolve)),
    get waiting() {
      return arrived.length;
    },
    close: () => origin.close(),
  };
}

function stepsOf(response: ServerResponse, body: Readonly<Record<string, unknown>>): SteppedRequest {
  let head = { id: 'cmpl-1', object: 'text_completion', model: body['model'], system_fingerprint: 'fp_7' };
  const headers = { 'content-type': 'text/event-stream', 'x-siliconcloud-trace-id': 'ti_1' };
  const event = (data: object) =>
    new Promise<void>((resolve) => {
      if (!response.headersSent) response.writeHead(200, headers);
      response.write(`data: ${JSON.stringify(data)}\n\n`, () => resolve());
    });
  return {
    body,
    answerAs: (model) => void (head = { ...head, model }),
    text: (text, { index = 0, logprobs } = {}) =>
      event({ ...head, choices: [{ index, text, logprobs: logprobs ?? null, finish_reason: null }] }),
    async end(finish = 'stop') {
      const choices = Array.from({ length: Number(body['n'] ?? 1) }, (_, index) => ({
        index,
        text: '',
        finish_reason: finish,
      }));
      await event({ ...head, choices });
      await event({ ...head, choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
      response.end('data: [DONE]\n\n');
    },
    cut: () => void response.socket?.resetAndDestroy(),
    json: (status, answer) => json(response, status, answer),
    gone: new Promise((resolve) => void response.once('close', resolve)),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
