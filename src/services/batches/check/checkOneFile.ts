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

/** So many of the weightiest problems are told; the report has all. */
const mostTold = 20;

/** What a batch file on disk is. */
export interface FileCheck extends CheckedFile {
  /** Where every problem is written. It is removed when there are enough newer ones. */
  readonly report: string;
  /** Of the file before it was read: with another one now, what was found is of another file. See `stampOf`. */
  readonly stamp: string;
}

/**
 * Checks one batch file as it is on disk, with its digest. Rejects as `checkBatchFiles` does, and with words for the
 * person where the file cannot be read.
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

/** Changes whenever the file is written to or replaced. `undefined`: there is none. */
export async function stampOf(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ size, mtimeMs, ctimeMs, ino }) => `${size} ${mtimeMs} ${ctimeMs} ${ino}`,
    () => undefined,
  );
}
