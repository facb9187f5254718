import assert from 'node:assert/strict';
import { openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import type { OpenEngine } from '../../../support/batchEngines';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { handTime } from '../../../support/handTime';
import { setUpFolder } from '../../../support/temporaryFolder';
import { until } from '../../../support/until';

const hour = 3_600_000;

describe('a batch during clock changes', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let engine: OpenEngine;
  afterEach(async () => {
    await engine.dispose();
    await demo.close();
  });
  const folder = setUpFolder();

  async function begin() {
    demo = await startFilledDemo({ pace: { batchQueueMs: hour } });
    const time = handTime();
    engine = openEngine(folder.path(), demo, { now: time.now, setTimer: time.setTimer });
    const { id } = await engine.submit(submissionOf(await writeBatchFile(folder.path(), 2), demo));
    /** Lets the timers go off; resolves when the next one waits, to how often the service was asked meanwhile. */
    const round = async (): Promise<number> => {
      await demo.call('POST', '/_control/reset', {});
      await until(() => (time.waits().length > 0 ? true : undefined), 'a timer');
      time.fire();
      await until(() => (time.waits().length > 0 ? true : undefined), 'the next timer');
      return (await demo.requests()).filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/batches'))
        .length;
    };
    const quiet = async () => {
      let asked = 1;
      while (asked > 0) asked = await round();
    };
    return { id, time, round, quiet };
  }

  it('is checked once after a sleep of 12 hours, and once after a clock change in either direction', async () => {
    const { id, time, quiet } = await begin();
    await quiet();
    // Thirteen months on it is given up, until the clock is right again: then all is as it was.
    const jumps = [
      [12, 1],
      [-5, 1],
      [48, 1],
      [-80, 1],
      [9600, 0],
      [-9600, 0],
      [1, 1],
    ] as const;
    for (const [hours, looks] of jumps) {
      const before = engine.jobs[0]?.looks ?? 0;
      time.jump(hours * hour);
      await quiet();
      assert.equal((engine.jobs[0]?.looks ?? 0) - before, looks, `after ${hours} hours`);
      const waits = time.waits();
      assert.ok(
        waits.every((ms) => ms >= 1000 && ms <= 30_000),
        `${waits.join(' ')} after ${hours}`,
      );
    }
    assert.equal(engine.jobs.find((job) => job.id === id)?.stage, 'running');
  });
});
