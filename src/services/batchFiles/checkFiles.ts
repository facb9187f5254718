import { withParts } from '../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../core/profiles/vendorRules';
import * as l10n from '@vscode/l10n';
import type { ListedModels } from '../../core/batch/fileRules';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckJob, CheckedFile, UncheckedFile } from '../../core/batch/job/checkJob';
import { defaultSeverities } from '../../core/batch/problem';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { UserError } from '../../platform/errors/userError';
import { checkInWorker } from '../../core/batch/job/checkInWorker';
import { stat, readdir, rm } from 'node:fs/promises';
import { listedModels } from '../../core/batch/fileRules';
import type { Services } from '../services';
import { reasonWords } from './checkWords';
import { foreign } from '../../core/text/foreignText';
import { makeFolder } from '../../core/storage/privateFiles';
import { bytesText } from '../../platform/displayText';
import { showMessage } from '../../platform/notify';
import { isLocalDesktop } from '../../platform/localDesktop';

/** Creates a job that checks these files with the severities of the active account's service and the user's own; if there are too many reports, the oldest are deleted. */
export async function checkJobOf(
  files: readonly string[],
  { account, context, connections, settings }: Services,
  more: { readonly maxListed: number; readonly digest?: boolean; readonly models: ListedModels | undefined },
): Promise<CheckJob> {
  const folder = path.join(context.globalStorageUri.fsPath, 'batchReports');
  const { models, ...rest } = more;
  const translations = vscode.l10n.bundle;
  const { profile } = account.current;
  if (profile) await connections.learned(profile);
  const rules = withParts(rulesOf(account.current.baseUrl).batch, connections.statedOfBatches());
  return {
    files,
    rules,
    // A file is uploaded under a name that the service accepts.
    severities: { ...defaultSeverities, 'file.name': 'hint', ...rules.severities, ...settings.get('batch.severities') },
    report: await newReportPath(folder, path.basename(files[0] ?? '')),
    ...rest,
    ...(models && { models }),
    ...(translations && { translations }),
  };
}

export interface CheckRun {
  readonly signal: AbortSignal;
  /** In bytes, across all files. */
  readonly onProgress: (bytes: number, total: number) => void;
}

/**
 * Checks files as they are on disk, in a worker. Rejects with the signal's reason if canceled, and with a `UserError` if the check failed
 * or its report could not be written.
 */
export async function checkBatchFiles(
  job: CheckJob,
  { context, log }: Services,
  { signal, onProgress }: CheckRun,
): Promise<{ readonly checked: readonly CheckedFile[]; readonly unchecked: readonly UncheckedFile[] }> {
  const checked: CheckedFile[] = [];
  const unchecked: UncheckedFile[] = [];
  let reportError: string | undefined;
  try {
    await checkInWorker({
      program: context.asAbsolutePath('dist/checkWorker.js'),
      job,
      signal,
      onEvent(news) {
        if (news.kind === 'progress') onProgress(news.bytes, news.total);
        else if (news.kind === 'checked') checked.push(news.outcome);
        else if (news.kind === 'unchecked') unchecked.push(news.outcome);
        else ({ reportError } = news);
      },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    log.error('A batch file check failed.', error);
    throw new UserError(l10n.t('The check failed'), l10n.t("The check didn't finish. {0}", reasonText(error)));
  }
  if (reportError !== undefined) {
    throw new UserError(l10n.t("Couldn't save the check report"), l10n.t('{0} The disk might be full.', reportError));
  }
  return { checked, unchecked };
}

/** Maximum number of problems returned, most severe first; the report has all. */
const maxListed = 20;

/** The result of checking a batch file on disk. */
export interface FileCheck extends CheckedFile {
  /** Path of the report with all problems. Deleted once there are enough newer ones. */
  readonly report: string;
  /** Stamp of the file before it was read: if it has changed, the results are for an older content. See `stampOf`. */
  readonly stamp: string;
}

/**
 * Checks one batch file as it is on disk, including its digest. Rejects as `checkBatchFiles` does, and with a `UserError` if the file
 * cannot be read.
 */
export async function checkOneFile(file: string, services: Services, run: CheckRun): Promise<FileCheck> {
  const { models } = await services.models.ready();
  const stamp = await stampOf(file);
  const job = await checkJobOf([file], services, { maxListed, digest: true, models: listedModels(models) });
  const { checked, unchecked } = await checkBatchFiles(job, services, run);
  const [outcome] = checked;
  if (outcome && stamp !== undefined) return { ...outcome, report: job.report, stamp };
  const [why = { file, code: 'ENOENT', reason: '' }] = unchecked;
  throw new UserError(
    l10n.t("Couldn't read the file"),
    l10n.t('{0}: {1}', foreign(path.basename(file)), reasonWords(why)),
  );
}

/** Returns a stamp that changes whenever the file is written or replaced, or `undefined` if there is no file. */
export async function stampOf(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ size, mtimeMs, ctimeMs, ino }) => `${size} ${mtimeMs} ${ctimeMs} ${ino}`,
    () => undefined,
  );
}

/** Older reports are deleted. */
const mostReports = 20;
/** The editor does not pass larger files to extensions, nor does it highlight them. */
const mostBytesOpened = 50 * 1000 * 1000;

/** Returns a path for a new report in the folder, where only the newest reports are retained. */
export async function newReportPath(folder: string, name: string): Promise<string> {
  await makeFolder(folder);
  const reports = (await readdir(folder)).filter((file) => file.endsWith(ending)).toSorted();
  for (const old of reports.slice(0, Math.max(0, reports.length + 1 - mostReports))) {
    await rm(path.join(folder, old), { force: true });
  }
  // Names sort by time.
  const time = new Date().toISOString().replaceAll(':', '-');
  return path.join(folder, `${time} ${name.slice(0, 80)}${ending}`);
}

const ending = '.problems.txt';

/** Opens a report, or reports its location if it is too large for the editor. */
export async function showReport(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size < mostBytesOpened) {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
    return;
  }
  const action = isLocalDesktop() ? l10n.t('Show in File Manager') : l10n.t('Copy Path');
  const message = l10n.t(
    'The report ({0}) is too large for an editor. Saved as {1}',
    bytesText(size, vscode.env.language),
    file,
  );
  if ((await showMessage('information', message, action)) !== action) return;
  if (isLocalDesktop()) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  else await vscode.env.clipboard.writeText(file);
}
