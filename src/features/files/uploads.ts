import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { missingEndpoint } from '../../core/api/errors';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { showReport } from '../../services/batchFiles/checkFiles';
import { bytesText, numberText } from '../../platform/displayText';
import { isCancellation } from '../../platform/errors/report';
import { describe } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { Uploader, uploadQuestions, type OnStep, type UploadOutcome, type UploadQuestions } from './uploadFile';
import { withProgress } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { fileName } from './fileItem';
import { sentences } from '../../protocol/sentences';

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
 * Returns the files to upload: those passed by a menu or a drop, otherwise the one in the active tab, otherwise those a person picks.
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

/** Also works for a tab whose file the editor refuses to open. */
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
