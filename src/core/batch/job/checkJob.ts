import type { BatchRules } from '../services/batchRules';
import type { ListedModels } from '../fileRules';
import type { LineProblem, ProblemCode } from '../problem';

/** The severity of a problem in a job; `off` is neither counted nor reported. */
export type JobSeverity = 'error' | 'warning' | 'information' | 'hint' | 'off';
export type ProblemCounts = Readonly<Record<Exclude<JobSeverity, 'off'>, number>>;

/** Files to check, as plain data because it is passed to a worker. */
export interface CheckJob {
  readonly files: readonly string[];
  readonly models?: ListedModels;
  /** Those of the service that the files are for; without them, the public service's. */
  readonly rules?: BatchRules;
  readonly severities: Readonly<Record<ProblemCode, JobSeverity>>;
  /** Every problem is written to this file, which must not exist yet. During the job, `<report>.part` exists next to it. */
  readonly report: string;
  /** At most this many problems of each file are also part of its outcome, the most severe ones. */
  readonly maxListed: number;
  /** Also compute the digest of each file. */
  readonly digest?: boolean;
  /** Translated sentences by their English text. */
  readonly translations?: Readonly<Record<string, string>>;
}

export interface RatedProblem extends LineProblem {
  readonly severity: Exclude<JobSeverity, 'off'>;
}

export interface ModelCount {
  readonly id: string;
  readonly requests: number;
}

/** All problems of one kind in a file. */
export interface ProblemKind {
  readonly count: number;
  readonly first: RatedProblem;
}

export interface CheckedFile {
  readonly file: string;
  readonly requests: number;
  /** The file's size in bytes. */
  readonly bytes: number;
  /** The most used models, at most 50. `modelCount` counts all of them. */
  readonly models: readonly ModelCount[];
  readonly modelCount: number;
  /** SHA-256 of all bytes in hexadecimal. Absent if not requested, or if not all bytes were read. */
  readonly sha256?: string;
  /** The file was written to during the check. */
  readonly changed: boolean;
  readonly counts: ProblemCounts;
  readonly problems: readonly RatedProblem[];
  /** The most severe first, then the most frequent. */
  readonly kinds: readonly ProblemKind[];
}

export interface UncheckedFile {
  readonly file: string;
  /** The system's error code, e.g. `ENOENT`. */
  readonly code: string | undefined;
  readonly reason: string;
}

/** What a job reports while it runs, as plain data. The last message is `end`. */
export type CheckProgress =
  /** In bytes, of all files together. */
  | { readonly kind: 'progress'; readonly bytes: number; readonly total: number }
  | { readonly kind: 'checked'; readonly outcome: CheckedFile }
  | { readonly kind: 'unchecked'; readonly outcome: UncheckedFile }
  /** The report is complete, or could not be written, in which case the job ends early. */
  | { readonly kind: 'end'; readonly reportError?: string };
