import type { UploadMemory } from '../../core/files/uploadMemory';

/** The record of uploads, loaded on first use. */
export function createUploads(folder: string): UploadMemory {
  let loaded: Promise<UploadMemory> | undefined;
  const load = () =>
    (loaded ??= import('../../core/files/uploadMemory').then(({ createUploadMemory }) => createUploadMemory(folder)));
  return {
    remember: async (account, upload) => (await load()).remember(account, upload),
    byContent: async (account, sha256) => (await load()).byContent(account, sha256),
    byFile: async (account, fileId) => (await load()).byFile(account, fileId),
  };
}
