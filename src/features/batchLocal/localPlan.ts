import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { sampleBatchFile } from '../../core/batch/job/estimateFileTokens';
import type { FileSample } from '../../core/batch/job/estimateFileTokens';
import { checkOneFile } from '../../services/batchFiles/checkFiles';
import type { FileCheck } from '../../services/batchFiles/checkFiles';
import { createRetryLineage } from '../../services/batchFiles/retryLineage';
import type { Retry } from '../../services/batchFiles/retryLineage';
import { isSignedIn } from '../../services/account/account';
import type { Profile } from '../../services/account/account';
import { runCommand } from '../../platform/contributions';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { withProgress } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** A run as presented to the user for confirmation. */
export interface LocalPlan {
  readonly file: string;
  readonly check: FileCheck & { readonly sha256: string };
  /** Token estimates from its first lines. */
  readonly sample: FileSample;
  readonly profile: Profile;
  /** The run whose unanswered requests these are. */
  readonly retry: Retry | undefined;
}

/** Checks the file and counts its contents, with progress. Returns `undefined` if the user cancels. Throws if there is nothing to run. */
export async function planRun(file: string, services: Services): Promise<LocalPlan | undefined> {
  const profile = await signedInProfile(services);
  if (!profile) return undefined;
  const check = await checkWithProgress(file, services);
  if (!check) return undefined;
  const { sha256, requests, changed } = check;
  const retry = createRetryLineage(services.context.globalState).of(file);
  const name = retry?.of?.name ?? path.basename(file);
  if (changed) {
    throw new UserError(
      l10n.t('{0} has changed', foreign(name)),
      l10n.t('No requests were sent. If another program is writing to the file, wait until it finishes.'),
    );
  }
  if (sha256 === undefined || requests === 0) {
    throw new UserError(
      l10n.t('No valid requests in {0}', foreign(name)),
      l10n.t('A batch file has one JSON request per line.'),
    );
  }
  return { file, check: { ...check, sha256 }, sample: await sampleBatchFile(file), profile, retry };
}

async function signedInProfile({ account, profiles }: Services): Promise<Profile | undefined> {
  if (!(await isSignedIn(profiles))) await runCommand('inferenceDesk.signIn');
  return (await isSignedIn(profiles)) ? account.current.profile : undefined;
}

async function checkWithProgress(file: string, services: Services): Promise<FileCheck | undefined> {
  const cancelling = new AbortController();
  const title = l10n.t('Checking {0}', foreign(path.basename(file)));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return withProgress(shown, async (progress, token) => {
    token.onCancellationRequested(() => cancelling.abort());
    let before = 0;
    const onProgress = (bytes: number, total: number) => {
      const percent = Math.min(100, Math.floor((bytes / total) * 100));
      progress.report({ increment: percent - before });
      before = percent;
    };
    try {
      return await checkOneFile(file, services, { signal: cancelling.signal, onProgress });
    } catch (error) {
      if (cancelling.signal.aborted) return undefined;
      throw error;
    }
  });
}
