import type { ApiErrorInit } from '../api/errors';

export type JobStage =
  /** Nothing that costs was sent. */
  | 'preparing'
  /** The request that starts the work is on its way. */
  | 'submitting'
  /** Its answer was lost: it is looked for at the service, never sent again by itself. */
  | 'unknown'
  /** Certainly not begun. */
  | 'refused'
  | 'running'
  | 'fetching'
  | 'ended';

/** Of every kind of job. */
export type CommonJobError =
  /** The window went away before anything that costs was sent. */
  | 'interrupted'
  /** The input is not what it was, or cannot be read. */
  | 'input'
  | 'refused'
  /** The answer to the request that starts the work was lost. */
  | 'answerLost'
  /** The service could not be asked how it goes. */
  | 'ask'
  /** The service does not know it (any more). */
  | 'gone'
  | 'profileGone'
  | 'addressChanged'
  /** It ended without naming any result. */
  | 'noResults'
  /** The folder chosen for results cannot be written; they are kept elsewhere. */
  | 'savedElsewhere'
  /** There is nowhere to write results to. */
  | 'disk'
  /** Getting the results failed otherwise. */
  | 'fetch';

export type BatchError =
  | CommonJobError
  | 'upload'
  /** More than one was started for one order. */
  | 'startedTwice'
  /** What it names as its result does not exist. */
  | 'resultMissing'
  /** The result holds something else. */
  | 'notResults'
  /** The result ends in the middle of a line, or holds fewer than the service counted. What came is kept. */
  | 'cutShort'
  | 'notOffered';

/** Of pictures and videos. */
export type MediaError =
  | CommonJobError
  /** The service did not get it done; its reason is the message. */
  | 'failed'
  /** The address of a result is dead. */
  | 'expired'
  /** A result has no bytes. */
  | 'empty'
  /** A result is a text of tags (a page, an SVG), which may hold a script. */
  | 'markup'
  /** A result is neither a picture nor a clip. */
  | 'notMedia'
  /** A result is larger than is taken unasked. */
  | 'tooLarge';

export type JobErrorKind = BatchError | MediaError;

/** What went wrong last, as data: words are made of it where it is shown. */
export interface JobError {
  readonly kind: JobErrorKind;
  /** The service's own words, or a short English fact. Never holds a key. */
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** What the call failed with, without its cause. */
  readonly error?: Omit<ApiErrorInit, 'cause'>;
  /** The system's own code for what caused it, e.g. `ENOTFOUND`. */
  readonly causeCode?: string;
  /** Not tried again by itself: a person has to do something. */
  readonly isFinal?: boolean;
}

/** What every kind of job has. Times are Unix milliseconds of this machine's clock, which may jump. */
export interface Job {
  /** Goes along with the order, so that what it started can be found at the service. Letters, digits, `_` and `-`. */
  readonly id: string;
  readonly profileId: string;
  /** Of the service it was ordered from; it is never asked for anywhere else. */
  readonly baseUrl: string;
  readonly createdAt: number;
  readonly stage: JobStage;
  /** When the service last said how it goes. */
  readonly checkedAt?: number;
  /** When it was last tried to go on with it, well or not. */
  readonly triedAt?: number;
  /** When it was last seen to get on. */
  readonly changedAt?: number;
  /** How often it was looked at since. */
  readonly looks?: number;
  /** In a row. */
  readonly failures?: number;
  /** As long as the service asked for, after the last try. */
  readonly restMs?: number;
  /** When the service gives it up. */
  readonly expiresAt?: number;
  readonly trouble?: JobError;
  /** When the person was told of its end, and that it is not known what became of the order: each once, by one window. */
  readonly toldEndAt?: number;
  readonly toldDoubtAt?: number;
}

/** Some of a job's members; `undefined` takes one away. */
export type JobPatch<J extends Job> = { readonly [Key in keyof J]?: J[Key] | undefined };

/** Why a step did not get on; what is thrown by a driver's step. */
export class StepFailure extends Error {
  constructor(
    readonly trouble: Omit<JobError, 'at'>,
    readonly options: { readonly restMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(trouble.message, { cause: options.cause });
  }
}
