import * as l10n from '@vscode/l10n';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { localFiles } from '../../../core/batch/local/resultFiles';
import { isUnused } from '../../../core/batch/results/retries';
import { createRunFolder, readRunFolder, updateRun } from '../../../core/batch/results/runFolder';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import { digestOf, findSent, sentPathIn } from '../../../core/batch/results/sentLines';
import { exists, reachOf, writeFile } from '../../../core/storage/privateFiles';
import { copyAtomic } from '../../../core/storage/atomicFile';
import type { Reach } from '../../../core/storage/privateFiles';
import { UserError } from '../../../platform/errors/userError';
import type { LocalPlan } from '../localPlan';
import { foreign } from '../../../core/text/foreignText';

/**
 * Creates the folder of a new run under `root`, with a copy of its batch file, which may be edited during the run or long after. A retry
 * reuses the folder with its requests, unless `isTaken` says a batch uses it.
 */
export async function newLocalFolder(
  root: string,
  plan: LocalPlan,
  model: string | undefined,
  { isTaken = () => false, ...reach }: Reach & { readonly isTaken?: (folder: string) => boolean } = {},
): Promise<RunFolder> {
  const { file, profile, retry } = plan;
  const { sha256, bytes, requests, models } = plan.check;
  const [first] = models;
  const run: RunFolder['run'] = {
    kind: 'local',
    name: retry?.of?.name ?? path.basename(file, path.extname(file)),
    createdAt: Date.now(),
    profileId: profile.id,
    baseUrl: profile.baseUrl,
    ...(model !== undefined && { model }),
    ...(retry && { retryOf: retry.retryOf }),
    input: { path: retry?.of?.input ?? file, sha256, bytes, requests, ...(first && { model: first.id }) },
    files: { output: localFiles.output, errors: localFiles.errors },
    ended: false,
  };
  const own = path.dirname(file);
  if (retry?.of && !isTaken(own) && (await isUnused(own))) {
    await fillFolder(own, { file, sha256 }, await reachOf(own));
    return updateRun(own, run);
  }
  const folder = await makeRunFolder(root, run, reach);
  try {
    await fillFolder(folder.path, { file, sha256 }, reach);
    return folder;
  } catch (error) {
    // Nothing was sent yet.
    await rm(folder.path, { recursive: true, force: true });
    throw error;
  }
}

async function fillFolder(
  folder: string,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
  reach: Reach,
): Promise<void> {
  for (const name of [localFiles.output, localFiles.errors]) await writeFile(path.join(folder, name), '', reach);
  const copy = sentPathIn(folder);
  if (copy !== file) await copyAtomic(file, copy, reach);
  if ((await digestOf(copy)) !== sha256) throw changedMeanwhile(file);
}

async function makeRunFolder(root: string, run: RunFolder['run'], reach: Reach): Promise<RunFolder> {
  try {
    return await createRunFolder(root, run, reach);
  } catch (error) {
    const { code = '?' } = error as NodeJS.ErrnoException;
    throw new UserError(
      l10n.t("Couldn't write to the results folder"),
      l10n.t(
        '{0} ({1}). No requests were sent. Choose another folder in inferenceDesk.batch.resultsFolder.',
        root,
        code,
      ),
    );
  }
}

/** Reads a run to be continued. Throws `UserError` if it cannot be. */
export async function readLocalFolder(folder: string): Promise<RunFolder> {
  const found = await readRunFolder(folder);
  if (found?.run.kind === 'local' && !found.isGuessed && found.run.input) return found;
  throw new UserError(l10n.t("Couldn't resume the run"), l10n.t("This folder doesn't contain a run: {0}", folder));
}

/** Returns the path of the batch file as it was when the run began. Throws `UserError` if it no longer exists. */
export async function inputOf({ path: folder, run: { input } }: RunFolder): Promise<string> {
  const copy = await findSent(folder);
  if (copy !== undefined) return copy;
  if (input && (await exists(input.path)) && (await digestOf(input.path)) === input.sha256) return input.path;
  throw new UserError(
    l10n.t("Couldn't find this run's requests"),
    l10n.t('The batch file has changed, and its copy in {0} is missing.', folder),
  );
}

function changedMeanwhile(file: string): UserError {
  return new UserError(
    l10n.t('{0} has changed', foreign(path.basename(file))),
    l10n.t('No requests were sent. If another program is writing to the file, wait until it finishes.'),
  );
}
