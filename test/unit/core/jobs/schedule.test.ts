import assert from 'node:assert/strict';
import { dueAt, videoPace } from '../../../../src/core/jobs/schedule';
import type { ScheduledJob } from '../../../../src/core/jobs/job';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const start = 1_800_000_000_000;

const running: ScheduledJob = { stage: 'running', createdAt: start, changedAt: start, expiresAt: start + 24 * hour };

/** When a job that does not change is looked at, from its beginning on. */
function looksUntil(end: number, job: ScheduledJob = running): readonly number[] {
  const at: number[] = [];
  for (let now = start, looks = 0; now < end; looks++) {
    at.push(now);
    const next = dueAt({ ...job, triedAt: now, looks }, now);
    if (next === undefined) break;
    assert.ok(next > now, 'the next look is later');
    now = next;
  }
  return at;
}

describe('the schedule of job checks', () => {
  it('starts immediately, then slows down to ten minutes while the job can run', () => {
    const at = looksUntil(start + 24 * hour);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    assert.equal(dueAt(running, start), start);
    assert.equal(gaps[0], 2 * second);
    assert.ok(gaps.slice(0, 30).every((gap, index) => index === 0 || gap >= (gaps[index - 1] ?? 0)));
    assert.ok(Math.max(...gaps) <= 10 * minute);
    assert.ok(at.length < 260, `${at.length} looks in a day`);
  });

  it('checks each minute around the deadline, and each hour from a day after it', () => {
    const gapAt = (now: number) => (dueAt({ ...running, triedAt: now, looks: 90 }, now) ?? 0) - now;
    assert.equal(gapAt(start + 24 * hour - 5 * minute), minute);
    assert.equal(gapAt(start + 24 * hour + 5 * minute), minute);
    assert.equal(gapAt(start + 24 * hour + 20 * minute), 10 * minute);
    assert.equal(gapAt(start + 49 * hour), hour);
  });

  it('never ends within a window of 336 hours, and does a month after it', () => {
    const long = { ...running, expiresAt: start + 336 * hour, looks: 90 };
    for (let now = start; now < start + 360 * hour; now += hour) {
      assert.ok((dueAt({ ...long, triedAt: now }, now) ?? Infinity) - now <= hour);
    }
    const later = start + 336 * hour + 31 * 24 * hour;
    assert.equal(dueAt({ ...long, triedAt: later }, later), undefined);
  });

  it('checks immediately after a sleep of 12 hours', () => {
    const asleep = { ...running, triedAt: start + minute, looks: 20 };
    const awake = start + 12 * hour;
    assert.ok((dueAt(asleep, awake) ?? Infinity) <= awake);
  });

  it('checks immediately after the clock was set back, and then at the earlier rate', () => {
    const late = { ...running, triedAt: start + 10 * hour, looks: 60 };
    const back = start + hour;
    assert.equal(dueAt(late, back), back);
    const before = start - 5 * hour;
    assert.equal(dueAt(late, before), before);
    // Its age is nothing now; the looks it had still count.
    assert.equal((dueAt({ ...late, triedAt: before }, before) ?? 0) - before, 10 * minute);
  });

  it('checks immediately after the clock was set forward, and continues when that is undone', () => {
    const far = start + 400 * 24 * hour;
    assert.equal(dueAt({ ...running, triedAt: start }, far), undefined);
    assert.ok((dueAt({ ...running, triedAt: start }, start + hour) ?? Infinity) <= start + hour);
  });

  it('slows down after each failure, up to five minutes or the requested time, up to an hour', () => {
    const gap = (failures: number, restMs?: number) =>
      (dueAt({ ...running, triedAt: start, failures, ...(restMs !== undefined && { restMs }) }, start) ?? 0) - start;
    assert.deepEqual(
      [1, 2, 3, 20].map((failures) => gap(failures)),
      [5, 10, 20, 300].map((s) => s * second),
    );
    assert.equal(gap(1, 90 * second), 90 * second);
    assert.equal(gap(1, 24 * hour), hour);
  });

  it('stops after an end, a rejection, or a wait for the user, and continues immediately with results or after a closed window', () => {
    for (const stage of ['ended', 'refused'] as const) assert.equal(dueAt({ ...running, stage }, start), undefined);
    const lastError = { kind: 'notOffered', message: '', at: start, isFinal: true } as const;
    assert.equal(dueAt({ ...running, stage: 'fetching', lastError }, start), undefined);
    for (const stage of ['fetching', 'queued', 'preparing', 'submitting'] as const)
      assert.equal(dueAt({ ...running, stage, triedAt: start }, start), start, stage);
    // Whether it was sent is found out even a month later.
    const late = start + 60 * 24 * hour;
    assert.equal(dueAt({ ...running, stage: 'submitting', triedAt: late }, late), late);
    assert.equal(dueAt({ ...running, stage: 'queued', triedAt: late }, late), undefined);
  });

  it('checks a video every few seconds in its first minutes, and soon after each failure, because its URL can expire in ten', () => {
    const video: ScheduledJob = { stage: 'running', createdAt: start };
    const gapAt = (now: number, looks: number) => (dueAt({ ...video, triedAt: now, looks }, now, videoPace) ?? 0) - now;
    assert.equal(gapAt(start, 0), 5 * second);
    assert.ok(gapAt(start + 3 * minute, 30) <= 7 * second);
    assert.ok(gapAt(start + 24 * hour, 1000) <= 2 * minute);
    const failed: ScheduledJob = { ...video, stage: 'fetching', triedAt: start, failures: 20 };
    assert.equal(dueAt(failed, start, videoPace), start + minute);
  });
});
