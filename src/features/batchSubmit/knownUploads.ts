import path from 'node:path';
import * as vscode from 'vscode';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { ageWords } from '../../platform/age';
import type { FileCheck } from '../../services/batchFiles/checkFiles';
import type { BatchJob } from '../../services/batches/batches';
import { shortened } from '../../platform/displayText';
import type { Profile } from '../../services/account/account';
import type { SubmitUpload } from '../../protocol/batchSubmit';
import type { Services } from '../../services/services';

/** A single request lists the account's files. No vendor documents a maximum; a longer list costs nothing. */
const listLimit = 1000;
const mostOffered = 3;

/**
 * Returns files of the account with the checked content: first those uploaded from here with the same hash, then those that look
 * alike. Files the service does not list are left out. Never throws: at worst an upload is not offered.
 */
export async function findUploads(
  check: FileCheck,
  profile: Profile,
  { batchJobs, connections, uploads, log }: Services,
): Promise<readonly SubmitUpload[]> {
  try {
    await batchJobs.ready();
    const client = await connections.client(profile.id);
    const listed = await client.files.list({ limit: listLimit });
    const { sha256 } = check;
    const account = { profileId: profile.id, baseUrl: profile.baseUrl };
    const remembered = sha256 === undefined ? undefined : await uploads.byContent(account, sha256);
    const known = batchJobs.jobs
      .filter(({ profileId, baseUrl }) => profileId === profile.id && baseUrl === profile.baseUrl)
      .filter(({ input }) => sha256 !== undefined && input?.sha256 === sha256)
      .map(({ inputFileId }) => inputFileId);
    const same = listed.filter(({ id }) => id === remembered?.fileId || known.includes(id));
    const alike = listed.filter((file) => !same.includes(file) && isAlike(file, check));
    return [...same.map((file) => toUpload(file, true)), ...alike.map((file) => toUpload(file, false))].slice(
      0,
      mostOffered,
    );
  } catch (error) {
    log.debug(`It was not found out which files are uploaded already: ${String(error)}`);
    return [];
  }
}

function isAlike({ filename, bytes, lineCount }: RemoteFile, check: FileCheck): boolean {
  return (
    filename === path.basename(check.file) && bytes === check.bytes && (lineCount ?? check.requests) === check.requests
  );
}

function toUpload({ id, filename, createdAt }: RemoteFile, isSure: boolean): SubmitUpload {
  const name = filename ?? shortened(id);
  const age = createdAt === undefined ? undefined : ageWords(createdAt * 1000, Date.now(), vscode.env.language);
  return {
    id,
    text: age === undefined ? `${name} · ${shortened(id)}` : `${name} · ${age} · ${shortened(id)}`,
    ...(!isSure && {
      doubt: vscode.l10n.t('It has the same name, size and number of lines. Whether it holds the same is not known.'),
    }),
  };
}

/** Remembers that a job uploaded its file. A full disk only prevents the upload from being offered again; the batch is not affected. */
export async function rememberUpload(
  { profileId, baseUrl, input, inputFileId, ownsUpload, createdAt }: BatchJob,
  { uploads, log }: Services,
): Promise<void> {
  if (!input || inputFileId === undefined || ownsUpload !== true) return;
  const { path: file, sha256, bytes } = input;
  const upload = { fileId: inputFileId, path: file, sha256, bytes, uploadedAt: createdAt };
  await uploads.remember({ profileId, baseUrl }, upload).catch((error: unknown) => log.warn(String(error)));
}
