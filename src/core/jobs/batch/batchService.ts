import type { Batch, BatchPage, BatchRequest } from '../../api/batches/batches.schema';
import type { RemoteFile } from '../../api/files/files.schema';

/** What the engine asks of the service. Every method throws `ApiError`. */
export interface BatchService {
  readonly batches: {
    create(request: BatchRequest, signal?: AbortSignal): Promise<Batch>;
    list(request?: { readonly after?: string }, signal?: AbortSignal): Promise<BatchPage>;
    retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
    cancel(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  };
  readonly files: {
    upload(
      request: { readonly path: string; readonly onProgress?: (sentBytes: number, totalBytes: number) => void },
      signal?: AbortSignal,
    ): Promise<RemoteFile>;
    /** `file` is an id, or an absolute address, which is asked without the key. Appears at `toPath` when it is whole; what came of one that was cut is at `partTo`. */
    content(
      request: {
        readonly file: string;
        readonly toPath: string;
        readonly maxBytes: number;
        readonly partTo: string;
        readonly isPrivate: boolean;
      },
      signal?: AbortSignal,
    ): Promise<{ readonly bytes: number }>;
  };
}

/**
 * The service a job was ordered from. Throws `StepFailure` of kind `profileGone` or `addressChanged` where it cannot be
 * reached any more with the key that goes there, else `ApiError`.
 */
export type Connect = (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<BatchService>;

const mostPages = 50;

/** All batches the service lists, newest first as far as it keeps to that; ends with its list. */
export async function* eachBatch(
  { batches }: Pick<BatchService, 'batches'>,
  signal?: AbortSignal,
): AsyncGenerator<Batch> {
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { batches: some, hasMore, lastId } = await batches.list(after === undefined ? {} : { after }, signal);
    const fresh = some.filter(({ id }) => !seen.has(id));
    for (const batch of fresh) {
      seen.add(batch.id);
      yield batch;
    }
    // A service that does not page answers the same again.
    if (!hasMore || fresh.length === 0) return;
    after = lastId ?? some.at(-1)?.id;
  }
}
