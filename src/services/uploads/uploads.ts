import type { UploadMemory } from '../../core/files/uploadMemory';
import { withLazyMethods } from '../../platform/lazy';

/** The record of uploads, loaded on first use. */
export function createUploads(folder: string): UploadMemory {
  let loaded: Promise<UploadMemory> | undefined;
  const load = async () => (await import('../../core/files/uploadMemory')).createUploadMemory(folder);
  return withLazyMethods({}, () => (loaded ??= load()));
}
