import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaJob, MediaResult } from './mediaJob';

/** Returns the name of a complete result that is not stored yet. `files.exclude` in package.json hides its form. */
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

/** Removes the temporary files of a job that is no longer tracked. */
export async function removeParts({ id, folder }: MediaJob, fallback: string): Promise<void> {
  for (const place of new Set([folder, fallback])) {
    for (const name of (await namesIn(place)).filter((one) => one.startsWith(`.${id}-`)))
      await rm(join(place, name), { force: true }).catch(() => undefined);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
