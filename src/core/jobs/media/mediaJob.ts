import type { ImageRequest } from '../../api/images/images.schema';
import type { VideoRequest } from '../../api/videos/videos.schema';
import type { Job } from '../job';

/** Pictures that are sent along stand in the request as `input:<name>`. */
export type MediaJobRequest =
  | { readonly kind: 'image'; readonly request: ImageRequest }
  | { readonly kind: 'video'; readonly request: VideoRequest };

/** One result of an answer. */
export interface MediaResult {
  /** An address of the service, good for an hour at most. Never shown, never logged. */
  readonly url: string;
  /** Absolute, once it is saved. */
  readonly path?: string;
}

/**
 * An order of pictures or of a video, from before it is sent until its files are here. Stages: `preparing`, `submitting`,
 * `unknown` (the answer was lost: pictures cannot be asked for again without paying), `refused`, `running` (videos: the
 * service works on it), `fetching` (its files are being saved), `ended`.
 */
export interface MediaJob extends Job {
  readonly order: MediaJobRequest;
  /** Orders that belong together, e.g. of one sweep. */
  readonly group?: string;
  /** The order that came to nothing and in whose place this one stands: its record goes once this one was sent. */
  readonly replaces?: string;
  /** Of a video. */
  readonly requestId?: string;
  /** As the service last said of a video: `InQueue`, `InProgress`, `Succeed`, `Failed`, or another word. */
  readonly status?: string;
  readonly position?: number;
  /** Unix milliseconds at which its results were first seen: ten minutes later their addresses may be dead. */
  readonly answeredAt?: number;
  readonly results?: readonly MediaResult[];
  readonly seed?: number;
  readonly inferenceSeconds?: number;
  readonly traceId?: string;
  /** Absolute: where its files go. */
  readonly folder: string;
  /** Where that really was when it was ordered: links resolved. */
  readonly realFolder?: string;
  /** The person wants its files although they are larger than is taken unasked. */
  readonly evenIfLarge?: boolean;
}

/**
 * Whether certainly nothing came of an order and nothing will, so that the same can be sent in its place. A video's address can be asked
 * for anew, a picture's cannot.
 */
export function isLost({ stage, trouble, order, results = [] }: MediaJob): boolean {
  if (results.some(({ path }) => path !== undefined)) return false;
  if (stage === 'refused') return true;
  if (!trouble || (stage !== 'fetching' && stage !== 'ended')) return false;
  if (trouble.kind === 'failed') return true;
  if (order.kind === 'video') return false;
  return trouble.kind === 'noResults' || (trouble.kind === 'expired' && (stage === 'ended' || !!trouble.isFinal));
}
