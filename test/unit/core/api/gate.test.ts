import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import { type Gate, type GatePass, createGate } from '../../../../src/core/api/transport/gate';

const limited = (limit = 'RPM') => new ApiError({ kind: 'rateLimit', message: 'limit', status: 429, limit });

/** A clock that moves when told, with sleepers that wake in order. */
function createTime() {
  let now = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    clock: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push({ at: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    async advance(ms: number) {
      now += ms;
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await settle();
    },
  };
}

/** Lets everything run that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the rate-limit gate', () => {
  let time: ReturnType<typeof createTime>;
  let gate: Gate;
  let waits: (readonly [number, string | undefined])[];
  beforeEach(() => {
    time = createTime();
    gate = createGate(time.clock, time.sleep);
    waits = [];
  });
  const enter = (key = 'a/model', signal?: AbortSignal) =>
    gate.enter({ key, signal, onWait: (until, limit) => waits.push([until, limit]) });
  /** Enters, and tells when it was let in. */
  const queue = (key?: string) => {
    const visitor: { pass?: GatePass; error?: unknown } = {};
    void enter(key).then(
      (pass) => (visitor.pass = pass),
      (error) => (visitor.error = error),
    );
    return visitor;
  };

  it('lets all calls through before a limit is reached', async () => {
    (await enter()).passed();
    (await enter()).left();
    await Promise.all([enter(), enter(), enter()]);
    assert.deepEqual(waits, []);
  });

  it('holds all calls for a model together, then sends one first and the others after it', async () => {
    (await enter()).limited(limited(), 1000);
    const visitors = [queue(), queue(), queue()];
    await settle();
    assert.deepEqual(waits, [
      [1000, 'RPM'],
      [1000, 'RPM'],
      [1000, 'RPM'],
    ]);
    await time.advance(1000);
    assert.deepEqual(
      visitors.map(({ pass }) => pass !== undefined),
      [true, false, false],
    );
    visitors[0]?.pass?.passed();
    await settle();
    assert.deepEqual(
      visitors.map(({ pass }) => pass !== undefined),
      [true, true, true],
    );
  });

  it('keeps the others waiting when the first is rejected again', async () => {
    (await enter()).limited(limited(), 1000);
    const [first, second] = [queue(), queue()];
    await time.advance(1000);
    first.pass?.limited(limited(), 3000);
    await settle();
    assert.equal(second.pass, undefined);
    await time.advance(2000);
    assert.notEqual(second.pass, undefined);
  });

  it('sends the next first when the first failed to reach the service', async () => {
    (await enter()).limited(limited(), 1000);
    const [first, second, third] = [queue(), queue(), queue()];
    await time.advance(1000);
    first.pass?.left();
    await settle();
    assert.deepEqual([second.pass !== undefined, third.pass !== undefined], [true, false]);
  });

  it('lets calls for other models pass', async () => {
    (await enter('a/model')).limited(limited(), 1000);
    await enter('b/model');
    assert.deepEqual(waits, []);
  });

  it('waits for the latest of several limits', async () => {
    const [one, other] = [await enter(), await enter()];
    one.limited(limited('RPM'), 1000);
    other.limited(limited('TPM'), 5000);
    const visitor = queue();
    await time.advance(1000);
    assert.equal(visitor.pass, undefined);
    await time.advance(4000);
    assert.notEqual(visitor.pass, undefined);
    assert.deepEqual(waits, [[5000, 'TPM']]);
  });

  it("isn't opened by a response to an earlier request", async () => {
    const [early, late] = [await enter(), await enter()];
    early.limited(limited(), 1000);
    late.passed();
    const visitor = queue();
    await settle();
    assert.equal(visitor.pass, undefined);
  });

  it("isn't opened by such a response while one goes first, either", async () => {
    const [early, late] = [await enter(), await enter()];
    early.limited(limited(), 1000);
    const [first, second] = [queue(), queue()];
    await time.advance(1000);
    late.passed();
    assert.notEqual(first.pass, undefined);
    const third = queue();
    await settle();
    assert.deepEqual([second.pass, third.pass], [undefined, undefined]);
  });

  it("fails calls after five failed first ones, with the service's message", async () => {
    (await enter()).limited(limited(), 10);
    const waiting = Array.from({ length: 8 }, () => queue());
    for (let round = 0; round < 6; round += 1) {
      await time.advance(10);
      const first = waiting.find(({ pass }) => pass);
      first?.pass?.limited(limited(), time.clock() + 10);
      if (first) waiting.splice(waiting.indexOf(first), 1);
      await settle();
    }
    assert.ok(waiting.length > 0);
    for (const { error } of waiting) assert.equal((error as ApiError).kind, 'rateLimit');
  });

  it('releases calls whose signal aborts while they wait', async () => {
    (await enter()).limited(limited(), 1000);
    const stop = new AbortController();
    const asleep = enter('a/model', stop.signal);
    stop.abort(new Error('stop'));
    await assert.rejects(asleep, /stop/);

    const first = queue();
    const behindStop = new AbortController();
    await time.advance(1000);
    assert.notEqual(first.pass, undefined);
    const behind = enter('a/model', behindStop.signal);
    await settle();
    behindStop.abort(new Error('stop behind'));
    await assert.rejects(behind, /stop behind/);
  });
});
