import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { handTime } from '../../../../support/handTime';
import { imageTask, videoTask } from '../../../../support/mediaEngines';
import { setUpMedia } from '../../../../support/mediaBench';
import { until } from '../../../../support/until';

const hour = 3_600_000;

describe('a video during clock changes', function () {
  this.timeout(60_000);
  const { open, task, arm } = setUpMedia();

  it('is checked once after a sleep of 12 hours, and once after a clock change in either direction', async () => {
    const time = handTime();
    const engine = open({ now: time.now, setTimer: time.setTimer });
    await arm('endless-job', 'POST /video/submit');
    const { id } = await engine.submit(task(videoTask('No end')));
    const looks = () => engine.jobs.find((job) => job.id === id)?.looks ?? -1;
    const waiting = () => until(() => (time.waits().length > 0 ? true : undefined), 'a timer');
    /** Lets timers go off until none of them brings a look. */
    const quiet = async () => {
      for (let before = -2; before !== looks();) {
        before = looks();
        await waiting();
        time.fire();
        await waiting();
      }
    };
    await quiet();
    time.jump(6000);
    await quiet();
    for (const hours of [12, -5, 48, -80, 1]) {
      const before = looks();
      time.jump(hours * hour);
      await quiet();
      assert.equal(looks() - before, 1, `after ${hours} hours`);
    }
    assert.ok(time.waits().every((ms) => ms <= 30_000));
  });
});

describe('the record of a media job', function () {
  this.timeout(60_000);
  const { open, task, arm, folder, asked } = setUpMedia();

  it('preserves records from newer versions and truncated records, and later properties', async () => {
    const engine = open();
    await arm('html-502', 'GET asset', 99);
    const { id } = await engine.submit(task(imageTask('A record')));
    await engine.until(id, ({ failures = 0 }) => failures > 0, 'a failure');
    await engine.dispose();
    const text = await readFile(folder.in(`jobs/${id}.json`), 'utf8');
    const raw = JSON.parse(text) as object;
    await mkdir(folder.in('jobs'), { recursive: true });
    const write = (name: string, content: string) => writeFile(folder.in(`jobs/${name}.json`), content);
    await write('newer', JSON.stringify({ ...raw, id: 'newer', version: 2 }));
    await write('torn', text.slice(0, text.length / 2));
    await write('other', JSON.stringify({ ...raw, id: 'other', order: { kind: 'sculpture', request: {} } }));
    await write(id, JSON.stringify({ ...raw, mood: 'calm' }));
    const next = open();
    await next.refresh();
    assert.deepEqual(
      next.jobs.map((job) => job.id),
      [id],
    );
    const reasons = next.unreadable.map((one) => `${one.id} ${one.reason}`);
    assert.deepEqual(
      reasons.toSorted((a, b) => (a < b ? -1 : 1)),
      ['newer newer', 'other torn', 'torn torn'],
    );
    await next.until(id, ({ failures = 0 }) => failures > 1, 'another failure');
    assert.equal((JSON.parse(await readFile(folder.in(`jobs/${id}.json`), 'utf8')) as { mood?: string }).mood, 'calm');
    assert.equal(await asked('POST', '/v1/images'), 1);
    await next.forget(id);
    await next.dispose();
  });
});
