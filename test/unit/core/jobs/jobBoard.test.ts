import assert from 'node:assert/strict';
import { Leases } from '../../../../src/core/storage/leases';
import type { Job } from '../../../../src/core/jobs/job';
import { JobBoard } from '../../../../src/core/jobs/jobBoard';
import { createJobStore } from '../../../../src/core/jobs/jobStore';
import { setUpFolder } from '../../../support/temporaryFolder';

const job = (id: string, createdAt: number): Job => ({
  id,
  profileId: 'mine',
  baseUrl: 'https://a.example/v1',
  createdAt,
  stage: 'running',
});

describe('the jobs of a window', () => {
  const folder = setUpFolder();

  it('are in one stable list, newest first, until one is added, changed, or removed', async () => {
    const leases = new Leases(folder.in('open'), () => '');
    const store = createJobStore(folder.in('jobs'), (raw) => raw as unknown as Job);
    let seen: readonly Job[] = [];
    const board = new JobBoard(store, leases, () => (seen = board.jobs));
    const ids = () => seen.map(({ id }) => id);
    try {
      await board.add(job('old', 1));
      await board.add(job('new', 2));
      assert.deepEqual(ids(), ['new', 'old']);
      await board.refresh();
      await board.update('old', () => undefined);
      assert.equal(board.jobs, seen);
      await board.update('old', () => ({ stage: 'ended' }));
      assert.deepEqual(
        seen.map(({ stage }) => stage),
        ['running', 'ended'],
      );
      await store.write(job('other', 3));
      await board.refresh();
      assert.deepEqual(ids(), ['other', 'new', 'old']);
      await board.remove('new');
      await store.remove('old');
      await board.refresh();
      assert.deepEqual(ids(), ['other']);
      assert.equal(board.jobs, seen);
    } finally {
      leases.dispose();
    }
  });
});
