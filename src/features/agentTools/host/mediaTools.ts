import type { ToolHost } from '../../../core/agentTools/toolHost';
import { abortable } from '../../../core/async/abortable';
import { isMediaOver, isWorthAsking, toAgentMedia, savingMs } from '../../../core/agentTools/agentMedia';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { providedImage } from '../../../services/images/providedImage';
import type { MediaJob, MediaJobRequest } from '../../../services/media/media';
import { maxImageBytes } from '../../../protocol/mediaBounds';
import type { Services } from '../../../services/services';
import type { ConfirmedRequest } from '../confirmations';
import type { WorkspaceFiles } from './workspaceFiles';

/** Generates media as every other part of the extension does: saves a record, tracks the jobs and stores the files with their recipes. */
export function createMediaTools(
  { media }: Services,
  files: WorkspaceFiles,
  {
    confirmed,
    longestSavingMs = savingMs,
  }: { readonly confirmed?: ConfirmedRequest | undefined; readonly longestSavingMs?: number } = {},
) {
  const keptPicture = async (path: string): Promise<string> => {
    const { real } = await files.find(path);
    const { ref } = await (await media()).assets.keepInput(await providedImage(real, maxImageBytes));
    return ref;
  };
  const submit = async (order: MediaJobRequest, signal: AbortSignal): Promise<MediaJob> => {
    await confirmed?.check(order.request.model);
    signal.throwIfAborted();
    return (await media()).submit(order, {
      signal,
      ...(confirmed?.profileId !== undefined && { profileId: confirmed.profileId }),
    });
  };
  const find = async (id: string, signal: AbortSignal): Promise<MediaJob> => {
    const { jobs } = await abortable(media(), signal);
    const job = jobs.find((one) => one.id === id || one.requestId === id);
    if (job) return job;
    throw new AgentProblem(`No video with the ID ${id} has been submitted from this machine. Check the ID.`);
  };
  return {
    async generateImage({ request, picture }, signal) {
      const given = picture && { [picture.parameter]: await keptPicture(picture.path) };
      const { id } = await submit({ kind: 'image', request: { ...request, ...given } }, signal);
      return toAgentMedia(await (await media()).whenEndedWithin(id, longestSavingMs, signal));
    },
    async submitVideo({ request, picture }, signal) {
      const given = picture === undefined ? {} : { image: await keptPicture(picture) };
      return toAgentMedia(await submit({ kind: 'video', request: { ...request, ...given } }, signal));
    },
    async video(id, waitMs, signal) {
      const job = await find(id, signal);
      const now = isWorthAsking(job) ? await abortable((await media()).checkNow(job.id, waitMs), signal) : job;
      if (isMediaOver(now) || waitMs === 0) return toAgentMedia(now);
      return toAgentMedia(await (await media()).whenEndedWithin(job.id, waitMs, signal));
    },
  } satisfies Partial<ToolHost>;
}
