import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { mayHaveArrived } from '../../core/api/errorKinds';
import { missingEndpoint, isApiError } from '../../core/api/errors';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { ageWords } from '../../platform/age';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import type { Profile } from '../../services/account/account';
import { showReport, checkOneFile, stampOf } from '../../services/batchFiles/checkFiles';
import { bytesText, numberText } from '../../platform/displayText';
import { isCancellation } from '../../platform/errors/report';
import { describe } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { countWords } from '../../services/batchFiles/checkWords';
import type { Services } from '../../services/services';
import { withProgress, showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { fileName } from './fileItem';
import { sentences } from '../../protocol/sentences';
import type { FileCheck } from '../../services/batchFiles/checkFiles';

/** The outcome for the requested files. */
interface UploadsEnd {
  readonly uploaded: readonly Arrived[];
  readonly reused: readonly Arrived[];
}

interface Arrived {
  readonly path: string;
  readonly file: RemoteFile;
  readonly requests: number;
}

/** Share of a file's progress that checking takes: reading is faster than sending. */
const checkedShare = 0.3;

/**
 * Uploads files one after the other with progress; cancelling stops at the current one. Reports a failed file and continues with the
 * others.
 */
export async function uploadFiles(
  files: readonly string[],
  services: Services,
  questions: UploadQuestions = uploadQuestions,
): Promise<UploadsEnd> {
  // Without a profile or a key, or files at the service, there is no point in checking files first.
  const { account, connections } = services;
  await connections.client();
  if (account.current.lacks('POST /files', 'GET /files')) throw missingEndpoint('POST /files');
  const profile = services.account.current.profile;
  if (!profile) return { uploaded: [], reused: [] };
  const uploader = new Uploader(services, profile, questions);
  const cancelling = new AbortController();
  const end = { uploaded: [] as Arrived[], reused: [] as Arrived[] };
  const failures: UserError[] = [];
  const work = services.activity.start(l10n.t('Uploading…'));
  try {
    await showUploading(files, cancelling, async (tellOf) => {
      for (const [index, file] of files.entries()) {
        if (cancelling.signal.aborted) break;
        const outcome = await uploader.upload(file, cancelling.signal, tellOf(index)).catch((error: unknown) => {
          if (!isCancellation(error) && !cancelling.signal.aborted) failures.push(namedFailure(file, error));
        });
        if (outcome) await take(outcome, file, end);
      }
    });
  } finally {
    work.dispose();
  }
  for (const failure of failures) void services.report(failure);
  return end;
}

async function take(
  outcome: UploadOutcome,
  file: string,
  end: { readonly uploaded: Arrived[]; readonly reused: Arrived[] },
): Promise<void> {
  if (outcome.kind === 'report') await showReport(outcome.report);
  else if (outcome.kind !== 'left') {
    const { kind, file: remote, requests } = outcome;
    end[kind].push({ path: file, file: remote, requests });
  }
}

function namedFailure(file: string, error: unknown): UserError {
  const { kind, title, detail, actions } = describe(error);
  if (kind === 'user') return error as UserError;
  return new UserError(
    l10n.t("Couldn't upload {0}", foreign(path.basename(file))),
    l10n.t('{0}. {1}', title, detail),
    actions,
  );
}

async function showUploading(
  files: readonly string[],
  cancelling: AbortController,
  work: (tellOf: (index: number) => OnStep) => Promise<void>,
): Promise<void> {
  const [first = ''] = files;
  const title =
    files.length === 1
      ? l10n.t('Uploading {0}', foreign(path.basename(first)))
      : l10n.t('Uploading {0} files', numberText(files.length, vscode.env.language));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await withProgress(shown, async (progress, token) => {
    token.onCancellationRequested(() => cancelling.abort());
    let before = 0;
    await work((index) => (step, done, total) => {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const ofFile = step === 'checking' ? share * checkedShare : checkedShare + share * (1 - checkedShare);
      const percent = Math.floor(((index + ofFile) / files.length) * 100);
      const message = stepWords(step, share, total);
      const name = files.length === 1 ? '' : `${foreign(path.basename(files[index] ?? ''))}: `;
      progress.report({ increment: Math.max(0, percent - before), message: `${name}${message}` });
      before = Math.max(before, percent);
    });
  });
}

function stepWords(step: 'checking' | 'uploading', share: number, total: number): string {
  const percent = Math.floor(share * 100);
  const size = bytesText(total, vscode.env.language);
  return step === 'checking'
    ? l10n.t('checking, {0}% of {1}', percent, size)
    : l10n.t('sending, {0}% of {1}', percent, size);
}

/** Summarises the outcome of an upload of one or more files. */
export function uploadSummary({ uploaded, reused }: UploadsEnd): string {
  const { language } = vscode.env;
  const [only] = uploaded;
  const words: string[] = [];
  if (only && uploaded.length === 1) {
    const { file, requests } = only;
    words.push(
      requests === 1
        ? l10n.t('Uploaded {0}: 1 request.', fileName(file))
        : l10n.t('Uploaded {0}: {1} requests.', fileName(file), numberText(requests, language)),
    );
  } else if (only) words.push(l10n.t('Uploaded {0} files.', numberText(uploaded.length, language)));
  const [known] = reused;
  if (known && reused.length === 1) {
    words.push(l10n.t('{0} already exists at the service.', fileName(known.file)));
  } else if (known) {
    words.push(l10n.t('{0} files already exist at the service.', numberText(reused.length, language)));
  }
  return sentences(...words);
}

/**
 * Returns the files to upload: those passed by a menu or a drop, otherwise the one in the active tab, otherwise those a user picks.
 * `undefined` if they pick none. Throws `UserError` if one is not on disk.
 */
export async function chooseUploads(file: unknown, files: unknown): Promise<readonly string[] | undefined> {
  const handed = Array.isArray(files) && files.length > 0 ? files : [file];
  const uris = handed.filter((one) => one instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : (activeFile() ?? (await ask()));
  return chosen && pathsOf(chosen);
}

/** Returns each path once. Throws `UserError` if one is not on disk. */
export function pathsOf(uris: readonly vscode.Uri[]): readonly string[] {
  const elsewhere = uris.find(({ scheme }) => scheme !== 'file');
  if (elsewhere) {
    throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save {0} on this machine first.', elsewhere.path));
  }
  return [...new Set(uris.map(({ fsPath }) => fsPath))];
}

/** Also works for a tab whose file VS Code doesn't open. */
function activeFile(): readonly vscode.Uri[] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri?.scheme === 'file' && uri.path.endsWith('.jsonl') ? [uri] : undefined;
}

async function ask(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    canSelectMany: true,
    title: l10n.t('Upload Batch File'),
    openLabel: l10n.t('Upload'),
    filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
  });
}

