import type { ListedModels } from '../../../core/batch/fileRules';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckJob } from '../../../core/batch/job/checkJob';
import { defaultSeverities } from '../../../core/batch/problem';
import type { Settings } from '../../../platform/settings';
import { newReportPath } from './checkReports';

/** What every check of files on disk needs. */
export interface CheckSources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly log: vscode.LogOutputChannel;
}

/** Creates a job that checks these files with the user's severities; if there are too many reports, the oldest are deleted. */
export async function checkJobOf(
  files: readonly string[],
  { context, settings }: CheckSources,
  more: Pick<CheckJob, 'mostTold' | 'digest'> & { readonly models: ListedModels | undefined },
): Promise<CheckJob> {
  const folder = path.join(context.globalStorageUri.fsPath, 'batchReports');
  const { models, ...rest } = more;
  const translations = vscode.l10n.bundle;
  return {
    files,
    severities: { ...defaultSeverities, ...settings.get('batch.severities') },
    report: await newReportPath(folder, path.basename(files[0] ?? '')),
    ...rest,
    ...(models && { models }),
    ...(translations && { translations }),
  };
}
