import type { VideoStatus } from '../../api/videos/videos.schema';
import type { JobPatch } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import { answered, askStatus } from './askVideo';
import { fetchMedia } from './fetchMedia';
import type { MediaTarget } from './fetchMedia';
import type { MediaJob } from './mediaJob';
import type { ConnectMedia } from './mediaService';
import { lost } from './submitMedia';

/** Creates the driver that follows a job until its files are saved. */
export function createMediaDriver(connect: ConnectMedia, place: MediaTarget): JobDriver<MediaJob> {
  return {
    find: (job, tools) => {
      const message = job.trouble?.message ?? '';
      return Promise.resolve(lost({ message, ...job.trouble, kind: 'answerLost' }, tools.now()));
    },
    async look(job, tools) {
      return afterLook(job, await askStatus(await connect(job), job, tools.signal), tools);
    },
    fetch: (job, tools) => fetchMedia({ job, tools, connect, place }),
  };
}

/** How often to check for the address, which may appear a little after the end. */
const looksForResults = 24;
const underWay = ['inqueue', 'inprogress'];

function afterLook(job: MediaJob, status: VideoStatus, tools: StepTools<MediaJob>): JobPatch<MediaJob> {
  const now = tools.now();
  const patch = seen(job, status, now);
  const word = status.status.toLowerCase();
  if (word === 'failed') {
    const trouble = { kind: 'failed', message: status.reason ?? '', at: now, isFinal: true } as const;
    return { ...patch, stage: 'ended', trouble };
  }
  if (status.videos.length > 0 && !underWay.includes(word)) return { ...patch, ...answered(job, status, now) };
  if (word !== 'succeed') return patch;
  const trouble = { kind: 'noResults', message: '', at: job.trouble?.at ?? now } as const;
  if ((patch.looks ?? 0) < looksForResults) return { ...patch, trouble };
  return { ...patch, trouble: { ...trouble, isFinal: true }, stage: 'ended' };
}

function seen(job: MediaJob, { status, position }: VideoStatus, now: number): JobPatch<MediaJob> {
  const isNews = job.status !== status;
  return {
    status,
    position,
    checkedAt: now,
    ...(isNews ? { changedAt: now, looks: 0 } : { looks: (job.looks ?? 0) + 1 }),
  };
}
