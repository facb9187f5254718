import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { isWorthAsking, toAgentMedia } from '../../../../src/core/agentTools/agentMedia';
import { mediaAnswer } from '../../../../src/core/agentTools/tools/media';
import type { MediaError } from '../../../../src/core/jobs/job';
import type { MediaJob } from '../../../../src/core/jobs/media/mediaJob';
import { videoOrder } from '../../../support/mediaEngines';
import { setUpFolder } from '../../../support/temporaryFolder';

const video: MediaJob = {
  id: 'order-1',
  profileId: 'mine',
  baseUrl: 'https://service.example/v1',
  createdAt: 1,
  stage: 'ended',
  folder: '/made',
  requestId: 'request-1',
  order: videoOrder('A river'),
};
const final = (kind: MediaError, more: object = {}) => ({ kind, message: '', at: 1, isFinal: true, ...more });
const told = async (job: Partial<MediaJob>) => mediaAnswer(await toAgentMedia({ ...video, ...job }), 'The video');
const mayBePaid = /^The video is not here\. Its id: order-1\..* without asking the person\.$/;

describe('what a model reads of a media job', () => {
  const folder = setUpFolder();
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

  it('names the file also where its recipe is gone, and where a moved one was saved', async () => {
    const [kept, moved] = [folder.in('kept.gif'), folder.in('moved.gif')];
    await Promise.all([kept, moved].map((path) => writeFile(path, gif)));
    await rm(moved);
    const url = 'https://service.example/one';
    const both = await told({
      results: [
        { url, path: kept },
        { url, path: moved },
      ],
    });
    equal(both.isError, undefined);
    match(both.text, /^The video is saved\. Made by/);
    ok(both.text.includes(`${kept} (image/gif, 1x1, ${gif.length} bytes)`), both.text);
    ok(both.text.includes(`It was saved at ${moved} but is not there any more.`), both.text);
    const gone = await told({ results: [{ url, path: moved }] });
    match(gone.text, /^The video was made by .*\n.*is not there any more\. Do not order it again/);
    deepEqual([gone.isError, gone.data?.['state'], gone.data?.['moved']], [undefined, 'done', [moved]]);
  });

  it('is that it was not made only where the service refused it or failed at it', async () => {
    for (const job of [{ stage: 'refused', trouble: final('refused') } as const, { trouble: final('failed') }]) {
      const { text, isError } = await told(job);
      match(text, /^The video was not made\./);
      ok(!text.includes('paid for'), text);
      equal(isError, true);
    }
  });

  it('is that it may have been paid for wherever else it has no file', async () => {
    const refused = { kind: 'unsafeUrl', message: 'The address of the result was refused.', sent: true } as const;
    const large = { kind: 'tooLarge', message: 'The result is larger than 512 MB.', sent: true } as const;
    const jobs: readonly Partial<MediaJob>[] = [
      { stage: 'unknown', trouble: final('answerLost') },
      { stage: 'fetching', trouble: final('tooLarge', { error: large }) },
      { stage: 'fetching', trouble: final('fetch', { error: refused }) },
      { stage: 'fetching', trouble: final('notMedia') },
      { stage: 'fetching', trouble: final('empty') },
      { stage: 'running', trouble: final('gone') },
      { trouble: final('noResults') },
      {},
    ];
    for (const job of jobs) {
      const { text, isError } = await told(job);
      match(text, mayBePaid);
      ok(!/not made|by itself/.test(text), text);
      equal(text.split('without asking').length, 2, text);
      equal(isError, true);
    }
    ok(!(await told(jobs[1]!)).text.includes('named an address'));
  });

  it('is that it is fetched again by itself while that is so', async () => {
    const { text } = await told({ stage: 'fetching', trouble: { kind: 'fetch', message: '', at: 1 } });
    match(text, /is being made.*could not be fetched\. Do not order it again: it is fetched again by itself\./);
  });

  it('is asked of the service again where that did not know it', () => {
    equal(isWorthAsking({ ...video, stage: 'running', trouble: final('gone') }), true);
    equal(isWorthAsking({ ...video, stage: 'running' }), true);
    equal(isWorthAsking({ ...video, stage: 'fetching', trouble: final('tooLarge') }), false);
    equal(isWorthAsking(video), false);
  });
});
