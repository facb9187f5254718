import path from 'node:path';
import * as vscode from 'vscode';
import type { RemoteFile } from '../../../core/api/files/files.schema';
import { showReport } from '../../../services/batches/check/checkReports';
import { bytesText, numberText } from '../../../platform/displayText';
import { isCancellation } from '../../../platform/errors/report';
import { describe } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { uploadFile } from './uploadFile';
import type { UploadOutcome } from './uploadFile';
import { uploadQuestions } from './uploadQuestions';
import type { UploadQuestions } from './uploadQuestions';
import { withProgress } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

/** The outcome for the requested files. */
export interface UploadsEnd {
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
  // Without a profile or a key there is no point in checking files first.
  await services.connections.client();
  const profile = services.profiles.active;
  if (!profile) return { uploaded: [], reused: [] };
  const cancelling = new AbortController();
  const end = { uploaded: [] as Arrived[], reused: [] as Arrived[] };
  const failures: UserError[] = [];
  const work = services.activity.start(vscode.l10n.t('Uploading'));
  try {
    await showUploading(files, cancelling, async (tellOf) => {
      for (const [index, file] of files.entries()) {
        if (cancelling.signal.aborted) break;
        const options = { profile, questions, signal: cancelling.signal, onStep: tellOf(index) };
        const outcome = await uploadFile(file, services, options).catch((error: unknown) => {
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
    vscode.l10n.t('{0} was not uploaded', foreign(path.basename(file))),
    vscode.l10n.t('{0}. {1}', title, detail),
    actions,
  );
}

type OnStep = (step: 'checking' | 'uploading', done: number, total: number) => void;

async function showUploading(
  files: readonly string[],
  cancelling: AbortController,
  work: (tellOf: (index: number) => OnStep) => Promise<void>,
): Promise<void> {
  const [first = ''] = files;
  const title =
    files.length === 1
      ? vscode.l10n.t('Uploading {0}', foreign(path.basename(first)))
      : vscode.l10n.t('Uploading {0} files', numberText(files.length, vscode.env.language));
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
    ? vscode.l10n.t('checking, {0} % of {1}', percent, size)
    : vscode.l10n.t('sending, {0} % of {1}', percent, size);
}
