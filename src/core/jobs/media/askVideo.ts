import type { VideoStatus } from '../../api/videos/videos.schema';
import { isApiError } from '../../api/errors';
import { StepFailure } from '../job';
import type { JobPatch } from '../job';
import { toJobError } from '../jobError';
import type { MediaJob } from './mediaJob';
import type { MediaService } from './mediaService';

/** After this many attempts, a job the service does not know is given up. */
const triesForGone = 5;

export async function askStatus(service: MediaService, job: MediaJob, signal: AbortSignal): Promise<VideoStatus> {
  try {
    return await service.videos.status({ requestId: job.requestId ?? '' }, signal);
  } catch (error) {
    if (!isApiError(error) || (error.kind !== 'notFound' && error.kind !== 'badRequest')) throw error;
    const isFinal = (job.failures ?? 0) + 1 >= triesForGone;
    throw new StepFailure({ ...toJobError(error, 'gone'), ...(isFinal && { isFinal }) }, { cause: error });
  }
}

/** Returns the changes of a finished video. Saved results stay saved, whatever their new address. */
export function answered(
  { results, answeredAt, order }: MediaJob,
  { videos, seed, inferenceSeconds }: VideoStatus,
  now: number,
): JobPatch<MediaJob> {
  const used = seed ?? order.request.seed ?? undefined;
  return {
    stage: 'fetching',
    results: videos.map(({ url }, index) => ({ ...results?.[index], url })),
    answeredAt: answeredAt ?? now,
    checkedAt: now,
    ...(used !== undefined && { seed: used }),
    ...(inferenceSeconds !== undefined && { inferenceSeconds }),
  };
}
