import { deepEqual, equal, match } from 'node:assert/strict';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import { imageTask, newMedia, openMediaEngine, videoTask } from '../../../support/mediaEngines';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('a job that the spending cap stops when its request is sent', () => {
  let demo: FilledDemo;
  const folder = setUpFolder();
  before(async () => void (demo = await startFilledDemo({ pace: 'instant' })));
  after(() => demo.close());

  const holdPaid = async () => {
    throw Object.assign(new Error('The cap is reached.'), { isBudgetRefusal: true });
  };

  it("certainly wasn't started, and explains why", async () => {
    const media = openMediaEngine(folder.path(), { ...demo, holdPaid });
    const batches = openEngine(folder.in('batches'), { ...demo, holdPaid });
    try {
      const jobs = [
        await media.submit(newMedia(folder.path(), demo, imageTask('a lake'))),
        await media.submit(newMedia(folder.path(), demo, videoTask('a lake'))),
        await batches.submit(submissionOf(await writeBatchFile(folder.path(), 2), demo)),
      ];
      for (const { stage, lastError } of jobs) {
        equal(stage, 'refused');
        match(lastError?.message ?? '', /The cap is reached/);
      }
      deepEqual(
        jobs.map(({ lastError }) => lastError?.kind),
        ['spendingCap', 'spendingCap', 'spendingCap'],
      );
    } finally {
      await media.dispose();
      await batches.dispose();
    }
    const sent = (await demo.requests()).filter(({ path }) => /\/(batches|generations|submit)$/.test(path));
    deepEqual(sent, []);
  });
});
