/** Why there is no score. A missing score never counts as failed. */
export type MissingReason =
  /** The response has not arrived, or its request was rejected. */
  | 'noResponse'
  | 'truncated'
  | 'slowPattern'
  | 'badPattern'
  /** The service reported no cost, and no price is known. */
  | 'noCost'
  /** Responses of a batch have no latency. */
  | 'noLatency'
  /** The response has no log probabilities, such as without `logprobs` in the request. */
  | 'noLogprobs'
  /** The judge has not answered yet. */
  | 'noVerdict'
  /** The judge's answer has no verdict, such as one in prose. */
  | 'unreadableVerdict'
  /** The expectation is missing, or is of another form than its type takes. */
  | 'badExpectation'
  /** Would run code, or is of a type that cannot be graded here. Known before the run, so the row is decided without it. */
  | 'notGraded';

/** What a grader says of a response. */
export type Grade =
  | { readonly value: number; readonly pass: boolean; readonly evidence?: string }
  | { readonly missing: MissingReason };

/** A response as graders see it. */
export interface GradedResponse {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish?: string;
  readonly isTruncated: boolean;
  readonly isRefused: boolean;
  /** In the account's currency. */
  readonly cost?: number;
  readonly latencyMs?: number;
  /** Mean of the log probabilities of its tokens. */
  readonly logprob?: number;
}

const passed: Grade = { value: 1, pass: true };
const failed: Grade = { value: 0, pass: false };

export function passIf(pass: boolean, evidence?: string): Grade {
  const grade = pass ? passed : failed;
  return evidence === undefined ? grade : { ...grade, evidence };
}
