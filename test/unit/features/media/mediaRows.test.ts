import { deepEqual, equal } from 'node:assert/strict';
import type { Asset } from '../../../../src/core/assets/recipe';
import type { JobError } from '../../../../src/core/jobs/job';
import type { MediaJob } from '../../../../src/core/jobs/media/mediaJob';
import { mediaRows } from '../../../../src/features/media/logic/mediaRows';
import { isUnderWay } from '../../../../src/features/media/logic/underWay';

const job = (id: string, of: Partial<MediaJob>): MediaJob => ({
  id,
  profileId: 'p',
  baseUrl: 'https://a.example/v1',
  createdAt: 0,
  stage: 'running',
  task: { kind: 'video', request: { model: 'm', prompt: 'A fox', image_size: '1280x720' } },
  folder: '/made',
  ...of,
});
const lastError = (kind: JobError['kind'], isFinal = false): JobError => ({ kind, message: 'x', at: 0, isFinal });
const asset = (name: string): Asset => ({
  path: `/made/${name}`,
  recipe: {
    version: 1,
    kind: 'image',
    request: { model: 'm', prompt: 'A fox' },
    createdAt: '2026-01-01T00:00:00.000Z',
    service: 'https://a.example/v1',
    index: 0,
    file: { name, sha256: '0'.repeat(64), bytes: 1, contentType: 'image/png' },
  },
});
const keys = (jobs: readonly MediaJob[], made: readonly Asset[]) =>
  mediaRows({ jobs, made, unreadable: [{ id: 'torn', path: '/torn', reason: 'torn' }] }).map(({ key }) => key);

describe('the rows of generated files', () => {
  it('start with jobs in progress, then those that require attention, then the newest files', () => {
    const saved = { results: [{ url: 'u', path: '/made/a.mp4' }] };
    const jobs = [
      job('refused', { stage: 'refused', lastError: lastError('refused') }),
      job('running', {}),
      job('done', { stage: 'ended', ...saved }),
      job('elsewhere', { stage: 'ended', ...saved, lastError: lastError('savedElsewhere') }),
      job('failed', { stage: 'ended', lastError: lastError('failed', true) }),
      job('lost', { stage: 'unknown', lastError: lastError('answerLost') }),
      job('stuck', { stage: 'fetching', lastError: lastError('expired', true) }),
      job('slow', { stage: 'fetching', lastError: lastError('fetch') }),
      job('halted', { lastError: lastError('profileGone') }),
      job('sending', { stage: 'submitting', replaces: 'once failed' }),
      job('once failed', { stage: 'ended', lastError: lastError('failed', true) }),
    ];
    deepEqual(keys(jobs, [asset('a.png')]), [
      'job:running',
      'job:slow',
      'job:sending',
      'job:refused',
      'job:failed',
      'job:lost',
      'job:stuck',
      'job:halted',
      'unreadable:torn',
      'made:/made/a.png',
    ]);
    equal(jobs.filter(isUnderWay).length, 3);
  });

  it('end with a link to the gallery if there are more files than shown', () => {
    const made = Array.from({ length: 51 }, (_, index) => asset(`${index}.png`));
    const rows = mediaRows({ jobs: [], unreadable: [], made });
    equal(rows.length, 51);
    deepEqual(rows.at(-1), { kind: 'all', key: 'all', count: 51 });
    equal(mediaRows({ jobs: [], unreadable: [], made: made.slice(1) }).at(-1)?.kind, 'made');
  });
});
