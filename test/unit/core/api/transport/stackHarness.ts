import assert from 'node:assert/strict';
import { isApiError } from '../../../../../src/core/api/errors';
import type { ApiError } from '../../../../../src/core/api/errors';
import type { HttpRequest, HttpResponse, HttpStack, Timers } from '../../../../../src/core/api/transport/transport';
import {
  type OriginHandler,
  type OriginServer,
  type OriginServerOptions,
  startOrigin,
} from '../../../../support/originServer';

export interface Subject {
  create(): HttpStack;
  /** Lengthened where a stack chooses its way by the timers. */
  readonly timers?: Partial<Timers>;
}

/** Far beyond what a test takes, so that only the timer a test sets can fire. */
const patient: Timers = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };

type Sent = Partial<Omit<HttpRequest, 'timers'>> & { readonly timers?: Partial<Timers> };

export interface StackHarness {
  /** Closed after each test. */
  readonly start: (handler: OriginHandler, options?: OriginServerOptions) => Promise<OriginServer>;
  /** POST where there is a body, else GET. */
  readonly send: (url: URL | string, request?: Sent) => Promise<HttpResponse>;
  readonly closeStack: () => Promise<void>;
}

/** A fresh stack for each test of the surrounding `describe`, and servers for it to meet. */
export function setUpStack(subject: Subject): StackHarness {
  let stack: HttpStack;
  const origins: OriginServer[] = [];
  beforeEach(() => {
    stack = subject.create();
  });
  afterEach(async () => {
    await stack.close();
    await Promise.all(origins.splice(0).map((origin) => origin.close()));
  });
  return {
    async start(handler, options) {
      const origin = await startOrigin(handler, options);
      origins.push(origin);
      return origin;
    },
    send: (url, { timers, ...request } = {}) =>
      stack.send({
        method: request.body === undefined ? 'GET' : 'POST',
        headers: {},
        ...request,
        url: new URL(url),
        timers: { ...patient, ...subject.timers, ...timers },
      }),
    closeStack: () => stack.close(),
  };
}

export async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => assert.fail('did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(isApiError(error), String(error));
  return error;
}

/** What callers decide by. */
export function facts({ kind, details: { sent, phase } }: ApiError) {
  return { kind, sent, ...(phase ? { phase } : {}) };
}
