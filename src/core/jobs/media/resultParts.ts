import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaJob, MediaResult } from './mediaJob';

/** Returns the name of a downloaded result; a file with exactly this name is complete, one with a suffix is partial. */
export function wholeName({ id }: MediaJob, index: number): string {
  return `.${id}-${index}.download`;
}

/** Returns the results that came in a response whose window closed before it recorded them. */
export async function placedResults(job: MediaJob, fallback: string): Promise<readonly MediaResult[]> {
  const names = new Set((await Promise.all([job.folder, fallback].map(namesIn))).flat());
  const results: MediaResult[] = [];
  while (names.has(wholeName(job, results.length))) results.push({ url: '' });
  return results;
}

/** Removes the partial file of a result that a closed window left behind. */
export async function removeBroken(folder: string, whole: string): Promise<void> {
  await removeWhere(folder, (name) => name.startsWith(`${whole}.`));
}

/** Removes the temporary files of a job that is no longer followed. */
export async function removeParts({ id, folder }: MediaJob, fallback: string): Promise<void> {
  for (const place of new Set([folder, fallback])) await removeWhere(place, (name) => name.startsWith(`.${id}-`));
}

async function removeWhere(folder: string, is: (name: string) => boolean): Promise<void> {
  for (const name of (await namesIn(folder)).filter(is))
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
