import type { BatchFault } from '../api/batches/batches.schema';
import type { ResultState } from '../batch/results/resultsView';
import type { AccountInfo } from '../api/account/account.schema';
import type { ImageRequest } from '../api/images/images.schema';
import type { RerankRequest } from '../api/rerank/rerank.schema';
import type { VideoRequest } from '../api/videos/videos.schema';
import type { CheckedFile } from '../batch/job/checkJob';
import type { ChoosableModels } from '../catalogue/jobs';
import type { Currency } from '../../protocol/formats';
import type { EvalFacts } from '../evals/evalFacts';
import type { StoredRun } from '../evals/run/storedRun';
import type { RankedList } from '../ranking/rankInSlices';

/**
 * What the tools need from their host. Every method throws `AgentProblem` for what a model or a user can fix, `ApiError`, and the signal's
 * reason. Aborting the signal ends the request. Paths are absolute or relative to the working folder. For a file that must not be read
 * (outside the opened folders, or with keys), an `AgentProblem` says so and nothing is read.
 */
export interface ToolHost {
  /** In which the account is charged; absent if unknown. */
  readonly currency?: Currency | undefined;
  models(signal: AbortSignal): Promise<ChoosableModels>;
  balance(signal: AbortSignal): Promise<AgentAccount>;
  /** Takes any number of documents; the tokens used are counted. */
  rerank(request: RerankRequest, signal: AbortSignal): Promise<RankedList>;
  /** In the order of `paths`. */
  readTexts(paths: readonly string[], signal: AbortSignal): Promise<readonly AgentText[]>;
  findPlaces(request: FindPassagesRequest, signal: AbortSignal): Promise<FoundPassages>;
  /** Resolves once the files are saved, or it is certain that they will not be. */
  generateImage(request: AgentImageRequest, signal: AbortSignal): Promise<AgentMedia>;
  /** Resolves once the service has accepted the job. */
  submitVideo(request: AgentVideoRequest, signal: AbortSignal): Promise<AgentMedia>;
  /** Asks the service for the job's state; resolves after `waitMs` at the latest, earlier if the job has ended. */
  video(id: string, waitMs: number, signal: AbortSignal): Promise<AgentMedia>;
  checkBatch(file: string, signal: AbortSignal): Promise<CheckedFile>;
  /** Uploads the file and starts the batch; resolves once the service has accepted it. */
  submitBatch(request: AgentBatchRequest, signal: AbortSignal): Promise<AgentBatch>;
  /** Newest first. */
  batches(signal: AbortSignal): Promise<readonly AgentBatch[]>;
  /** Like `video`. */
  batch(id: string, waitMs: number, signal: AbortSignal): Promise<AgentBatch>;
  /** Downloads the results if they are not here yet. */
  batchResults(request: BatchResultsRequest, signal: AbortSignal): Promise<AgentBatchResults>;
  /** Sends what is due in the run of an eval file. Resolves once batches are submitted, and other requests have a result. */
  runEval(request: AgentEvalRequest, signal: AbortSignal): Promise<AgentEval>;
  /** Reads the run of an eval file, with the results of its batches so far. Sends no requests. */
  evalResults(file: string, signal: AbortSignal): Promise<AgentEval>;
}

export interface AgentEvalRequest {
  readonly file: string;
  readonly how: EvalHow;
}

/** `smokeTest`: the first rows only, now. */
export type EvalHow = 'batch' | 'now' | 'smokeTest';

export interface AgentEval {
  readonly title: string;
  readonly facts: EvalFacts;
  readonly run: StoredRun;
  /** What another run would send next, and its price if known. */
  readonly due: { readonly requests: number; readonly batch?: number | undefined; readonly now?: number | undefined };
}

export interface AgentAccount extends Omit<AccountInfo, 'currency'> {
  /** Absent if unknown. */
  readonly currency?: Currency | undefined;
}

export interface AgentText {
  /** As displayed: relative to the working folder. */
  readonly path: string;
  readonly text: string;
}

export interface FindPassagesRequest {
  readonly question: string;
  /** Globs separated by commas. */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  readonly limit: number;
}

export interface FoundPassages {
  /** Best first. */
  readonly places: readonly FoundPassage[];
  /** The kind of scores: from a reranker, embedding similarity, or shared words. Comparable only with each other. */
  readonly scoredBy: 'rerank' | 'embeddings' | 'text';
  /** How many were read. */
  readonly files: number;
  /** English sentences about omitted results, and why results are unranked. */
  readonly notes: readonly string[];
}

export interface FoundPassage {
  readonly path: string;
  /** Both count from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly text: string;
}

/** A request without its image, which is read, checked and added as `parameter`. */
export interface AgentImageRequest {
  readonly request: ImageRequest;
  readonly picture?: { readonly path: string; readonly parameter: 'image' | 'input_image' };
}

/** A request whose image, provided as a path, becomes `image`. */
export interface AgentVideoRequest {
  readonly request: VideoRequest;
  readonly picture?: string | undefined;
}

export interface AgentMedia {
  /** The id to ask for it again. */
  readonly id: string;
  /** `failed`: certainly not generated. `lost`: there is no file here, but it may have been generated and charged. */
  readonly state: 'working' | 'done' | 'failed' | 'lost';
  /** As the service last reported for a video. */
  readonly status?: string;
  readonly position?: number;
  readonly model: string;
  readonly prompt: string;
  readonly seed?: number;
  readonly files: readonly AgentFile[];
  /** Absolute paths of saved files that were moved or deleted since. */
  readonly moved?: readonly string[];
  /** Why it failed, or what delays it, and what to do. */
  readonly problem?: string;
}

export interface AgentFile {
  /** Absolute. */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

export interface AgentBatchRequest {
  readonly file: string;
  /** e.g. `24h`. */
  readonly completionWindow: string;
  /** Overrides the models of the lines. */
  readonly model?: string | undefined;
  /** Hash of the file as checked: if the file differs, it is not sent. */
  readonly sha256?: string | undefined;
}

export interface AgentBatch {
  /** The id to ask for it again. */
  readonly id: string;
  /** The service's word, or `refused`, or `unknown` if the response was lost. */
  readonly status: string;
  readonly isOver: boolean;
  /** Name of the request file, if known. */
  readonly name?: string;
  readonly requests?: {
    readonly total?: number | undefined;
    readonly completed?: number | undefined;
    readonly failed?: number | undefined;
  };
  /** The results on this machine. `incomplete`: truncated, empty or refused. */
  readonly results?: { readonly answered: number; readonly incomplete: number; readonly failed: number };
  /** Why the batch failed, in the service's words: the first errors, and how many there are. */
  readonly errors?: readonly BatchFault[];
  readonly errorCount?: number;
  /** Unix milliseconds. */
  readonly createdAt?: number;
  readonly expiresAt?: number;
  /** Absolute path of the results' folder, once they are downloaded. */
  readonly folder?: string;
  readonly problem?: string;
}

export interface BatchResultsRequest extends ResultRowsQuery {
  readonly id: string;
}

export interface ResultRowsQuery {
  readonly only: ResultState | 'all';
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface AgentBatchResults {
  readonly batch: AgentBatch;
  readonly rows: readonly AgentBatchRow[];
  /** Number of rows that match `only`. */
  readonly total: number;
  /** How many requests are in each state. */
  readonly counts: Readonly<Partial<Record<ResultState, number>>>;
  /** The files that weren't read, and why. */
  readonly notes?: readonly string[];
}

export interface AgentBatchRow {
  readonly customId: string;
  /** The answer, or the error. */
  readonly text: string;
  readonly state: ResultState;
}
