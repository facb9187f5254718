import assert from 'node:assert/strict';
import type { Batch, BatchPage } from '../../../../src/core/api/batches/batches.schema';
import type { Client } from '../../../../src/core/api/client';
import { phasesOf, isUnderWay, readingOf } from '../../../../src/core/batch/state/batchState';
import { listBatches } from '../../../../src/core/api/batches/listBatches';

const batch = (id: string, more: Partial<Batch> = {}): Batch => ({
  id,
  status: 'in_queue',
  errors: [],
  metadata: {},
  ...more,
});

describe('the phases of a batch', () => {
  it('are derived from timestamps in chronological order', () => {
    const phases = phasesOf(batch('b', { createdAt: 100, cancelledAt: 400, cancellingAt: 300, inProgressAt: 200 }));
    assert.deepEqual(phases, [
      { name: 'created', at: 100_000 },
      { name: 'inProgress', at: 200_000 },
      { name: 'cancelling', at: 300_000 },
      { name: 'cancelled', at: 400_000 },
    ]);
  });

  it('distinguish waiting, running, failed, ended, and unknown', () => {
    const statuses = ['validating', 'in_queue', 'in_progress', 'finalizing', 'cancelling', 'failed', 'expired'];
    assert.deepEqual(
      [...statuses, 'cancelled', 'dreaming'].map((status) => readingOf(batch('b', { status }))),
      ['waiting', 'waiting', 'running', 'running', 'running', 'failed', 'ended', 'ended', 'unknown'],
    );
    assert.ok(isUnderWay(batch('b')) && !isUnderWay(batch('b', { status: 'expired' })));
  });

  it('detect completion by counts and files', () => {
    const completed = (more: Partial<Batch>) => readingOf(batch('b', { status: 'completed', ...more }));
    const counts = (completedCount: number, failed: number) => ({
      requestCounts: { total: 3, completed: completedCount, failed },
    });
    assert.equal(completed({ outputFileId: 'o' }), 'done');
    assert.equal(completed({ outputFileId: 'o', ...counts(3, 0) }), 'done');
    assert.equal(completed({ outputFileId: 'o', ...counts(2, 1) }), 'partlyDone');
    assert.equal(completed({ outputFileId: 'o', ...counts(2, 0) }), 'partlyDone');
    assert.equal(completed({ outputFileId: 'o', errorFileId: 'e' }), 'partlyDone');
    assert.equal(completed({ outputFileId: 'o', errorFileId: 'e', ...counts(0, 3) }), 'allFailed');
    assert.equal(completed({ errorFileId: 'e' }), 'allFailed');
    assert.equal(completed({}), 'nothing');
    assert.equal(completed(counts(3, 0)), 'nothing');
  });
});

describe('loading the list of batches', () => {
  const paging = (pages: Readonly<Record<string, BatchPage>>) => {
    const asked: unknown[] = [];
    const list: Client['batches']['list'] = async (request) => {
      asked.push(request);
      return pages[request?.after ?? ''] ?? { batches: [], hasMore: false };
    };
    return { asked, client: { batches: { list } } as unknown as Client };
  };
  const { signal } = new AbortController();

  it('requests the first page without parameters, and more only on demand', async () => {
    const { asked, client } = paging({
      '': { batches: [batch('a'), batch('b')], lastId: 'b', hasMore: true },
      b: { batches: [batch('c')], hasMore: false },
    });
    const first = await listBatches(client.batches, 0, signal);
    assert.deepEqual([first.items.length, first.hasMore, asked], [2, true, [{}]]);
    const second = await listBatches(client.batches, 1, signal);
    assert.deepEqual([second.items.map(({ id }) => id), second.hasMore], [['a', 'b', 'c'], false]);
  });

  it('stops at a service that reports more and returns the same page again', async () => {
    const same = { batches: [batch('a')], hasMore: true };
    const { client } = paging({ '': same, a: same });
    const { items, hasMore } = await listBatches(client.batches, 5, signal);
    assert.deepEqual([items.length, hasMore], [1, false]);
  });
});
