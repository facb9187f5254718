import { deepEqual, equal } from 'node:assert/strict';
import { createConcurrency, Pacing } from '../../../../../src/core/batch/local/pacing';

describe('The number of concurrent requests of a local run', () => {
  let now = 0;
  let most = 0;
  const open = (all: number) => {
    [now, most] = [0, all];
    return createConcurrency(
      () => most,
      () => now,
    );
  };

  it('is halved when the service is busy, down to one', () => {
    for (const [all, steps] of [
      [16, [8, 4, 2, 1, 1]],
      [7, [3, 1, 1]],
      [3, [1, 1]],
      [2, [1, 1]],
      [1, [1, 1]],
    ] as const) {
      const concurrency = open(all);
      const seen = steps.map(() => {
        concurrency.lower();
        now += 1000;
        return concurrency.allowed;
      });
      deepEqual(seen, steps);
    }
  });

  it('is halved once for all rejections within a second', () => {
    const concurrency = open(16);
    for (const [at, allowed] of [
      [5000, 8],
      [5000, 8],
      [5999, 8],
      [6000, 4],
    ] as const) {
      now = at;
      concurrency.lower();
      equal(concurrency.allowed, allowed, String(at));
    }
  });

  it('increases by one after two responses per slot, up to the maximum', () => {
    const concurrency = open(4);
    concurrency.lower();
    concurrency.lower();
    equal(concurrency.allowed, 2);
    const answersUntilRaised = () => {
      const before = concurrency.allowed;
      for (let answers = 1; answers <= 50; answers++) {
        concurrency.answered();
        if (concurrency.allowed !== before) return [answers, concurrency.allowed];
      }
      return [];
    };
    deepEqual([answersUntilRaised(), answersUntilRaised(), answersUntilRaised()], [[4, 3], [6, 4], []]);
  });

  it('restarts its count of responses when the service is busy', () => {
    const concurrency = open(4);
    for (let answers = 0; answers < 7; answers++) concurrency.answered();
    concurrency.lower();
    for (let answers = 0; answers < 3; answers++) concurrency.answered();
    equal(concurrency.allowed, 2);
    concurrency.answered();
    equal(concurrency.allowed, 3);
  });

  it('follows changes of the maximum, and is at least one', () => {
    const concurrency = open(4);
    const seen = [2, 0, 9].map((all) => {
      most = all;
      return concurrency.allowed;
    });
    deepEqual(seen, [2, 1, 4]);
  });

  it('is halved, and waits no longer, after the clock was set back', () => {
    now = 4_000_000;
    const pacing = new Pacing(
      () => 16,
      () => now,
      () => 0.5,
    );
    pacing.waiting({ reason: 'rateLimit', until: now + 30_000, limit: undefined });
    deepEqual([pacing.wait?.until, pacing.allowed], [4_030_000, 8]);
    now -= 3_600_000;
    equal(pacing.wait?.until, undefined);
    pacing.waiting({ reason: 'rateLimit', until: now + 20_000, limit: undefined });
    deepEqual([pacing.wait?.until, pacing.allowed], [420_000, 4]);
  });
});
