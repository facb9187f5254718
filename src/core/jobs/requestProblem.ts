export type RequestProblemKind =
  /** There is no record of it (any more). */
  | 'noSuchJob'
  /** Only what runs at the service can be cancelled, and has results. */
  | 'notRunning'
  /** It was created, or may still be. */
  | 'notRefused'
  /** Another window took it over, or removed its record, before anything was sent. */
  | 'takenOver'
  /** The file is not the one that was reviewed. */
  | 'inputChanged';

/** An order that does not apply. Nothing was sent. */
export class RequestProblem extends Error {
  constructor(readonly kind: RequestProblemKind) {
    super(`The order does not apply: ${kind}.`);
  }
}
