import { readFileFacts } from '../assets/fileFacts';
import type { MediaJob } from '../jobs/media/mediaJob';
import type { AgentFile, AgentMedia } from './toolHost';
import { jobErrorMessage } from './errorMessages';

/** Converts an image or video job to the form that models receive. */
export async function toAgentMedia(job: MediaJob): Promise<AgentMedia> {
  const { id, task, results = [], status, position, seed, lastError } = job;
  const paths = results.flatMap(({ path }) => path ?? []);
  const found = await Promise.all(paths.map(toFile));
  const files = found.filter((file) => file !== undefined);
  const moved = paths.filter((_, index) => found[index] === undefined);
  const used = seed ?? task.request.seed ?? undefined;
  return {
    id,
    state: stateOf(job),
    ...(status !== undefined && { status }),
    ...(position !== undefined && { position }),
    model: task.request.model,
    prompt: task.request.prompt,
    ...(used !== undefined && { seed: used }),
    files,
    ...(moved.length > 0 && { moved }),
    ...(lastError && { problem: jobErrorMessage(lastError) }),
  };
}

/** Whether the job will make no further progress automatically. */
export function isMediaOver({ stage, lastError }: MediaJob): boolean {
  return stage === 'ended' || stage === 'refused' || stage === 'unknown' || lastError?.isFinal === true;
}

/** Whether asking the service again can bring news. Also true for a job it did not know, because that may be temporary. */
export function isWorthAsking(job: MediaJob): boolean {
  return !isMediaOver(job) || (job.lastError?.kind === 'gone' && job.stage !== 'ended');
}

function stateOf(job: MediaJob): AgentMedia['state'] {
  if (!isMediaOver(job)) return 'working';
  if (job.results?.some(({ path }) => path !== undefined)) return 'done';
  return job.stage === 'refused' || job.lastError?.kind === 'failed' ? 'failed' : 'lost';
}

/** `undefined` if the file was moved or deleted since. */
async function toFile(path: string): Promise<AgentFile | undefined> {
  const facts = await readFileFacts(path).catch(() => undefined);
  if (facts === undefined || typeof facts === 'string') return undefined;
  const { contentType, bytes, width, height } = facts;
  return { path, contentType, bytes, ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}

/** The longest a model waits for the files of a finished job; the download continues, and the model can ask for them later. */
export const savingMs = 3 * 60_000;