type UploadOutcome =
  | { readonly kind: 'uploaded' | 'reused'; readonly file: RemoteFile; readonly requests: number }
  /** The user canceled. */
  | { readonly kind: 'left' }
  /** The user chose to read the report of its errors. */
  | { readonly kind: 'report'; readonly report: string };

/** One request shows whether the service has a file. No vendor states a maximum, and a longer list costs nothing. */
const listLimit = 1000;

type OnStep = (step: 'checking' | 'uploading', done: number, total: number) => void;

/** Uploads files of this machine to the account of a profile. */
export class Uploader {
  constructor(
    private readonly services: Services,
    private readonly profile: Profile,
    private readonly questions: UploadQuestions,
  ) {}

  /**
   * Checks a file, asks the necessary questions and uploads it. Rejects with `UserError` if the file is unfit or changed in the
   * meantime, with `ApiError`, and with the signal's reason when canceled. Never retries an upload automatically.
   */
  async upload(file: string, signal: AbortSignal, onStep: OnStep): Promise<UploadOutcome> {
    const { services, profile, questions } = this;
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
    const known = await this.findUploaded(check, listed);
    if (known) {
      const answer = await questions.reuse(file, known.file, known.sameContent);
      if (answer === 'reuse') return { kind: 'reused', file: known.file, requests };
      if (answer !== 'upload') return { kind: 'left' };
    }
    signal.throwIfAborted();
    if ((await stampOf(file)) !== check.stamp) throw changedMeanwhile(file);
    const sent = await client.files
      .upload({ path: file, onProgress: (done, total) => onStep('uploading', done, total) }, signal)
      .catch(async (error: unknown) => {
        if (signal.aborted || !mayHaveArrived(error)) throw error;
        // The response is lost, and the list shows whether the file arrived.
        const now = await client.files.list({ limit: listLimit }, signal).catch(() => []);
        const arrived = arrivedFile(check, listed, now);
        if (!arrived) throw error;
        return arrived;
      });
    await this.remember(check, sent);
    return { kind: 'uploaded', file: sent, requests };
  }

  /** Returns what the service already has of it: a file with certainly the same content, otherwise a listed one that looks the same. */
  private async findUploaded(
    { file, bytes, requests, sha256 }: FileCheck,
    listed: readonly RemoteFile[],
  ): Promise<{ readonly file: RemoteFile; readonly sameContent: boolean } | undefined> {
    const { id: profileId, baseUrl } = this.profile;
    const { uploads } = this.services;
    const remembered =
      sha256 === undefined ? undefined : await (await uploads()).byContent({ profileId, baseUrl }, sha256);
    const same = listed.find(({ id }) => id === remembered?.fileId);
    if (same) return { file: same, sameContent: true };
    const alike = listed.find(
      (other) =>
        other.filename === path.basename(file) && other.bytes === bytes && (other.lineCount ?? requests) === requests,
    );
    return alike && { file: alike, sameContent: false };
  }

  /** Failing to save, for example on a full disk, must not fail the upload: it only costs the next offer to reuse the file. */
  private async remember({ file, bytes, sha256 }: FileCheck, { id }: RemoteFile): Promise<void> {
    if (sha256 === undefined) return;
    const { profile, services } = this;
    const upload = { fileId: id, path: file, sha256, bytes, uploadedAt: Date.now() };
    await services
      .uploads()
      .then((uploads) => uploads.remember({ profileId: profile.id, baseUrl: profile.baseUrl }, upload))
      .catch((error: unknown) => services.log.warn(String(error)));
  }
}

