import type { AccountInfo } from '../api/account/account.schema';
import type { ImageRequest } from '../api/images/images.schema';
import type { RerankRequest } from '../api/rerank/rerank.schema';
import type { VideoRequest } from '../api/videos/videos.schema';
import type { CheckedFile } from '../batch/job/checkJob';
import type { JobDefaults } from '../catalogue/jobs';
import type { CatalogueModel } from '../catalogue/model';
import type { RankedList } from '../ranking/rankInSlices';

/**
 * What the tools need from where they run. Everything throws `AgentProblem` where a model or a person can mend it, `ApiError`,
 * and the signal's reason; ending the signal ends the request. Paths given are absolute or from the folder that is worked in;
 * where a file may not be read (outside of what was opened, one that holds keys), an `AgentProblem` says so and nothing is read.
 */
export interface ToolHost {
  models(signal: AbortSignal): Promise<AgentModels>;
  balance(signal: AbortSignal): Promise<AccountInfo>;
  /** Any number of documents; what it costs is counted. */
  rerank(request: RerankRequest, signal: AbortSignal): Promise<RankedList>;
  /** In the order of `paths`. */
  readTexts(paths: readonly string[], signal: AbortSignal): Promise<readonly AgentText[]>;
  findPlaces(request: FindPassagesRequest, signal: AbortSignal): Promise<FoundPassages>;
  /** Resolves when the files are saved, or it is certain that they will not be. */
  generateImage(order: AgentImageRequest, signal: AbortSignal): Promise<AgentMedia>;
  /** Resolves when the service has taken the order. */
  submitVideo(order: AgentVideoRequest, signal: AbortSignal): Promise<AgentMedia>;
  /** Asks the service how it goes; resolves at the latest after `waitMs`, earlier when it ended. */
  video(id: string, waitMs: number, signal: AbortSignal): Promise<AgentMedia>;
  checkBatch(file: string, signal: AbortSignal): Promise<CheckedFile>;
  /** Uploads the file and starts the batch; resolves when the service has taken it. */
  submitBatch(order: AgentBatchRequest, signal: AbortSignal): Promise<AgentBatch>;
  /** Newest first. */
  batches(signal: AbortSignal): Promise<readonly AgentBatch[]>;
  /** As `video`. */
  batch(id: string, waitMs: number, signal: AbortSignal): Promise<AgentBatch>;
  /** Fetches them where they are not here yet. */
  batchResults(request: BatchResultsRequest, signal: AbortSignal): Promise<AgentBatchResults>;
}

export interface AgentModels {
  readonly models: readonly CatalogueModel[];
  /** In the order they were pinned. */
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
}

export interface AgentText {
  /** As it is shown: from the folder that is worked in. */
  readonly path: string;
  readonly text: string;
}

export interface FindPassagesRequest {
  readonly question: string;
  /** Globs parted by commas. */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  readonly limit: number;
}

export interface FoundPassages {
  /** Best first. */
  readonly places: readonly FoundPassage[];
  /** What scores are by: a reranker, likeness of meaning, or shared words. To be compared only with each other. */
  readonly scoredBy: 'rerank' | 'embeddings' | 'text';
  /** That were read. */
  readonly files: number;
  /** What was left out, and why it is not ranked. English sentences. */
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

/** The request stands without its picture, which is read, checked and put in as `parameter`. */
export interface AgentImageRequest {
  readonly request: ImageRequest;
  readonly picture?: { readonly path: string; readonly parameter: 'image' | 'input_image' };
}

/** The picture, by its path, becomes `image`. */
export interface AgentVideoRequest {
  readonly request: VideoRequest;
  readonly picture?: string | undefined;
}

export interface AgentMedia {
  /** By which it is asked for again. */
  readonly id: string;
  /** `failed`: certainly not made. `lost`: it has no file here, but may have been made and paid for. */
  readonly state: 'working' | 'done' | 'failed' | 'lost';
  /** As the service last said of a video. */
  readonly status?: string;
  readonly position?: number;
  readonly model: string;
  readonly prompt: string;
  readonly seed?: number;
  readonly files: readonly AgentFile[];
  /** Absolute: where files were saved that were moved or removed since. */
  readonly moved?: readonly string[];
  /** Why it failed, or what keeps it back, and what to do. */
  readonly trouble?: string;
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
  /** Wins over the models of the lines. */
  readonly model?: string | undefined;
  /** Of the file as it was checked: another one is not sent. */
  readonly sha256?: string | undefined;
}

export interface AgentBatch {
  /** By which it is asked for again. */
  readonly id: string;
  /** The service's word, or `refused`, `unknown` where the answer was lost. */
  readonly status: string;
  readonly isOver: boolean;
  /** Of the file of requests, where it is known. */
  readonly name?: string;
  readonly requests?: {
    readonly total?: number | undefined;
    readonly completed?: number | undefined;
    readonly failed?: number | undefined;
  };
  /** Unix milliseconds. */
  readonly createdAt?: number;
  readonly expiresAt?: number;
  /** Absolute: where its results are, once they are here. */
  readonly folder?: string;
  readonly trouble?: string;
}

export interface BatchResultsRequest {
  readonly id: string;
  readonly only: 'all' | 'answered' | 'failed';
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface AgentBatchResults {
  readonly batch: AgentBatch;
  readonly rows: readonly AgentBatchRow[];
  /** Of those asked for by `only`. */
  readonly total: number;
  readonly answered: number;
  readonly failed: number;
  /** What was not read, and why. */
  readonly notes?: readonly string[];
}

export interface AgentBatchRow {
  readonly customId: string;
  /** The answer, or what went wrong. */
  readonly text: string;
  readonly failed: boolean;
}
