import assert from 'node:assert/strict';
import type { Client } from '../../src/core/api/client';
import type { ClientOptions } from '../../src/core/api/clientOptions';
import { createClient } from '../../src/core/api/client';
import type { ApiError } from '../../src/core/api/errors';
import { isApiError } from '../../src/core/api/errors';
import type { Exchange } from '../../src/core/api/exchange';
import { createOfferStore } from '../../src/core/api/offers';
import type { GateWait } from '../../src/core/api/transport/gate';
import { vendorRules } from '../../src/core/profiles/vendorRules';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';

/** Not a word that can occur by chance. */
export const testKey = 'sk-testkeytestkey0123456789';

export interface TestClient {
  readonly client: Client;
  readonly exchanges: readonly Exchange[];
  /** The milliseconds of every sleep, none of which takes time. */
  readonly sleeps: readonly number[];
  readonly waits: readonly GateWait[];
  /** The client's clock, which only sleeping advances. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/** Options with which a chat uses this endpoint only. */
export const atChatCompletions: Partial<ClientOptions> = { modelOptions: () => ({ endpoint: 'chatCompletions' }) };

/** Returns a client of the public service over a real stack with simulated time: sleeping advances its clock immediately. */
export function createTestClient(baseUrl: string, options: Partial<ClientOptions> = {}): TestClient {
  let now = 1_800_000_000_000;
  const exchanges: Exchange[] = [];
  const sleeps: number[] = [];
  const waits: GateWait[] = [];
  const client = createClient({
    baseUrl,
    service: 'siliconFlow',
    bounds: vendorRules.bounds,
    apiKey: () => Promise.resolve(testKey),
    stack: createUndiciStack(),
    offers: createOfferStore(),
    onExchange: (exchange) => exchanges.push(exchange),
    onWait: (wait) => waits.push(wait),
    clock: () => now,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      sleeps.push(ms);
      now += ms;
      signal?.throwIfAborted();
    },
    ...options,
  });
  return { client, exchanges, sleeps, waits, now: () => now, advance: (ms) => void (now += ms) };
}

export async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => assert.fail('did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(isApiError(error), String(error));
  return error;
}

/** Returns all events of a stream, and the error after them. */
export async function drain<T>(stream: AsyncIterable<T>): Promise<{ readonly events: T[]; readonly error?: ApiError }> {
  const events: T[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    assert.ok(isApiError(error), String(error));
    return { events, error };
  }
  return { events };
}

/** Returns everything in an error, including its causes, none of which can contain the key. */
export function everythingIn(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    parts.push(at.message, at.stack ?? '', JSON.stringify(Object.entries(at)));
  }
  return parts.join('\n');
}
