import { open } from 'node:fs/promises';
import path from 'node:path';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { statedBy } from '../../core/capabilities/statedLimits';
import { parseObject } from '../../core/batch/scan/jsonValue';
import type { JobSources } from '../jobs/jobs';

/** Enough for some rejections of each kind: those of one batch mostly are about the same limits. */
const mostBytes = 200_000;
const mostLines = 200;

/** Remembers the limits that the service stated when it rejected a batch or requests of it, for the account and the model. */
export async function learnLimits(job: BatchJob, { connections, profiles }: JobSources): Promise<void> {
  const { folder, input, options, profileId, baseUrl } = job;
  const profile = profiles.get(profileId);
  if (profile?.baseUrl !== baseUrl) return;
  const stated = statedBy(job, folder === undefined ? [] : await rejectionsIn(folder));
  const { requests, bytes, ...ofModel } = stated;
  if (Object.keys(stated).length === 0) return;
  const learned = await connections.learned(profile);
  learned.learnBatches({ ...(requests !== undefined && { requests }), ...(bytes !== undefined && { bytes }) });
  const model = options.replace?.model ?? input?.model;
  if (model !== undefined && Object.keys(ofModel).length > 0) learned.learn(model, { stated: ofModel });
}

/** Returns the texts of the first rejected requests of a run. */
async function rejectionsIn(folder: string): Promise<readonly string[]> {
  const file = await open(path.join(folder, 'errors.jsonl')).catch(() => undefined);
  if (!file) return [];
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, mostLines);
    return lines.flatMap((line) => {
      const { error, response } = parseObject(line) ?? {};
      return error == null && response == null ? [] : [JSON.stringify([error, response])];
    });
  } finally {
    await file.close();
  }
}
