import assert from 'node:assert/strict';
import { createBackoff } from '../../../../src/core/ghostText/backoff';
import type { Failure } from '../../../../src/core/ghostText/backoff';

const pauseAfter = (...failures: readonly Failure[]): number => {
  const backoff = createBackoff(() => 1000);
  for (const failure of failures) backoff.failed(failure);
  return backoff.until - 1000;
};

describe('retrying after a failure', () => {
  it('triples the wait after each consecutive failure, up to five minutes', () => {
    const failures = Array.from({ length: 6 }, () => ({ kind: 'network' }) as const);
    assert.deepEqual(
      failures.map((_, count) => pauseAfter(...failures.slice(0, count + 1))),
      [5000, 15_000, 45_000, 135_000, 300_000, 300_000],
    );
  });

  it("stops until a change if waiting doesn't help", () => {
    for (const kind of [
      'auth',
      'balance',
      'permission',
      'unknownModel',
      'badRequest',
      'notOffered',
      'unexpected',
    ] as const)
      assert.equal(pauseAfter({ kind }), Infinity, kind);
  });

  it('waits as long as the service requests, and longer for a daily limit', () => {
    assert.equal(pauseAfter({ kind: 'rateLimit', retryAfterMs: 60_000 }), 60_000);
    assert.equal(pauseAfter({ kind: 'rateLimit', retryAfterMs: 1 }), 5000);
    assert.equal(pauseAfter({ kind: 'rateLimit' }), 30_000);
    assert.equal(pauseAfter({ kind: 'rateLimit', limit: 'TPD' }), 900_000);
  });

  it('checks a budget each minute, because it restarts at midnight', () => {
    assert.equal(pauseAfter({ kind: 'user' }, { kind: 'user' }), 60_000);
  });

  it('restarts after a success', () => {
    const backoff = createBackoff(() => 0);
    backoff.failed({ kind: 'server' });
    backoff.failed({ kind: 'server' });
    backoff.reset();
    assert.equal(backoff.until, 0);
    backoff.failed({ kind: 'server' });
    assert.equal(backoff.until, 5000);
  });
});
