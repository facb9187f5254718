import type { Batch, BatchPage, BatchRequest } from '../../api/batches/batches.schema';
import type { InlineBatchRequest } from '../../api/batches/inlineBatches.schema';
import type { RemoteFile } from '../../api/files/files.schema';

/** What the engine requires from the service. Every method throws `ApiError`. */
export interface BatchService {
  readonly batches: {
    /** `file`: a file is uploaded first. The others: all requests are in the call that creates the batch. */
    readonly form: 'file' | 'anthropic' | 'openrouter';
    createInline(
      request: InlineBatchRequest & { readonly onProgress?: (sentBytes: number, totalBytes: number) => void },
      signal?: AbortSignal,
    ): Promise<Batch>;
    /** Saves the results of a batch that `hasOwnResults`. */
    results(
      request: { readonly id: string } & ContentTarget,
      signal?: AbortSignal,
    ): Promise<{ readonly bytes: number }>;
    create(request: BatchRequest, signal?: AbortSignal): Promise<Batch>;
    list(request?: { readonly after?: string }, signal?: AbortSignal): Promise<BatchPage>;
    retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
    cancel(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  };
  readonly files: {
    upload(
      request: {
        readonly path: string;
        readonly filename: string;
        readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
      },
      signal?: AbortSignal,
    ): Promise<RemoteFile>;
    retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<RemoteFile>;
    /** `file` is an id, or an absolute address, requested without the key. A complete file goes to `toPath`, a partial one to `partTo`. */
    content(
      request: { readonly file: string } & ContentTarget,
      signal?: AbortSignal,
    ): Promise<{ readonly bytes: number }>;
  };
}

interface ContentTarget {
  readonly toPath: string;
  readonly maxBytes: number;
  readonly partTo: string;
  readonly isPrivate: boolean;
}

/**
 * Connects to the service of a job. Throws `StepFailure` of kind `profileGone`, `signedOut` or `addressChanged` if it can no longer be reached with
 * the key that belongs to it, else `ApiError`.
 */
export type Connect = (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<BatchService>;

/** Where the folders of runs are created. */
export interface ResultsFolder {
  /** Absolute: the user's choice, else `fallback`. */
  readonly root: () => string;
  /** Absolute: used if `root` is not writable. */
  readonly fallback: string;
}

const mostPages = 50;

/** Yields all batches the service lists, newest first if it sorts them so. */
export async function* eachBatch({ batches }: BatchService, signal?: AbortSignal): AsyncGenerator<Batch> {
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { batches: some, hasMore, lastId } = await batches.list(after === undefined ? {} : { after }, signal);
    const fresh = some.filter(({ id }) => !seen.has(id));
    for (const batch of fresh) {
      seen.add(batch.id);
      yield batch;
    }
    // A service without paging returns the same page again.
    if (!hasMore || fresh.length === 0) return;
    after = lastId ?? some.at(-1)?.id;
  }
}
