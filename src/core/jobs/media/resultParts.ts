import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaJob } from './mediaJob';

/** Returns the name of a downloaded result; a file with exactly this name is complete, one with a suffix is partial. */
export function wholeName({ id }: MediaJob, index: number): string {
  return `.${id}-${index}.download`;
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
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter(is)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
