import type { Batch } from '../../../core/api/batches/batches.schema';
import type { BatchRow } from '../../../services/batches/batches';

/** Returns a batch with the results of its retries merged in. */
export function mergedBatch({ batch, retries = [] }: BatchRow): Batch | undefined {
  const { total, completed: first, failed = 0 } = batch?.requestCounts ?? {};
  if (!batch || retries.length === 0 || total === undefined || first === undefined) return batch;
  const again = retries.reduce((sum, retry) => sum + (retry.batch?.requestCounts?.completed ?? 0), 0);
  // Whatever failed in the last retry still fails, regardless of the service's earlier counts.
  const completed = Math.min(total - (retries.at(-1)?.batch?.requestCounts?.failed ?? 0), first + again);
  const outputFileId = [batch, ...retries.map((retry) => retry.batch)].find((one) => one?.outputFileId)?.outputFileId;
  const { errorFileId, ...rest } = batch;
  return {
    ...rest,
    ...(outputFileId !== undefined && { outputFileId }),
    ...(errorFileId !== undefined && completed < total && { errorFileId }),
    // If some requests had neither an answer nor an error, no count says which of the two their retries got.
    requestCounts: { total, completed, ...(first + failed === total && { failed: total - completed }) },
  };
}
