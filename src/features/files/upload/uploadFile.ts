import path from 'node:path';
import * as vscode from 'vscode';
import type { Client } from '../../../core/api/client';
import { isApiError } from '../../../core/api/errors';
import type { RemoteFile } from '../../../core/api/files/files.schema';
import { mayHaveArrived } from '../../../core/api/lostAnswer';
import { checkOneFile, stampOf } from '../../../services/batches/check/checkOneFile';
import type { FileCheck } from '../../../services/batches/check/checkOneFile';
import type { Profile } from '../../../services/account/profiles';
import type { Services } from '../../../services/services';
import { changedMeanwhile, refuseUnfit } from './fitness';
import type { UploadQuestions } from './uploadQuestions';

export interface UploadOptions {
  readonly profile: Profile;
  readonly questions: UploadQuestions;
  readonly signal: AbortSignal;
  readonly onStep: (step: 'checking' | 'uploading', done: number, total: number) => void;
}

export type UploadOutcome =
  | { readonly kind: 'uploaded' | 'reused'; readonly file: RemoteFile; readonly requests: number }
  /** The person cancelled. */
  | { readonly kind: 'left' }
  /** The person chose to read the report of its errors. */
  | { readonly kind: 'report'; readonly report: string };

/** One request shows whether the service has a file. No vendor states a maximum, and a longer list costs nothing. */
const listLimit = 1000;

/**
 * Checks a file, asks the necessary questions and uploads it. Rejects with `UserError` if the file is unfit or changed in the meantime,
 * with `ApiError`, and with the signal's reason when cancelled. Never retries an upload automatically.
 */
export async function uploadFile(
  file: string,
  services: Services,
  { profile, questions, signal, onStep }: UploadOptions,
): Promise<UploadOutcome> {
  await refuseUnfit(file);
  if (!(await settleEdits(file, questions))) return { kind: 'left' };
  const onProgress = (done: number, total: number) => onStep('checking', done, total);
  const check = await checkOneFile(file, services, { signal, onProgress });
  if (check.changed) throw changedMeanwhile(file);
  if (check.counts.error > 0) {
    const answer = await questions.upload(check);
    if (answer === 'report') return { kind: 'report', report: check.report };
    if (answer !== 'upload') return { kind: 'left' };
  }
  signal.throwIfAborted();
  const client = await services.connections.client(profile.id);
  const listed = await client.files.list({ limit: listLimit }, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isApiError(error)) return [];
    throw error;
  });
  const { requests } = check;
  const known = await findUploaded(check, listed, { services, profile });
  if (known) {
    const answer = await questions.reuse(file, known.file, known.sameContent);
    if (answer === 'reuse') return { kind: 'reused', file: known.file, requests };
    if (answer !== 'upload') return { kind: 'left' };
  }
  signal.throwIfAborted();
  if ((await stampOf(file)) !== check.stamp) throw changedMeanwhile(file);
  const sent = await send(client, check, { listed, signal, onStep });
  await remember(check, sent, { services, profile });
  return { kind: 'uploaded', file: sent, requests };
}

/** Resolves to false if the person cancelled. */
async function settleEdits(file: string, questions: UploadQuestions): Promise<boolean> {
  const edited = vscode.workspace.textDocuments.find(({ isDirty, uri }) => isDirty && uri.fsPath === file);
  if (!edited) return true;
  const answer = await questions.unsaved(file);
  return answer === 'save' ? edited.save() : answer === 'upload';
}

interface Account {
  readonly services: Services;
  readonly profile: Profile;
}

/** Returns what the service already has of it: a file with certainly the same content, otherwise a listed one that looks the same. */
async function findUploaded(
  { file, bytes, requests, sha256 }: FileCheck,
  listed: readonly RemoteFile[],
  { services, profile }: Account,
): Promise<{ readonly file: RemoteFile; readonly sameContent: boolean } | undefined> {
  const account = { profileId: profile.id, baseUrl: profile.baseUrl };
  const remembered = sha256 === undefined ? undefined : await services.uploads.byContent(account, sha256);
  const same = listed.find(({ id }) => id === remembered?.fileId);
  if (same) return { file: same, sameContent: true };
  const alike = listed.find(
    (other) =>
      other.filename === path.basename(file) && other.bytes === bytes && (other.lineCount ?? requests) === requests,
  );
  return alike && { file: alike, sameContent: false };
}

interface Sending extends Pick<UploadOptions, 'signal' | 'onStep'> {
  readonly listed: readonly RemoteFile[];
}

/** If the response is lost, looks in the list for whether the file arrived. */
async function send(client: Client, check: FileCheck, { listed, signal, onStep }: Sending): Promise<RemoteFile> {
  const { file, bytes } = check;
  const onProgress = (done: number, total: number) => onStep('uploading', done, total);
  try {
    return await client.files.upload({ path: file, onProgress }, signal);
  } catch (error) {
    if (signal.aborted || !mayHaveArrived(error)) throw error;
    const before = new Set(listed.map(({ id }) => id));
    const now = await client.files.list({ limit: listLimit }, signal).catch(() => []);
    const [arrived, another] = now.filter(
      (other) => !before.has(other.id) && other.filename === path.basename(file) && other.bytes === bytes,
    );
    if (!arrived || another) throw error;
    return arrived;
  }
}

/** Failing to save, for example on a full disk, must not fail the upload: it only costs the next offer to reuse the file. */
async function remember({ file, bytes, sha256 }: FileCheck, { id }: RemoteFile, { services, profile }: Account) {
  if (sha256 === undefined) return;
  const account = { profileId: profile.id, baseUrl: profile.baseUrl };
  const upload = { fileId: id, path: file, sha256, bytes, uploadedAt: Date.now() };
  await services.uploads.remember(account, upload).catch((error: unknown) => services.log.warn(String(error)));
}
