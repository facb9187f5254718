import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readBatchJob } from '../../../../src/core/jobs/batch/batchJob';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { JobBoard } from '../../../../src/core/jobs/jobBoard';
import { Leases } from '../../../../src/core/storage/leases';
import { createJobStore } from '../../../../src/core/jobs/jobStore';
import { setUpFolder } from '../../../support/temporaryFolder';

const job: BatchJob = {
  id: 'one',
  profileId: 'mine',
  baseUrl: 'https://service.example/v1',
  createdAt: 1,
  stage: 'running',
  options: { completion_window: '24h', metadata: { name: 'Ä name' } },
  batch: { id: 'batch_1', status: 'in_queue', errors: [], metadata: {} },
};

describe('job records', () => {
  const folder = setUpFolder();
  const open = () => createJobStore(folder.path(), readBatchJob);

  it('are one file each, loaded as written, without temporary files', async () => {
    await open().write(job);
    await open().write({ ...job, id: 'two' });
    assert.deepEqual((await readdir(folder.path())).toSorted(), ['one.json', 'two.json']);
    const { jobs, unreadable } = await open().list();
    assert.deepEqual(
      jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      [job, { ...job, id: 'two' }],
    );
    assert.deepEqual(unreadable, []);
  });

  it('preserve records from newer versions and truncated records', async () => {
    await open().write(job);
    const whole = await readFile(folder.in('one.json'), 'utf8');
    const newer = JSON.stringify({ version: 2, id: 'newer', stage: 'dreaming' });
    await writeFile(folder.in('newer.json'), newer);
    const { jobs, unreadable } = await open().list();
    assert.deepEqual([jobs.length, unreadable.map(({ id, reason }) => [id, reason])], [1, [['newer', 'newer']]]);
    assert.equal(await readFile(folder.in('newer.json'), 'utf8'), newer);
    for (let length = 0; length < whole.trimEnd().length; length += 7) {
      const torn = whole.slice(0, length);
      await writeFile(folder.in('one.json'), torn);
      const read = await open().list();
      assert.deepEqual([read.jobs, read.unreadable.find(({ id }) => id === 'one')?.reason], [[], 'torn'], torn);
      assert.equal(await readFile(folder.in('one.json'), 'utf8'), torn);
    }
  });

  it("are loaded except for one that the system can't read, which is named", async () => {
    await open().write(job);
    await mkdir(folder.in('held.json'));
    const { jobs, unreadable } = await open().list();
    assert.deepEqual([jobs, unreadable.map(({ id, reason }) => [id, reason])], [[job], [['held', 'denied']]]);
    // It is not taken for gone.
    await assert.rejects(open().read('held'));
  });

  it("stay known while the system can't read them", async () => {
    const board = new JobBoard(open(), new Leases(folder.in('open'), () => ''), () => undefined);
    await open().write(job);
    await board.refresh();
    await rm(folder.in('one.json'));
    await mkdir(folder.in('one.json'));
    await board.refresh();
    assert.deepEqual([board.jobs, board.unreadable], [[job], []]);
  });

  it('keep properties of later versions', async () => {
    await writeFile(folder.in('one.json'), JSON.stringify({ version: 1, ...job, colour: 'green' }));
    const [read] = (await open().list()).jobs;
    assert.ok(read);
    await open().write({ ...read, stage: 'ended' });
    assert.match(await readFile(folder.in('one.json'), 'utf8'), /"colour": "green"/);
  });

  it('include changes of other windows', async () => {
    const [one, two] = [open(), open()];
    await one.write(job);
    await two.list();
    await one.write({ ...job, stage: 'ended' });
    assert.equal((await two.read('one'))?.stage, 'ended');
    await one.remove('one');
    assert.equal(await two.read('one'), undefined);
  });
});
