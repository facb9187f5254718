import { deepEqual } from 'node:assert/strict';
import type { MediaJob } from '../../../../../src/core/jobs/media/mediaJob';
import { noticeSteps } from '../../../../../src/core/jobs/media/noticeSteps';
import { imageTask, videoTask } from '../../../../support/mediaEngines';

const picture: MediaJob = {
  id: 'one',
  profileId: 'mine',
  baseUrl: 'https://service.example/v1',
  createdAt: 1,
  stage: 'unknown',
  folder: '/made',
  group: 'run',
  task: imageTask('A fjord'),
};
const video: MediaJob = { ...picture, task: videoTask('A river') };
const lastError = (kind: 'fetch' | 'tooLarge') => ({ kind, message: '', at: 1 });
const results = [{ url: 'https://service.example/one' }, { url: 'https://service.example/two', path: '/made/two.png' }];

describe('the actions of a job notification', () => {
  it('retry neither an image, which its series retries, nor a job that may have been charged', () => {
    for (const stage of ['unknown', 'refused'] as const)
      deepEqual(noticeSteps({ ...picture, stage }, 'doubt'), ['show'], stage);
    deepEqual(noticeSteps({ ...video, stage: 'refused' }, 'doubt'), ['show', 'retry']);
    deepEqual(noticeSteps({ ...video, stage: 'unknown' }, 'doubt'), ['show']);
    deepEqual(noticeSteps({ ...video, stage: 'running' }, 'doubt'), ['show', 'checkNow']);
  });

  it('open saved files, and download others', () => {
    deepEqual(noticeSteps({ ...video, stage: 'ended', results }, 'end'), ['show', 'open']);
    deepEqual(noticeSteps({ ...video, stage: 'ended' }, 'end'), ['show']);
    const fetching = { ...video, stage: 'fetching' } as const;
    deepEqual(noticeSteps({ ...fetching, lastError: lastError('fetch') }, 'end'), ['show', 'fetchAgain']);
    deepEqual(noticeSteps({ ...fetching, results, lastError: lastError('tooLarge') }, 'end'), [
      'show',
      'open',
      'fetchAnyway',
    ]);
  });
});
