export type RequestProblemKind =
  /** There is no record of the job (any more). */
  | 'noSuchJob'
  /** Only a job running at the service can be canceled, and has results. */
  | 'notRunning'
  /** The job was created, or may still be. */
  | 'notRefused'
  /** A batch that may be the job's is in progress, so the job is not sent again. */
  | 'maybeRunning'
  /** Another window took the job over, or removed its record, before anything was sent. */
  | 'takenOver'
  /** The file is not the one that was reviewed. */
  | 'inputChanged';

/** A request that does not apply to the job. Nothing was sent. */
export class RequestProblem extends Error {
  constructor(readonly kind: RequestProblemKind) {
    super(`The request does not apply to this job: ${kind}.`);
  }
}
