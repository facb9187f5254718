import type { Batch } from '../../api/batches/batches.schema';
import { isApiError } from '../../api/errors';
import { StepFailure, toJobError } from '../job';
import type { JobPatch } from '../job';
import type { BatchJob } from './batchJob';
import { eachBatch } from './batchService';
import type { BatchService } from './batchService';
import { batchPatch, currentBatch } from './parts';

/** Retrieves a batch; if the service does not offer that, finds it in the list. */
export async function retrieve(service: BatchService, job: BatchJob, signal?: AbortSignal): Promise<Batch> {
  const id = currentBatch(job)?.id ?? '';
  try {
    return await service.batches.retrieve({ id }, signal);
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.kind === 'notFound') throw new StepFailure(toJobError(error, 'gone'), { cause: error });
    if (error.kind !== 'notOffered') throw error;
  }
  for await (const listed of eachBatch(service, signal)) if (listed.id === id) return listed;
  throw new StepFailure({ kind: 'gone', message: `${id} is not listed.` });
}

/** Returns the changes to record whenever the batch was retrieved, whatever its status. */
export function seen(job: BatchJob, batch: Batch, now: number): JobPatch<BatchJob> {
  const isNews = currentBatch(job)?.status !== batch.status;
  return {
    ...batchPatch(job, batch),
    checkedAt: now,
    ...(isNews ? { changedAt: now, looks: 0 } : { looks: (job.looks ?? 0) + 1 }),
    ...(batch.expiresAt !== undefined && { expiresAt: batch.expiresAt * 1000 }),
  };
}
