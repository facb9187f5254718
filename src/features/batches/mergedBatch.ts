import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchRow } from '../../services/batches/batchRow';

/** A batch as it stands with what its retries answered. */
export function mergedBatch({ batch, retries = [] }: BatchRow): Batch | undefined {
  const { total, completed: first, failed = 0 } = batch?.requestCounts ?? {};
  if (!batch || retries.length === 0 || total === undefined || first === undefined) return batch;
  const again = retries.reduce((sum, retry) => sum + (retry.batch?.requestCounts?.completed ?? 0), 0);
  // What the last one failed at fails still, whatever the service counted before.
  const completed = Math.min(total - (retries.at(-1)?.batch?.requestCounts?.failed ?? 0), first + again);
  const outputFileId = [batch, ...retries.map((retry) => retry.batch)].find((one) => one?.outputFileId)?.outputFileId;
  const { errorFileId, ...rest } = batch;
  return {
    ...rest,
    ...(outputFileId !== undefined && { outputFileId }),
    ...(errorFileId !== undefined && completed < total && { errorFileId }),
    // Where some had neither answer nor error, nobody counts which of the two a retry came to.
    requestCounts: { total, completed, ...(first + failed === total && { failed: total - completed }) },
  };
}
