import { abortable } from '../../../core/async/abortable';
import { isBatchOver, joinBatches, toAgentBatch, askUntilOver } from '../../../core/agentTools/agentBatch';
import type { ToolHost } from '../../../core/agentTools/toolHost';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { readResultRows } from '../../../core/agentTools/resultRows';
import type { RunToRead } from '../../../core/agentTools/resultRows';
import { batchIdsOf } from '../../../core/jobs/batch/batchState';
import { isApiError } from '../../../core/api/errors';
import type { Batch } from '../../../core/api/batches/batches.schema';
import { checkOneFile } from '../../../services/batchFiles/checkFiles';
import type { BatchJob } from '../../../services/batches/batches';
import { listBatches } from '../../../core/api/batches/listBatches';
import type { Services } from '../../../services/services';
import type { ConfirmedRequest } from '../confirmations';
import type { WorkspaceFiles } from './workspaceFiles';

/**
 * Manages batches as every other part of the extension does: saves a record, tracks them and downloads their results once they have ended.
 */
export function createBatchTools(services: Services, files: WorkspaceFiles, confirmed?: ConfirmedRequest) {
  const { account, batchJobs, connections } = services;
  const find = async (id: string, signal: AbortSignal): Promise<BatchJob | undefined> => {
    const { jobs } = await abortable(batchJobs(), signal);
    return jobs.find((job) => job.id === id || batchIdsOf(job).includes(id));
  };
  const retrieve = async (id: string, signal: AbortSignal): Promise<Batch> =>
    (await connections.client()).batches.retrieve({ id }, signal);

  return {
    checkBatch: async (file, signal) =>
      checkOneFile(await files.pathOf(file), services, { signal, onProgress: () => undefined }),
    async submitBatch({ file, completionWindow, model, sha256 }, signal) {
      const path = await files.pathOf(file);
      // After the digest was taken, so that it is of the file the person was asked about.
      await confirmed?.check(model);
      signal.throwIfAborted();
      const order = {
        path,
        ...(confirmed?.profileId !== undefined && { profileId: confirmed.profileId }),
        completion_window: completionWindow,
        ...(model !== undefined && { replace: { model } }),
        ...(sha256 !== undefined && { sha256 }),
      };
      return toAgentBatch(await (await batchJobs()).submit(order, { signal }));
    },
    async batches(signal) {
      const client = await connections.client();
      const { jobs } = await abortable(batchJobs(), signal);
      const own = jobs.filter(({ profileId }) => profileId === account.current.id);
      const listed = await listBatches(client.batches, 0, signal).catch((error: unknown) => {
        if (isApiError(error) && error.kind === 'notOffered' && own.length > 0) return { items: [] };
        throw error;
      });
      return joinBatches(own, listed.items);
    },
    async batch(id, waitMs, signal) {
      const job = await find(id, signal);
      if (!job) return askUntilOver((ending) => retrieve(id, ending), waitMs, signal);
      const now = isBatchOver(job) ? job : await abortable((await batchJobs()).checkNow(job.id, waitMs), signal);
      if (isBatchOver(now)) return toAgentBatch(now);
      await untilEnded(batchJobs, job.id, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
      signal.throwIfAborted();
      return toAgentBatch((await find(id, signal)) ?? now);
    },
    async batchResults({ id, ...rows }, signal) {
      const known = (await find(id, signal)) ?? (await (await batchJobs()).watch(await retrieve(id, signal)));
      if (!known.batch) throw new AgentProblem(`The batch ${id} was not started, so it has no results.`);
      const isHere = known.stage === 'ended' && toAgentBatch(known).folder !== undefined;
      const job = isHere ? known : await abortable((await batchJobs()).fetchResults(known.id), signal);
      const told = toAgentBatch(job);
      const run = runOf(job, told.folder, files);
      if (run) return { batch: told, ...(await readResultRows(run, rows, signal)) };
      if (told.isOver && told.trouble !== undefined) throw new AgentProblem(told.trouble);
      const { completed: answered = 0, failed = 0 } = told.requests ?? {};
      return { batch: told, rows: [], total: 0, counts: { answered, failed } };
    },
  } satisfies Partial<ToolHost>;
}

function runOf(
  { realFolder, input }: BatchJob,
  folder: string | undefined,
  files: WorkspaceFiles,
): RunToRead | undefined {
  return folder === undefined ? undefined : { folder, realFolder, input, guard: (path) => files.pathOf(path) };
}

/** Resolves once the batch has ended, its record is deleted, or the signal aborts. */
async function untilEnded(batchJobs: Services['batchJobs'], id: string, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      const job = batchJobs.jobs.find((one) => one.id === id);
      if (job && !isBatchOver(job) && !signal.aborted) return;
      listening.dispose();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const listening = batchJobs.onDidChange(look);
    signal.addEventListener('abort', look);
    look();
  });
}
