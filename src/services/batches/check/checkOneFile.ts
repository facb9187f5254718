import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { listedModels } from '../../../core/batch/fileRules';
import type { CheckedFile } from '../../../core/batch/job/checkJob';
import type { ModelCatalogue } from '../../models/modelCatalogue';
import { UserError } from '../../../platform/errors/userError';
import { checkBatchFiles } from './checkBatchFiles';
import type { CheckRun } from './checkBatchFiles';
import { checkJobOf } from './checkJobOf';
import type { CheckSources } from './checkJobOf';
import { reasonWords } from './checkWords';
import { foreign } from '../../../core/text/foreignText';

/** Maximum number of problems returned, most severe first; the report has all. */
const mostTold = 20;

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
export async function checkOneFile(
  file: string,
  sources: CheckSources & { readonly models: ModelCatalogue },
  run: CheckRun,
): Promise<FileCheck> {
  const { models } = await sources.models.ready();
  const stamp = await stampOf(file);
  const job = await checkJobOf([file], sources, { mostTold, digest: true, models: listedModels(models) });
  const { checked, unchecked } = await checkBatchFiles(job, sources, run);
  const [outcome] = checked;
  if (outcome && stamp !== undefined) return { ...outcome, report: job.report, stamp };
  const [why = { file, code: 'ENOENT', reason: '' }] = unchecked;
  throw new UserError(
    vscode.l10n.t('The file could not be read'),
    vscode.l10n.t('{0}: {1}', foreign(path.basename(file)), reasonWords(why)),
  );
}

/** Returns a stamp that changes whenever the file is written or replaced, or `undefined` if there is no file. */
export async function stampOf(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ size, mtimeMs, ctimeMs, ino }) => `${size} ${mtimeMs} ${ctimeMs} ${ino}`,
    () => undefined,
  );
}
