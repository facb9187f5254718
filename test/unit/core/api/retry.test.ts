import assert from 'node:assert/strict';
import type { ApiErrorInit } from '../../../../src/core/api/errors';
import { ApiError } from '../../../../src/core/api/errors';
import { decideRetry } from '../../../../src/core/api/transport/retry';
import type { Work } from '../../../../src/core/api/transport/transport';

type Failure = Omit<ApiErrorInit, 'message'>;

const reads: readonly Work[] = ['read', 'poll'];
const starts: readonly Work[] = ['text', 'rerank', 'paid', 'upload', 'change'];

/** Failure, whether what reads is repeated, whether what starts work is. */
const table: readonly (readonly [string, Failure, boolean, boolean])[] = [
  ['429, requests per minute', { kind: 'rateLimit', status: 429, limit: 'RPM', sent: true }, true, true],
  ['429, tokens per minute', { kind: 'rateLimit', status: 429, limit: 'TPM', sent: true }, true, true],
  ['429, images per minute', { kind: 'rateLimit', status: 429, limit: 'IPM', sent: true }, true, true],
  ['429 that names no limit', { kind: 'rateLimit', status: 429, sent: true }, true, true],
  ['429, requests per hour', { kind: 'rateLimit', status: 429, limit: 'RPH', sent: true }, false, false],
  ['429, requests per day', { kind: 'rateLimit', status: 429, limit: 'RPD', sent: true }, false, false],
  ['429, tokens per day', { kind: 'rateLimit', status: 429, limit: 'TPD', sent: true }, false, false],
  ['429, images per day', { kind: 'rateLimit', status: 429, limit: 'IPD', sent: true }, false, false],
  ['503', { kind: 'overloaded', status: 503, sent: true }, true, true],
  ['529', { kind: 'overloaded', status: 529, sent: true }, true, true],
  ['an overload with status 200', { kind: 'overloaded', status: 200, sent: true }, true, false],
  ['500', { kind: 'server', status: 500, sent: true }, true, false],
  ['502', { kind: 'server', status: 502, sent: true }, true, false],
  ['504', { kind: 'server', status: 504, sent: true }, true, false],
  ['a reset after bytes were sent', { kind: 'network', sent: true }, true, false],
  ['a refused connection', { kind: 'network', sent: false }, true, true],
  ['a connection timeout', { kind: 'timeout', phase: 'connect', sent: false }, true, true],
  ['a response timeout', { kind: 'timeout', phase: 'firstByte', sent: true }, true, false],
  ['a stall', { kind: 'timeout', phase: 'idle', sent: true }, true, false],
  ['a total timeout', { kind: 'timeout', phase: 'total', sent: true }, false, false],
  ['a truncated body', { kind: 'truncated', sent: true }, true, false],
  ['an untrusted certificate', { kind: 'certificate', sent: false }, false, false],
  ['a proxy that refuses', { kind: 'proxy', sent: false }, false, false],
  ['a web page', { kind: 'badResponse', sent: true }, false, false],
  ['a bad key', { kind: 'auth', status: 401, sent: true }, false, false],
  ['no balance', { kind: 'balance', status: 402, sent: true }, false, false],
  ['a rejected parameter', { kind: 'badRequest', status: 400, sent: true }, false, false],
  ['an unknown model', { kind: 'unknownModel', status: 400, sent: true }, false, false],
  ['an unknown ID', { kind: 'notFound', status: 404, sent: true }, false, false],
  ['an unreadable file', { kind: 'file', sent: false }, false, false],
  ['no key', { kind: 'auth', sent: false }, false, false],
];

const decide = (work: Work, failure: Failure, attempt = 1, random = 0.5) =>
  decideRetry({ work, attempt, random, error: new ApiError({ message: 'x', ...failure }) });

describe('the decision to retry', () => {
  for (const [title, failure, readAgain, startAgain] of table) {
    it(`${title}: ${readAgain ? 'read again' : 'not read again'}, ${startAgain ? 'started again' : 'not started again'}`, () => {
      for (const work of reads) assert.equal(decide(work, failure).retry, readAgain, work);
      for (const work of starts) assert.equal(decide(work, failure).retry, startAgain, work);
    });
  }

  it('allows three attempts, or five for a limit per minute', () => {
    const times = (failure: Failure) =>
      [1, 2, 3, 4, 5, 6].filter((attempt) => decide('read', failure, attempt).retry).length;
    assert.equal(times({ kind: 'server', status: 500 }), 2);
    assert.equal(times({ kind: 'network', sent: false }), 2);
    assert.equal(times({ kind: 'overloaded', status: 503 }), 2);
    assert.equal(times({ kind: 'rateLimit', status: 429, limit: 'RPM' }), 4);
  });

  it('waits up to a ceiling that doubles until 20 s', () => {
    const delays = (failure: Failure, attempts: readonly number[], random: number) =>
      attempts.map((attempt) => {
        const decision = decide('read', failure, attempt, random);
        return decision.retry ? decision.delayMs : undefined;
      });
    const limit: Failure = { kind: 'rateLimit', status: 429, limit: 'TPM' };
    assert.deepEqual(delays(limit, [1, 2, 3, 4], 1), [2000, 4000, 8000, 16_000]);
    assert.deepEqual(delays(limit, [1, 2, 3, 4], 0), [0, 0, 0, 0]);
    assert.deepEqual(delays({ kind: 'server', status: 500 }, [1, 2], 1), [500, 1000]);
    assert.deepEqual(delays({ kind: 'overloaded', status: 503 }, [1, 2], 0.5), [500, 1000]);
  });

  it("waits as long as the service requests, up to a minute, and doesn't wait for longer", () => {
    const asked = (retryAfterMs: number) =>
      decide('text', { kind: 'rateLimit', status: 429, limit: 'RPM', retryAfterMs });
    assert.deepEqual(asked(7000), { retry: true, delayMs: 7000, reason: 'rateLimit' });
    assert.deepEqual(asked(60_000), { retry: true, delayMs: 60_000, reason: 'rateLimit' });
    assert.deepEqual(asked(60_001), { retry: false });
  });

  it('waits longer each time if the service requests a short wait or none', () => {
    for (const retryAfterMs of [0, 1, 200]) {
      for (const failure of [
        { kind: 'rateLimit', status: 429 },
        { kind: 'overloaded', status: 503 },
      ] as const) {
        const waited = [1, 2, 3, 4].map((attempt) => {
          const decision = decide('text', { ...failure, retryAfterMs }, attempt, 0);
          return decision.retry ? decision.delayMs : undefined;
        });
        const expected = [250, 500, 1000, 2000].slice(0, failure.status === 429 ? 4 : 2);
        assert.deepEqual(waited.slice(0, expected.length), expected);
      }
    }
  });
});
