import type { ImageRequest } from '../../api/images/images.schema';
import type { VideoRequest } from '../../api/videos/videos.schema';
import type { Job } from '../job';

/** A media request. Input images appear in it as `input:<name>`. */
export type MediaJobRequest =
  | { readonly kind: 'image'; readonly request: ImageRequest }
  | { readonly kind: 'video'; readonly request: VideoRequest };

/** One result in a response. */
export interface MediaResult {
  /**
   * A URL at the service, valid for up to an hour. Never shown, never logged. Empty if the result came in the response itself, in which
   * case its bytes are at the path of its download.
   */
  readonly url: string;
  /** Absolute path, once saved. */
  readonly path?: string;
}

/**
 * An image or video job, from before it is sent until its files are saved. Stages: `preparing`, `submitting`, `unknown` (the response was
 * lost: images can't be requested again without another charge), `refused`, `running` (videos: the service is working on it), `fetching`
 * (its files are being saved), `ended`.
 */
export interface MediaJob extends Job {
  readonly task: MediaJobRequest;
  /** Id shared by jobs that belong together, e.g. those of one sweep. */
  readonly group?: string;
  /** The failed job this one replaces: its record is removed once this one was sent. */
  readonly replaces?: string;
  /** Videos only. */
  readonly requestId?: string;
  /** A video's last known status: `InQueue`, `InProgress`, `Succeed`, `Failed`, or another word. */
  readonly status?: string;
  readonly position?: number;
  /** When its results were first seen, in Unix milliseconds. Ten minutes later their URLs might have expired. */
  readonly answeredAt?: number;
  readonly results?: readonly MediaResult[];
  /** How many results have been counted in what was spent on a day: once, by one window. */
  readonly counted?: number;
  /** Whether the response had more results than are saved. */
  readonly hasMore?: boolean;
  readonly seed?: number;
  readonly inferenceSeconds?: number;
  readonly traceId?: string;
  /** Absolute: where its files are saved. */
  readonly folder: string;
  /** The real path of `folder` when the job was submitted, with links resolved. */
  readonly realFolder?: string;
  /** The user wants the files although they are larger than is accepted without confirmation. */
  readonly evenIfLarge?: boolean;
}

/**
 * Whether a job certainly has no result and never will, so that the same request can be sent again. A video's URL can be renewed, an
 * image's can't.
 */
export function isLost({ stage, lastError, task, results = [] }: MediaJob): boolean {
  if (results.some(({ path }) => path !== undefined)) return false;
  if (stage === 'refused') return true;
  if (!lastError || (stage !== 'fetching' && stage !== 'ended')) return false;
  if (lastError.kind === 'failed') return true;
  if (task.kind === 'video') return false;
  return lastError.kind === 'noResults' || (lastError.kind === 'expired' && (stage === 'ended' || !!lastError.isFinal));
}

/** Whether all results that a job has are saved. */
export function isWhollySaved({ results }: MediaJob): boolean {
  return results !== undefined && results.length > 0 && results.every(({ path }) => path !== undefined);
}

/** What the user can do with a job. `isFetchable`: its results exist, but couldn't be saved. `isRetryable`: the same request can be sent again. */
export function mediaJobOptions(job: MediaJob) {
  const { stage, lastError, results, requestId, task } = job;
  const wasAnswered = results !== undefined || requestId !== undefined;
  // The service stores an image for one hour only.
  const isOver = lastError?.kind === 'failed' || (lastError?.kind === 'expired' && task.kind === 'image');
  const isStuck = lastError !== undefined && !isOver && (stage === 'fetching' || stage === 'ended');
  return {
    isFetchable: isStuck && wasAnswered && !isWhollySaved(job),
    isRetryable: isLost(job) && lastError?.error?.kind !== 'notOffered',
    isForgettable: stage !== 'preparing' && stage !== 'submitting',
  };
}
