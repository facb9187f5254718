import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../src/core/jobs/job';
import { DisposableStore } from '../../src/platform/disposables';
import { createLazyJobs } from '../../src/services/jobs/lazyJobs';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

describe('a job service loaded on first use', () => {
  const temporary = setUpFolder();
  let store: DisposableStore;
  let ended: number;
  beforeEach(() => {
    store = new DisposableStore();
    ended = 0;
  });
  afterEach(() => store.dispose());

  const service = { jobs: [{ id: 'one' } as Job], unreadable: [], dispose: () => void (ended += 1) };
  const start = (folder: string, open = async () => service, onError = (_error: unknown) => {}) =>
    createLazyJobs<Job, typeof service>(store, { open, folder, firstLookMs: 1, onError });
  const fill = (name: string, file: string) => {
    const folder = join(temporary.path(), name);
    mkdirSync(folder);
    writeFileSync(join(folder, file), '{}');
    return folder;
  };

  it('is loaded some time after the start if there are records, reports its jobs, and is disposed with the window', async () => {
    let changes = 0;
    const jobs = start(fill('some', 'a.json'));
    deepEqual(jobs.jobs, []);
    jobs.onDidChange(() => (changes += 1));
    await until(() => jobs.loaded, 'it is loaded');
    deepEqual([changes, jobs.jobs], [1, service.jobs]);
    store.dispose();
    equal(ended, 1);
  });

  it('is not loaded if there are no records', async () => {
    const none = start(fill('none', 'a.lock'));
    const some = start(fill('others', 'b.json'));
    await until(() => some.loaded, 'the other one, which begins to look later, is loaded');
    equal(none.loaded, undefined);
  });

  it('reports each change of its jobs', async () => {
    let jobs: readonly Job[] = [];
    let change = () => {};
    const open = async (onChange: () => void) => {
      change = onChange;
      return {
        get jobs() {
          return jobs;
        },
        unreadable: [],
        dispose() {},
      };
    };
    const lazy = createLazyJobs<Job, Awaited<ReturnType<typeof open>>>(store, {
      open,
      folder: join(temporary.path(), 'no folder'),
      firstLookMs: 1,
      onError() {},
    });
    await lazy();
    const seen: (readonly Job[])[] = [];
    lazy.onDidChange(() => seen.push(lazy.jobs));
    jobs = service.jobs;
    change();
    deepEqual(seen, [service.jobs]);
  });

  it('is loaded again after a failure', async () => {
    let tries = 0;
    const problems: unknown[] = [];
    const open = async () => {
      tries += 1;
      if (tries === 1) throw new Error('no disk');
      return service;
    };
    const jobs = start(fill('failing', 'a.json'), open, (error) => problems.push(error));
    await until(() => problems[0], 'the failure is reported');
    equal(jobs.loaded, undefined);
    equal(await jobs(), service);
    equal(tries, 2);
    await rejects(start(join(temporary.path(), 'no folder'), () => Promise.reject(new Error('no disk')))(), /no disk/);
  });
});
