import assert from 'node:assert/strict';
import { createBackoff } from '../../../../src/core/ghostText/backoff';
import type { Failure } from '../../../../src/core/ghostText/backoff';

const pauseAfter = (...failures: readonly Failure[]): number => {
  const backoff = createBackoff(() => 1000);
  for (const failure of failures) backoff.failed(failure);
  return backoff.until - 1000;
};

describe('asking again after a failure', () => {
  it('waits three times as long at each in a row, up to five minutes', () => {
    const failures = Array.from({ length: 6 }, () => ({ kind: 'network' }) as const);
    assert.deepEqual(
      failures.map((_, count) => pauseAfter(...failures.slice(0, count + 1))),
      [5000, 15_000, 45_000, 135_000, 300_000, 300_000],
    );
  });

  it('stops until something changes where waiting does not help', () => {
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

  it('waits as long as the service asks, and longer for a limit of the day', () => {
    assert.equal(pauseAfter({ kind: 'rateLimit', retryAfterMs: 60_000 }), 60_000);
    assert.equal(pauseAfter({ kind: 'rateLimit', retryAfterMs: 1 }), 5000);
    assert.equal(pauseAfter({ kind: 'rateLimit' }), 30_000);
    assert.equal(pauseAfter({ kind: 'rateLimit', limit: 'TPD' }), 900_000);
  });

  it('looks at a budget each minute: it starts anew at midnight', () => {
    assert.equal(pauseAfter({ kind: 'user' }, { kind: 'user' }), 60_000);
  });

  it('begins anew once it went well', () => {
    const backoff = createBackoff(() => 0);
    backoff.failed({ kind: 'server' });
    backoff.failed({ kind: 'server' });
    backoff.reset();
    assert.equal(backoff.until, 0);
    backoff.failed({ kind: 'server' });
    assert.equal(backoff.until, 5000);
  });
});
