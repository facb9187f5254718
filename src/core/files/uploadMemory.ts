import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTextFile } from '../storage/storedFile';
import { readOrEmpty } from '../storage/privateFiles';

/** A file that was uploaded from this machine. */
export interface Upload {
  readonly fileId: string;
  /** Where the content was on this machine. */
  readonly path: string;
  /** Hash of the content, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly uploadedAt: number;
}

/** An account at a service: file ids are meaningless anywhere else. */
export interface UploadAccount {
  readonly profileId: string;
  readonly baseUrl: string;
}

/** Remembers which contents were uploaded from here, and under which ids the service stores them. */
export interface UploadMemory {
  /** Replaces the previous record of the same content. */
  remember(account: UploadAccount, upload: Upload): Promise<void>;
  byContent(account: UploadAccount, sha256: string): Promise<Upload | undefined>;
  byFile(account: UploadAccount, fileId: string): Promise<Upload | undefined>;
}

/** Services store files for a month; a year is more than enough, and bounds the list. */
const retentionMs = 365 * 24 * 60 * 60 * 1000;

/** Stores one small file per content below `folder`, so that windows do not conflict. */
export function createUploadMemory(folder: string, now: () => number = Date.now): UploadMemory {
  const accountFolderOf = ({ profileId, baseUrl }: UploadAccount) =>
    join(folder, createHash('sha256').update(`${profileId}\n${baseUrl}`).digest('hex').slice(0, 32));
  const read = async (path: string) => parse(await readOrEmpty(path));

  return {
    async remember(account, { fileId, path, sha256, bytes, uploadedAt }) {
      const record = { version: 1, fileId, path, sha256, bytes, uploadedAt };
      await createTextFile(join(accountFolderOf(account), nameOf(sha256))).write(`${JSON.stringify(record)}\n`);
    },
    byContent: (account, sha256) => read(join(accountFolderOf(account), nameOf(sha256))),
    async byFile(account, fileId) {
      const accountFolder = accountFolderOf(account);
      let found: Upload | undefined;
      for (const name of await readdir(accountFolder).catch((): string[] => [])) {
        const one = name.endsWith('.json') ? await read(join(accountFolder, name)) : undefined;
        if (one && now() - one.uploadedAt > retentionMs) await rm(join(accountFolder, name), { force: true });
        else if (one?.fileId === fileId) found = one;
      }
      return found;
    },
  };
}

function nameOf(sha256: string): string {
  return `${sha256.replaceAll(/[^\da-f]/g, '')}.json`;
}

/** `undefined` for a record of a later version, or a corrupt one. */
function parse(text: string): Upload | undefined {
  const raw = parseJson(text);
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { version, fileId, path, sha256, bytes, uploadedAt } = raw as Readonly<Record<string, unknown>>;
  if (version !== 1 || typeof fileId !== 'string' || typeof path !== 'string' || typeof sha256 !== 'string')
    return undefined;
  if (typeof bytes !== 'number' || typeof uploadedAt !== 'number') return undefined;
  return { fileId, path, sha256, bytes, uploadedAt };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
