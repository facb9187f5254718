/** Durations in milliseconds, and how much is drawn. Zero means as fast as the machine can. */
export interface Pace {
  /** Before the first token of an answer. */
  readonly firstTokenMs: number;
  /** Between two tokens. */
  readonly tokenMs: number;
  /** Before an image, ranking, embedding or speech response. */
  readonly workMs: number;
  readonly videoQueueMs: number;
  /** Counted from the end of the queue. The video is rendered from the start, which can take longer on a very busy machine. */
  readonly videoWorkMs: number;
  /** Number of frames in a clip; drawing them is the most expensive work here. */
  readonly clipFrames: number;
  readonly batchQueueMs: number;
  readonly batchLineMs: number;
  readonly batchFinalizeMs: number;
}

/** A little over two seconds: long enough to see motion, short enough to generate while the job is "in progress". */
const usualFrames = 24;

export type PaceName = 'reading' | 'fast' | 'instant';

export const paces: Readonly<Record<PaceName, Pace>> = {
  reading: {
    firstTokenMs: 300,
    tokenMs: 20,
    workMs: 400,
    videoQueueMs: 1500,
    videoWorkMs: 4000,
    clipFrames: usualFrames,
    batchQueueMs: 1500,
    batchLineMs: 1500,
    batchFinalizeMs: 1000,
  },
  fast: {
    firstTokenMs: 40,
    tokenMs: 2,
    workMs: 40,
    videoQueueMs: 300,
    videoWorkMs: 500,
    clipFrames: usualFrames,
    batchQueueMs: 100,
    batchLineMs: 50,
    batchFinalizeMs: 100,
  },
  instant: {
    firstTokenMs: 0,
    tokenMs: 0,
    workMs: 0,
    videoQueueMs: 0,
    videoWorkMs: 0,
    clipFrames: 2,
    batchQueueMs: 0,
    batchLineMs: 0,
    batchFinalizeMs: 0,
  },
};

/** Returns a pace by name, or the reading pace with single values overridden. */
export function toPace(pace: PaceName | Partial<Pace> | undefined): Pace {
  return typeof pace === 'string' ? paces[pace] : { ...paces.reading, ...pace };
}
