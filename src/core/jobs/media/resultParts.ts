import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaJob } from './mediaJob';

/** A result on its way stands under this name; where it does so without another ending, it is whole. */
export function wholeName({ id }: Pick<MediaJob, 'id'>, index: number): string {
  return `.${id}-${index}.download`;
}

/** What a window that went away left of a result that was not whole. */
export async function removeBroken(folder: string, whole: string): Promise<void> {
  await removeWhere(folder, (name) => name.startsWith(`${whole}.`));
}

/** What is left of a job that is not followed any more. */
export async function removeParts({ id, folder }: Pick<MediaJob, 'id' | 'folder'>, fallback: string): Promise<void> {
  for (const place of new Set([folder, fallback])) await removeWhere(place, (name) => name.startsWith(`.${id}-`));
}

async function removeWhere(folder: string, is: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter(is)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