/** Returns the file that is listed now and was not before, if it is the only one that may be this file. */
function arrivedFile(
  { file, bytes }: FileCheck,
  before: readonly RemoteFile[],
  now: readonly RemoteFile[],
): RemoteFile | undefined {
  const known = new Set(before.map(({ id }) => id));
  const [arrived, another] = now.filter(
    (other) => !known.has(other.id) && other.filename === path.basename(file) && other.bytes === bytes,
  );
  return another ? undefined : arrived;
}

/** Resolves to false if the user canceled. */
async function settleEdits(file: string, questions: UploadQuestions): Promise<boolean> {
  const edited = vscode.workspace.textDocuments.find(({ isDirty, uri }) => isDirty && uri.fsPath === file);
  if (!edited) return true;
  const answer = await questions.unsaved(file);
  return answer === 'save' ? edited.save() : answer === 'upload';
}

/** Throws `UserError` if the file cannot be sent: missing, a folder, empty, unreadable, or in an untrusted workspace. */
async function refuseUnfit(file: string): Promise<void> {
  const isOfWorkspace = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
  if (isOfWorkspace && !vscode.workspace.isTrusted) {
    throw notUploaded(file, l10n.t('Trust this workspace first.'));
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw notUploaded(file, reasonText(error));
  });
  if (found.isDirectory()) {
    throw notUploaded(file, l10n.t('This is a folder. Choose the files in it.'));
  }
  if (!found.isFile()) throw notUploaded(file, l10n.t("This isn't a file."));
  if (found.size === 0) {
    throw notUploaded(file, l10n.t('The file is empty. Add one request per line.'));
  }
}

function notUploaded(file: string, why: string): UserError {
  return new UserError(l10n.t("Couldn't upload {0}", foreign(path.basename(file))), why);
}

function changedMeanwhile(file: string): UserError {
  return notUploaded(file, l10n.t('The file changed during the upload. Upload it again.'));
}

/** The user's confirmations before an upload. `undefined` means that they canceled. */
export interface UploadQuestions {
  /** Called if the file has errors. */
  upload(check: FileCheck): Promise<'upload' | 'report' | undefined>;
  /** Called if the service already has the file. `sameContent` if that is certain. */
  reuse(file: string, known: RemoteFile, sameContent: boolean): Promise<'reuse' | 'upload' | undefined>;
  /** Called if the file is open with unsaved edits. */
  unsaved(file: string): Promise<'save' | 'upload' | undefined>;
}

/** How many problems a question lists; the report has them all. */
const mostNamed = 5;

const uploadQuestions: UploadQuestions = {
  async upload({ file, counts, problems }) {
    const title = l10n.t('{0} has {1}', foreign(path.basename(file)), countWords(counts) ?? l10n.t('errors'));
    const named = problems.filter(({ severity }) => severity === 'error').slice(0, mostNamed);
    const lines = named.map(({ line, message }) => l10n.t('Line {0}: {1}', line + 1, message));
    const others = counts.error - named.length;
    if (others > 0) lines.push(l10n.t('and {0} more', others));
    const detail = [...lines, '', l10n.t('The service might reject the file.')];
    const upload = l10n.t('Upload Anyway');
    const show = l10n.t('Show Report');
    const chosen = await showMessage('warning', title, { modal: true, detail: detail.join('\n') }, show, upload);
    return chosen === upload ? 'upload' : chosen === show ? 'report' : undefined;
  },
  async reuse(file, known, sameContent) {
    const name = path.basename(file);
    const title = sameContent
      ? l10n.t('The content of {0} is already uploaded', foreign(name))
      : l10n.t('{0} might already be uploaded', foreign(name));
    const age =
      known.createdAt === undefined
        ? l10n.t('at an unknown time')
        : ageWords(known.createdAt * 1000, Date.now(), vscode.env.language);
    const detail = sameContent
      ? l10n.t('The service already has this file as {0}, uploaded {1}.', fileName(known), age)
      : l10n.t('The service has a file with the same name, size, and number of lines, uploaded {0}.', age);
    const reuse = l10n.t('Use Uploaded File');
    const upload = l10n.t('Upload Again');
    const chosen = await showMessage('information', title, { modal: true, detail }, reuse, upload);
    return chosen === reuse ? 'reuse' : chosen === upload ? 'upload' : undefined;
  },
  async unsaved(file) {
    const title = l10n.t('{0} has unsaved changes', foreign(path.basename(file)));
    const detail = l10n.t('Only saved changes are uploaded.');
    const save = l10n.t('Save and Upload');
    const upload = l10n.t('Upload Saved Version');
    const chosen = await showMessage('warning', title, { modal: true, detail }, save, upload);
    return chosen === save ? 'save' : chosen === upload ? 'upload' : undefined;
  },
};
