import { isApiError } from '../api/errors';
import type { ApiErrorInit } from '../api/errors';
import { isBudgetRefusal } from '../usage/dayTokens';
import { systemCode } from '../network/systemCode';

export type JobStage =
  /** Nothing that costs money was sent. */
  | 'preparing'
  /** The request that starts the work is in flight. */
  | 'submitting'
  /** The response was lost: the service is searched for the job, which is never sent again automatically. */
  | 'unknown'
  /** Certainly not started. */
  | 'refused'
  /** To be sent when its turn comes, without the user. */
  | 'queued'
  | 'running'
  | 'fetching'
  | 'ended';

/** Errors of every kind of job. */
export type CommonJobError =
  /** The window closed before anything that costs money was sent. */
  | 'interrupted'
  /** The input has changed or cannot be read. */
  | 'input'
  | 'refused'
  /** The account reached its spending cap, so the request that starts the work was not sent; the message says so. */
  | 'spendingCap'
  /** The response to the request that starts the work was lost. */
  | 'answerLost'
  /** The status request failed. */
  | 'ask'
  /** The service no longer has the job. */
  | 'gone'
  | 'profileGone'
  /** The account of the job has no key; its name is the message. */
  | 'signedOut'
  | 'addressChanged'
  /** The job ended without naming any result. */
  | 'noResults'
  /** The folder chosen for results is not writable; they are saved elsewhere. */
  | 'savedElsewhere'
  /** No folder for results is writable. */
  | 'disk'
  /** Fetching the results failed for another reason. */
  | 'fetch';

export type BatchError =
  | CommonJobError
  | 'upload'
  /** The service cannot use the uploaded file; its reason is the message. */
  | 'fileRejected'
  /** The service does not find the file that was just uploaded. */
  | 'fileUnseen'
  /** The response was lost, and a batch that may be this job's is in progress. Its results show whether it is. */
  | 'unconfirmed'
  /** The service does not take the batch while so much of the account's waits. */
  | 'overQueue'
  /** More than one batch was started for one job. */
  | 'startedTwice'
  /** The result file it names does not exist. */
  | 'resultMissing'
  /** The service sent an error instead of results; it is the message. */
  | 'resultsRefused'
  /** The result file contains something else. */
  | 'notResults'
  /** The result ends within a line, or has fewer lines than the service counted. What was received is saved. */
  | 'cutShort'
  | 'notOffered';

/** Errors of images and videos. */
export type MediaError =
  | CommonJobError
  /** The response had more results than are saved. */
  | 'omitted'
  /** The service failed to do the work; its reason is the message. */
  | 'failed'
  /** The address of a result has expired. */
  | 'expired'
  /** A result has no bytes. */
  | 'empty'
  /** A result is markup (a web page, an SVG), which may contain a script. */
  | 'markup'
  /** A result is neither an image nor a video. */
  | 'notMedia'
  /** A result is larger than is accepted without confirmation. */
  | 'tooLarge';

export type JobErrorKind = BatchError | MediaError;

/** The last error, as data for the displayed message. */
export interface JobError {
  readonly kind: JobErrorKind;
  /** The service's own message, or a short English fact. Never contains a key. */
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The error of the failed call, without its cause. */
  readonly error?: Omit<ApiErrorInit, 'cause'>;
  /** The system's own code of the cause, e.g. `ENOTFOUND`. */
  readonly causeCode?: string;
  /** Set if it is not retried automatically: the user has to act. */
  readonly isFinal?: boolean;
}

/** The account and the program that a job belongs to. */
export interface JobOwner {
  readonly profileId: string;
  /** The service the job was sent to; it is never requested from any other. */
  readonly baseUrl: string;
  /** Set if it was submitted by the MCP server. */
  readonly client?: 'mcp';
}

/** What determines when the next step of a job is due. */
export interface ScheduledJob {
  readonly createdAt: number;
  readonly stage: JobStage;
  /** When the last step was attempted, successfully or not. */
  readonly triedAt?: number;
  /** When progress was last seen. */
  readonly changedAt?: number;
  /** How often the status was checked since. */
  readonly looks?: number;
  /** Number of consecutive failures. */
  readonly failures?: number;
  /** How long the service asked to wait after the last attempt. */
  readonly restMs?: number;
  /** When the service gives up on the job. */
  readonly expiresAt?: number;
  readonly lastError?: JobError;
}

/** The members of every kind of job. Times are Unix milliseconds of this machine's clock, which may jump. */
export interface Job extends ScheduledJob, JobOwner {
  /** Sent with the request if possible, so that the job can be found at the service. Letters, digits, `_` and `-`. */
  readonly id: string;
  /** When the service last reported the status. */
  readonly checkedAt?: number;
  /** When the user was notified of the end, and of an uncertain outcome: each once, by one window. */
  readonly toldEndAt?: number;
  readonly toldDoubtAt?: number;
}

/** Some of a job's properties. `undefined` removes one. */
export type JobPatch<J extends Job> = { readonly [Key in keyof J]?: J[Key] | undefined };

/** Whether the service may do the work although the request for it failed. */
export function mayHaveBegun(error: unknown): boolean {
  if (isBudgetRefusal(error)) return false;
  return !isApiError(error) || error.details.maybeBilled === true;
}

/** Thrown by a driver's step that could not proceed. */
export class StepFailure extends Error {
  constructor(
    readonly jobError: Omit<JobError, 'at'>,
    readonly options: { readonly restMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(jobError.message, { cause: options.cause });
  }
}

/** Converts any error into data. */
export function toJobError(error: unknown, kind: JobError['kind']): Omit<JobError, 'at'> {
  if (isBudgetRefusal(error)) return { kind: 'spendingCap', message: error.message };
  const code = systemCode(error);
  const cause = code === undefined ? {} : { causeCode: code };
  if (!isApiError(error)) return { kind, message: error instanceof Error ? error.message : String(error), ...cause };
  const { kind: what, message, details } = error;
  return { kind, message, error: { ...details, kind: what, message }, ...cause };
}
