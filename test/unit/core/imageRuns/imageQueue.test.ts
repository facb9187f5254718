import assert from 'node:assert/strict';
import { ImageQueue } from '../../../../src/core/imageRuns/imageQueue';
import type { Sent } from '../../../../src/core/imageRuns/imageQueue';
import { readImageRun } from '../../../../src/core/imageRuns/imageRun';
import type { ImageRun } from '../../../../src/core/imageRuns/imageRun';
import { lastRequestDelay, paceDelay } from '../../../../src/core/imageRuns/pace';
import type { SentRequest } from '../../../../src/core/imageRuns/pace';

const problem = { kind: 'x', title: 'Trouble', detail: 'Why' };

function runOf(count: number, part: Partial<ImageRun> = {}, batch?: number): ImageRun {
  const items = Array.from({ length: count }, (_, at) => ({
    request: { model: 'm', prompt: `picture ${at}`, ...(batch !== undefined && { batch_size: batch }) },
    state: 'waiting' as const,
  }));
  return { version: 1, id: 'run', createdAt: 0, profileId: 'p', items, ...part };
}

/** A queue with a clock of its own. Orders are answered when the test says so. */
function rig({ perMinute = 0, elsewhere = [] as readonly SentRequest[], save = async () => {} } = {}) {
  const state = { now: 1_000_000, perMinute };
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const sent: { readonly prompt: string; readonly answer: (sent: Sent) => void }[] = [];
  const saved: ImageRun[] = [];
  const queue = new ImageQueue({
    now: () => state.now,
    later: (ms, run) => {
      const timer = { at: state.now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    perMinute: () => state.perMinute,
    sentElsewhere: () => elsewhere,
    send: (run, index) =>
      new Promise((resolve) => sent.push({ prompt: run.items[index]!.request.prompt, answer: resolve })),
    save: async (run) => {
      saved.push(run);
      await save();
    },
    describe: (error) => ({ kind: 'disk', title: String(error), detail: '' }),
    onChange: () => {},
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    queue,
    sent,
    saved,
    state,
    settle,
    timers,
    states: () => queue.get('run')!.items.map((item) => item.state),
    answer: async (at: number, how: Sent = { kind: 'answered', jobId: `job ${at}` }) => {
      sent[at]!.answer(how);
      await settle();
    },
    /** Moves the clock, running what is due. */
    pass: async (ms: number) => {
      state.now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= state.now)) {
        timers.delete(timer);
        timer.run();
      }
      await settle();
    },
  };
}

describe('the rate of image requests', () => {
  const at = (...times: number[]): SentRequest[] => times.map((one) => ({ at: one, pictures: 1 }));
  it('stays within the limit in any minute', () => {
    assert.equal(paceDelay(at(0, 10_000), 1, { perMinute: 3, now: 20_000 }), 0);
    assert.equal(paceDelay(at(0, 10_000), 1, { perMinute: 2, now: 20_000 }), 40_000);
    assert.equal(paceDelay(at(0, 10_000), 1, { perMinute: 2, now: 60_000 }), 0);
    assert.equal(paceDelay(at(0, 10_000), 2, { perMinute: 2, now: 20_000 }), 50_000);
  });
  it('allows a request above the limit if no other was in the minute, and all without a limit', () => {
    assert.equal(paceDelay(at(0), 4, { perMinute: 2, now: 20_000 }), 40_000);
    assert.equal(paceDelay([], 4, { perMinute: 2, now: 20_000 }), 0);
    assert.equal(paceDelay(at(0, 0, 0), 4, { perMinute: 0, now: 0 }), 0);
  });
  it('reports when the last of several is sent', () => {
    const ones = (count: number) => Array.from({ length: count }, () => 1);
    const of = (requests: number, ordered: SentRequest[] = []) =>
      lastRequestDelay(ordered, ones(requests), { perMinute: 2, now: 0 });
    assert.deepEqual([of(1), of(2), of(3), of(4), of(5)], [0, 0, 60_000, 60_000, 120_000]);
    assert.equal(of(2, at(-10_000)), 50_000);
    assert.equal(lastRequestDelay([], ones(9), { perMinute: 0, now: 0 }), 0);
  });
});

describe('the image queue', () => {
  it('shows when it is the turn of a queued run, unless that is unknown', async () => {
    const { queue, state, settle, answer } = rig({ perMinute: 1 });
    queue.add(runOf(3));
    const later = { ...runOf(1), id: 'later' };
    queue.add(later);
    await settle();
    const minute = 60_000;
    // Its own orders first: the second in a minute, the third in two.
    assert.equal(queue.waitOf(queue.get('run')!)?.until, state.now + minute);
    assert.equal(queue.waitOf(later)?.until, state.now + 3 * minute);
    assert.deepEqual(queue.waitingBy(later.profileId), [1, 1, 1]);
    const problem = { kind: 'rateLimit', title: 'Limit', detail: '' };
    await answer(0, { kind: 'limited', problem, limit: 'IPM', waitMs: 10_000 });
    assert.equal(queue.waitingBy(later.profileId), undefined);
  });

  it('saves a request before it sends it, in order, a few at a time', async () => {
    const { queue, sent, saved, settle, answer, states } = rig();
    queue.add(runOf(6));
    await settle();
    assert.deepEqual(
      sent.map(({ prompt }) => prompt),
      ['picture 0', 'picture 1', 'picture 2', 'picture 3'],
    );
    assert.ok(saved.some(({ items }) => items[0]!.state === 'sending'));
    await answer(0);
    assert.equal(sent.length, 5);
    assert.deepEqual(states(), ['ordered', 'sending', 'sending', 'sending', 'sending', 'waiting']);
    assert.equal(queue.get('run')!.items[0]!.jobId, 'job 0');
  });

  it('keeps the rate, counts requests of others, and shows the end of the wait', async () => {
    const { queue, sent, settle, pass, state } = rig({
      perMinute: 3,
      elsewhere: [{ at: 990_000, pictures: 1 }],
    });
    queue.add(runOf(4));
    await settle();
    assert.equal(sent.length, 2);
    assert.deepEqual(queue.waitOf(queue.get('run')!), { reason: 'pace', until: 1_050_000 });
    await pass(49_000);
    assert.equal(sent.length, 2);
    await pass(1_500);
    assert.equal(sent.length, 3);
    state.perMinute = 0;
    queue.look();
    await settle();
    assert.equal(sent.length, 4);
  });

  it('counts all images of one request, and none of an unsent one', async () => {
    const { queue, sent, settle, answer, pass } = rig({ perMinute: 4 });
    queue.add(runOf(3, {}, 4));
    await settle();
    assert.equal(sent.length, 1);
    await answer(0, { kind: 'rejected', problem });
    assert.equal(sent.length, 2);
    await pass(60_001);
    assert.equal(sent.length, 3);
  });

  it('stops: requests in progress complete, and the rest waits for the user', async () => {
    const { queue, sent, settle, answer, states } = rig({ perMinute: 1 });
    queue.add(runOf(3));
    await settle();
    queue.stop('run');
    await answer(0);
    assert.deepEqual(states(), ['ordered', 'notSent', 'notSent']);
    assert.equal(queue.get('run')!.halt?.reason, 'stopped');
    assert.equal(sent.length, 1);
    queue.goOn(queue.get('run')!);
    assert.deepEqual(states(), ['ordered', 'waiting', 'waiting']);
    assert.equal(queue.get('run')!.halt, undefined);
  });

  it('waits at a limit of the service, and continues automatically', async () => {
    const { queue, sent, settle, answer, pass, states } = rig({ perMinute: 1 });
    queue.add(runOf(1));
    await settle();
    await answer(0, { kind: 'limited', problem, limit: 'IPM', waitMs: 30_000 });
    assert.deepEqual(states(), ['waiting']);
    const wait = queue.waitOf(queue.get('run')!);
    assert.deepEqual([wait?.reason, wait?.limit, wait?.until], ['limit', 'IPM', 1_030_000]);
    await pass(30_001);
    assert.equal(sent.length, 2);
  });

  it('leaves the rest to the user at a daily limit', async () => {
    const { queue, settle, answer, states, timers } = rig();
    queue.add(runOf(6));
    await settle();
    await answer(0, { kind: 'limited', problem, limit: 'IPD' });
    assert.deepEqual(states(), ['notSent', 'sending', 'sending', 'sending', 'notSent', 'notSent']);
    assert.deepEqual(queue.get('run')!.halt, { reason: 'trouble', problem });
    assert.equal(timers.size, 0);
  });

  for (const kind of ['held', 'unknown'] as const) {
    it(`stops after a request that is ${kind}`, async () => {
      const { queue, sent, settle, answer, states } = rig({ perMinute: 1 });
      queue.add(runOf(2));
      await settle();
      await answer(0, kind === 'held' ? { kind, problem } : { kind, jobId: 'lost', problem });
      assert.deepEqual(states(), [kind === 'held' ? 'notSent' : 'ordered', 'notSent']);
      assert.equal(sent.length, 1);
    });
  }

  it('sends all other requests of a run, however many are rejected', async () => {
    const { queue, settle, answer, states } = rig();
    queue.add(runOf(6));
    await settle();
    for (const at of [0, 1, 2, 3, 4]) await answer(at, { kind: 'refused', jobId: `refused ${at}`, problem });
    await answer(5);
    assert.deepEqual([states().join(), queue.get('run')!.halt], [Array(6).fill('ordered').join(), undefined]);
  });

  for (const kind of ['failed', 'rejected'] as const) {
    it(`sends the next request after one that ${kind}, and stops after two in a row`, async () => {
      const failure = (jobId: string): Sent => (kind === 'failed' ? { kind, jobId, problem } : { kind, problem });
      const { queue, sent, settle, answer, states } = rig({ perMinute: 2 });
      queue.add(runOf(2));
      await settle();
      await answer(0, failure('a'));
      await answer(1);
      assert.deepEqual([states().at(-1), queue.get('run')!.halt], ['ordered', undefined]);

      const other = rig();
      other.queue.add(runOf(6));
      await other.settle();
      await other.answer(0, failure('a'));
      await other.answer(1, failure('b'));
      assert.equal(other.states().at(-1), 'notSent');
      assert.deepEqual([sent.length, other.sent.length], [2, 5]);
    });
  }

  it("sends no request that couldn't be saved first", async () => {
    const { queue, sent, settle, states } = rig({
      save: async () => {
        throw new Error('disk full');
      },
    });
    queue.add(runOf(1));
    await settle();
    assert.equal(sent.length, 0);
    assert.deepEqual(states(), ['notSent']);
    assert.equal(queue.get('run')!.halt?.problem?.title, 'Error: disk full');
  });

  it('sends no request after it is disposed', async () => {
    const { queue, sent, settle, answer, timers } = rig({ perMinute: 1 });
    queue.add(runOf(2));
    await settle();
    queue.dispose();
    await answer(0);
    assert.equal(sent.length, 1);
    assert.equal(timers.size, 0);
  });
});

describe('a stored image run', () => {
  it('is loaded as it was written, and ignored if it is invalid or of a later version', () => {
    const run = runOf(2);
    assert.deepEqual(readImageRun(JSON.parse(JSON.stringify(run))), run);
    for (const raw of [undefined, {}, { ...run, version: 2 }, { ...run, id: '../x' }, { ...run, items: [{}] }])
      assert.equal(readImageRun(raw), undefined);
  });
});
