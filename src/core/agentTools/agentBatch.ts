import { setTimeout as wait } from 'node:timers/promises';
import { faultOf, type Batch } from '../api/batches/batches.schema';
import type { BatchJob } from '../jobs/batch/batchJob';
import { batchIdsOf, countsOf, isOver } from '../jobs/batch/batchState';
import type { AgentBatch } from './toolHost';
import { jobErrorMessage } from './errorMessages';

/** Converts a batch that was submitted or is followed here to the form that models receive. */
export function toAgentBatch(job: BatchJob): AgentBatch {
  const { id, batch, input, stage, lastError, createdAt, fetched = {}, folder } = job;
  const isHere = fetched.output !== undefined || fetched.errors !== undefined;
  const withProblem = lastError && { problem: jobErrorMessage(lastError) };
  const fileName = input?.path.split(/[/\\]/).at(-1);
  const name = fileName === undefined ? {} : { name: fileName };
  if (!batch) {
    const isSent = stage !== 'refused' && stage !== 'unknown';
    return {
      id,
      status: stage === 'queued' ? 'queued' : isSent ? 'submitting' : stage,
      isOver: !isSent,
      ...name,
      createdAt,
      ...withProblem,
    };
  }
  const { answered, incomplete, failed } = countsOf(fetched);
  const results = isHere ? { results: { answered, incomplete, failed } } : {};
  const failure = fetched.errors?.failure ?? fetched.output?.failure;
  const isReason = failure !== undefined && answered === 0 && batch.errors.length === 0;
  return {
    ...name,
    ...toListedBatch(batch),
    ...(isReason && { errors: [faultOf(failure)], errorCount: failed }),
    ...results,
    ...(folder !== undefined && isHere && { folder }),
    ...withProblem,
  };
}

/** Maximum number of errors of a batch in a message for a model. */
const mostErrors = 20;

/** Converts a batch from the service's list to the form that models receive. */
function toListedBatch(batch: Batch): AgentBatch {
  const { id, status, requestCounts, createdAt, expiresAt, metadata, fileName, errors } = batch;
  const name = metadata['name'] ?? fileName;
  return {
    id,
    status,
    isOver: isOver(batch),
    ...(name !== undefined && { name }),
    ...(requestCounts && { requests: requestCounts }),
    ...(errors.length > 0 && { errors: errors.slice(0, mostErrors), errorCount: errors.length }),
    ...(createdAt !== undefined && { createdAt: createdAt * 1000 }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt * 1000 }),
  };
}

/** Joins the batches the service lists with what is known here about them, and adds those it does not list; newest first. */
export function joinBatches(jobs: readonly BatchJob[], listed: readonly Batch[]): readonly AgentBatch[] {
  const parted = jobs.filter(({ parts, dropped }) => parts !== undefined || dropped !== undefined);
  const hidden = new Set(parted.flatMap(batchIdsOf));
  const isListed = ({ batch }: BatchJob) => batch !== undefined && listed.some(({ id }) => id === batch.id);
  const ofJobs = jobs.filter((job) => parted.includes(job) || !isListed(job)).map(toAgentBatch);
  const ofService = listed.flatMap((batch) => {
    if (hidden.has(batch.id)) return [];
    const job = jobs.find((one) => one.batch?.id === batch.id);
    return job ? { ...toAgentBatch(job), ...toListedBatch(batch) } : toListedBatch(batch);
  });
  return [...ofJobs, ...ofService].toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
}

/** Whether nothing more will happen automatically. */
export function isBatchOver({ stage, lastError }: BatchJob): boolean {
  return stage === 'ended' || stage === 'refused' || lastError?.isFinal === true;
}

/** Polling interval for a batch that is not followed here. */
const askAgainMs = 5000;

/** Resolves to the batch's state once it is over or `waitMs` have passed. Asks at least once. */
export async function askUntilOver(
  ask: (signal: AbortSignal) => Promise<Batch>,
  waitMs: number,
  signal: AbortSignal,
): Promise<AgentBatch> {
  const until = Date.now() + waitMs;
  for (;;) {
    const batch = toListedBatch(await ask(signal));
    const left = until - Date.now();
    if (batch.isOver || left <= 0) return batch;
    await wait(Math.min(askAgainMs, left), undefined, { signal });
  }
}
