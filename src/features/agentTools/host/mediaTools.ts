import type { ToolHost } from '../../../core/agentTools/toolHost';
import { abortable } from '../../../core/agentTools/abortable';
import { isMediaOver, isWorthAsking, toAgentMedia } from '../../../core/agentTools/agentMedia';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { savingMs } from '../../../core/agentTools/savingMs';
import { waitForJob } from '../../../services/jobs/waitForJob';
import { providedImage } from '../../../services/media/providedImage';
import type { MediaJob, MediaJobRequest } from '../../../services/media/media';
import { maxImageBytes } from '../../../protocol/mediaBounds';
import type { ToolServices } from './toolServices';
import { providedFile } from './providedFile';

/** Generates media as every other part of the extension does: saves a record, tracks the jobs and stores the files with their recipes. */
export function createMediaTools(
  services: ToolServices,
  longestSavingMs = savingMs,
): Pick<ToolHost, 'generateImage' | 'submitVideo' | 'video'> {
  const { agreed, media } = services;
  const keptPicture = async (path: string): Promise<string> => {
    const { real } = await providedFile(path, services);
    const { ref } = await media.assets.keepInput(await providedImage(real, maxImageBytes));
    return ref;
  };
  const submit = async (order: MediaJobRequest, signal: AbortSignal): Promise<MediaJob> => {
    await agreed?.check(order.request.model);
    signal.throwIfAborted();
    return media.submit(order, { signal, ...(agreed?.profileId !== undefined && { profileId: agreed.profileId }) });
  };
  const find = async (id: string, signal: AbortSignal): Promise<MediaJob> => {
    await abortable(media.ready(), signal);
    const job = media.jobs.find((one) => one.id === id || one.requestId === id);
    if (job) return job;
    throw new AgentProblem(`There is no video with the id ${id} that was ordered from this machine. Check the id.`);
  };
  return {
    async generateImage({ request, picture }, signal) {
      const given = picture && { [picture.parameter]: await keptPicture(picture.path) };
      const { id } = await submit({ kind: 'image', request: { ...request, ...given } }, signal);
      return toAgentMedia(await waitForJob(media, id, { ms: longestSavingMs, signal }));
    },
    async submitVideo({ request, picture }, signal) {
      const given = picture === undefined ? {} : { image: await keptPicture(picture) };
      return toAgentMedia(await submit({ kind: 'video', request: { ...request, ...given } }, signal));
    },
    async video(id, waitMs, signal) {
      const job = await find(id, signal);
      const now = isWorthAsking(job) ? await abortable(media.checkNow(job.id, waitMs), signal) : job;
      if (isMediaOver(now) || waitMs === 0) return toAgentMedia(now);
      return toAgentMedia(await waitForJob(media, job.id, { ms: waitMs, signal }));
    },
  };
}
