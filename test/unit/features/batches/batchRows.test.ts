import assert from 'node:assert/strict';
import type { Batch } from '../../../../src/core/api/batches/batches.schema';
import { readingOf } from '../../../../src/core/batch/state/batchState';
import { rowName } from '../../../../src/core/batch/state/batchState';
import { createBatchRows } from '../../../../src/features/batches/logic/batchRows';
import type { BatchRow } from '../../../../src/services/batches/batches';
import { mergedBatch } from '../../../../src/features/batches/logic/mergedBatch';
import { isAwaited } from '../../../../src/core/jobs/batch/batchJob';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import type { Costs } from '../../../../src/services/usage/costs';

const batch = (id: string, more: Partial<Batch> = {}): Batch => ({
  id,
  status: 'in_progress',
  errors: [],
  metadata: {},
  createdAt: 100,
  ...more,
});
const job = (id: string, more: Partial<BatchJob> = {}): BatchJob => ({
  id,
  profileId: 'p',
  baseUrl: 'https://a.example/v1',
  createdAt: 200_000,
  stage: 'running',
  options: { completion_window: '24h' },
  ...more,
});
const noCosts = { of: () => undefined } as unknown as Costs;
const rowsOf = (batches: readonly Batch[], jobs: readonly BatchJob[], readAt = 1000) =>
  createBatchRows()({ batches, jobs, readAt, costs: noCosts });

describe('the rows of batches', () => {
  it('are one for each listed or local batch, newest first', () => {
    const rows = rowsOf(
      [batch('b1', { createdAt: 50 }), batch('b2', { createdAt: 300 })],
      [job('j1', { batch: batch('b1', { createdAt: 50 }) }), job('j2', { stage: 'preparing' })],
    );
    assert.deepEqual(
      rows.map(({ key, batch: shown, job: known }) => [key, shown?.id, known?.id]),
      [
        ['b2', 'b2', undefined],
        ['j2', undefined, 'j2'],
        ['j1', 'b1', 'j1'],
      ],
    );
  });

  it('include their retries at any depth, and count their responses', () => {
    const counts = (total: number, completed: number) => ({ total, completed, failed: total - completed });
    const ended = { status: 'completed', outputFileId: 'o', errorFileId: 'e' };
    const first = job('j1', { stage: 'ended', batch: batch('b1', { ...ended, requestCounts: counts(50, 40) }) });
    const legacy = job('j3', {
      createdAt: 400_000,
      stage: 'ended',
      retryOf: '/results/old',
      batch: batch('b3', { ...ended, createdAt: 400, requestCounts: counts(2, 2) }),
    });
    const second = job('j2', {
      createdAt: 300_000,
      stage: 'ended',
      folder: '/results/old',
      retryOf: 'j1',
      batch: batch('b2', { ...ended, createdAt: 300, requestCounts: counts(10, 8) }),
    });
    const lost = job('j4', { createdAt: 500_000, retryOf: 'nobody' });
    const rows = rowsOf([], [first, second, legacy, lost]);
    assert.deepEqual(
      rows.map(({ key, retries = [] }) => [key, ...retries.map((retry) => retry.key)]),
      [['j4'], ['j1', 'j2', 'j3']],
    );
    assert.deepEqual(mergedBatch(rows[1]!)?.requestCounts, { total: 50, completed: 50, failed: 0 });
    assert.equal(readingOf(mergedBatch(rows[1]!)!), 'done');
    const [open] = rowsOf([], [first, { ...second, stage: 'running' as const }]);
    assert.deepEqual(
      open?.retries?.filter(isAwaited).map(({ key }) => key),
      ['j2'],
    );
    assert.deepEqual(mergedBatch(open!)?.requestCounts, { total: 50, completed: 48, failed: 2 });
    // Each of the other retries the other, in a file that somebody wrote by hand.
    const circle = rowsOf([], [job('a', { retryOf: 'b' }), job('b', { retryOf: 'a' })]);
    assert.deepEqual(circle.map(({ key }) => key).toSorted(), ['a', 'b']);
  });

  it('show the last known state, and keep ended batches ended', () => {
    const at = (checkedAt: number, own: Partial<Batch>, listed: Partial<Batch>) =>
      rowsOf([batch('b', listed)], [job('j', { checkedAt, batch: batch('b', own) })])[0]?.batch?.status;
    assert.equal(at(2000, { status: 'finalizing' }, {}), 'finalizing');
    assert.equal(at(500, {}, { status: 'finalizing' }), 'finalizing');
    assert.equal(at(500, { status: 'completed' }, {}), 'completed');
    assert.equal(at(2000, {}, { status: 'expired' }), 'expired');
    assert.equal(at(2000, { status: 'dreaming' }, {}), 'dreaming');
  });

  it('are named by the user, or else after the file', () => {
    const named = (row: BatchRow) => rowName(row);
    const input = { path: 'C:\\work\\orders.jsonl', requests: 3, bytes: 10, sha256: 'ab' };
    assert.equal(
      named({ key: 'b', batch: batch('b', { metadata: { name: 'Triage' }, fileName: 'x.jsonl' }) }),
      'Triage',
    );
    assert.equal(named({ key: 'b', batch: batch('b', { fileName: 'x.jsonl' }) }), 'x.jsonl');
    assert.equal(named({ key: 'j', job: job('j', { input }) }), 'orders.jsonl');
    const ordered = job('j', { input, options: { completion_window: '24h', metadata: { name: 'Mine' } } });
    assert.equal(named({ key: 'j', job: ordered }), 'Mine');
    assert.equal(named({ key: 'b', batch: batch('b') }), undefined);
    const [row] = rowsOf([batch('b', { fileName: 'x.jsonl' })], [job('j', { checkedAt: 2000, batch: batch('b') })]);
    assert.equal(row && rowName(row), 'x.jsonl');
  });

  it('are the same objects while they are unchanged', () => {
    const toRows = createBatchRows();
    const jobs = [job('j', { stage: 'preparing' })];
    const costs = noCosts;
    const before = toRows({ batches: [batch('a'), batch('b')], readAt: 1, jobs, costs });
    const after = toRows({ batches: [batch('a'), batch('b', { status: 'completed' })], readAt: 2, jobs, costs });
    const same = (key: string) => before.find((row) => row.key === key) === after.find((row) => row.key === key);
    assert.deepEqual([same('a'), same('b'), same('j')], [true, false, true]);
  });
});
