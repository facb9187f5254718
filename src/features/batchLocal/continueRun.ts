import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { sentences } from '../../protocol/sentences';
import { sampleBatchFile } from '../../core/batch/job/estimateFileTokens';
import { priceLine } from '../../services/usage/costMessages';
import { hasPrices } from '../../core/profiles/knownServices';
import { findResults } from '../../core/batch/local/resultFiles';
import { retriesOf } from '../../core/batch/results/retries';
import { listRunFolders, readRunFolder } from '../../core/batch/results/runFolder';
import type { RunFolder } from '../../core/batch/results/runFolder';
import { isSameService } from '../../core/jobs/sameService';
import { ageWords } from '../../platform/age';
import { runCommand } from '../../platform/contributions';
import { numberText } from '../../platform/displayText';
import { step } from '../../platform/errors/errorActions';
import type { Profile } from '../../services/account/account';
import { askPick } from '../../platform/quickInput';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { countWords } from './localRunWords';
import { inputOf } from './logic/localFolder';
import type { UnfinishedRun, UnfinishedRuns } from './logic/unfinishedRuns';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Asks which unfinished run to continue. Throws `UserError` if there is none. */
export async function chooseRun(root: string, isHeld: (folder: string) => boolean): Promise<string | undefined> {
  const runs = await listRunFolders(root);
  const all = (await Promise.all(runs.map(async (run) => [run, ...(await retriesOf(run, []))]))).flat();
  const stopped = all.filter(({ run, path: folder }) => run.kind === 'local' && !run.ended && !isHeld(folder));
  if (stopped.length === 0) {
    throw new UserError(l10n.t('No runs to resume'), l10n.t('All runs are complete.'));
  }
  const items = await Promise.all(
    stopped.map(async (folder) => ({
      label: nameOf(folder),
      description: ageWords(folder.run.createdAt, Date.now(), vscode.env.language),
      detail: countWords(await countsOf(folder)),
      value: folder.path,
    })),
  );
  const title = l10n.t('Resume Run');
  const placeholder = l10n.t('Select a run to resume');
  const result = await askPick({ title, placeholder, items, canGoBack: false, canFilter: true });
  return result.kind === 'value' ? result.value : undefined;
}

/** Returns the profile that started a run. Throws `UserError` if it is missing or has another service's URL now. */
export function profileOf({ run }: RunFolder, { profiles }: Services): Profile {
  const profile = profiles.get(run.profileId ?? '');
  if (profile && isSameService(profile.baseUrl, run.baseUrl ?? '')) return profile;
  throw new UserError(
    l10n.t("This run's account no longer exists"),
    l10n.t('Sign in to an account at {0}, or start a new run.', run.baseUrl ?? '?'),
    [step('profilesSetting')],
  );
}

/**
 * Shows what is done and what is left. Resolves to the id of the profile to continue with, or `undefined` if the user declines.
 * Throws `UserError` if the profile is not the same as before.
 */
export async function confirmGoOn(folder: RunFolder, services: Services): Promise<string | undefined> {
  const profile = profileOf(folder, services);
  const { answered, incomplete, failed, unanswered, requests } = await countsOf(folder);
  const remaining = requests - answered - failed;
  const price = await remainingPrice(folder, { remaining, profile, services });
  const lines = [
    countWords({ requests, answered, incomplete, failed }),
    l10n.t('{0} remaining', numberText(remaining, vscode.env.language)),
    ...(price === undefined ? [] : [price]),
    l10n.t('Account: {0}', foreign(profile.name)),
    ...(unanswered > 0 ? ['', unansweredWords(unanswered, hasPrices(profile.baseUrl))] : []),
  ];
  const go = l10n.t('Resume');
  const message = l10n.t('Resume the run of {0}?', foreign(nameOf(folder)));
  const shown = { modal: true, detail: lines.join('\n') };
  return (await showMessage('information', message, shown, go)) === go ? profile.id : undefined;
}

/** Resolves to the price of the remaining requests as text, or `undefined` if the service has no prices. */
async function remainingPrice(
  folder: RunFolder,
  {
    remaining,
    profile,
    services,
  }: { readonly remaining: number; readonly profile: Profile; readonly services: Services },
): Promise<string | undefined> {
  if (!hasPrices(profile.baseUrl)) return undefined;
  const { input, model } = folder.run;
  const sample = await sampleBatchFile(await inputOf(folder)).catch(() => undefined);
  const share = remaining / Math.max(1, input?.requests ?? 1);
  const scaled = (count: number) => Math.ceil(count * share);
  const parts = (sample?.shares ?? []).map((one) => ({
    model: model ?? one.model,
    requests: scaled(one.requests),
    inputTokens: scaled(one.inputTokens),
    outputLimit: one.outputLimit === undefined ? undefined : scaled(one.outputLimit),
  }));
  const prices = await (await services.usage()).readyPrices();
  return priceLine(prices.quote(parts, { purpose: 'batchLines', profileId: profile.id })).text;
}

/** Offers to continue the runs that still exist and have not ended. */
export async function offerRuns(runs: readonly UnfinishedRun[], unfinished: UnfinishedRuns): Promise<void> {
  for (const { folder } of runs) {
    const found = await readRunFolder(folder);
    if (!found || found.run.ended) await unfinished.remove(folder);
    else await offerRun(found, unfinished);
  }
}

async function offerRun(folder: RunFolder, unfinished: UnfinishedRuns): Promise<void> {
  const further = l10n.t('Resume…');
  const results = l10n.t('Open Results');
  const never = l10n.t("Don't Ask Again");
  const counts = await countsOf(folder);
  const buttons = [further, ...(counts.answered + counts.failed > 0 ? [results] : []), never];
  const message = l10n.t("The run of {0} isn't complete. {1}.", foreign(nameOf(folder)), countWords(counts));
  const chosen = await showMessage('information', message, ...buttons);
  if (chosen === further) await runCommand('inferenceDesk.batchFile.resumeLocal', folder.path);
  if (chosen === results) await runCommand('inferenceDesk.batches.openResults', folder.path);
  if (chosen === never) await unfinished.remove(folder.path);
}

async function countsOf({ path: folder, run }: RunFolder) {
  const { answered, incomplete, failed, unanswered } = await findResults(folder, { repair: false });
  return {
    answered,
    incomplete,
    failed,
    unanswered: unanswered.size,
    requests: run.input?.requests ?? answered + failed,
  };
}

function nameOf({ run }: RunFolder): string {
  return run.input ? path.basename(run.input.path) : run.name;
}

function unansweredWords(count: number, isPaid: boolean): string {
  const resent = l10n.t('Unanswered requests that will be resent: {0}.', numberText(count, vscode.env.language));
  return isPaid ? sentences(resent, l10n.t('You may be charged twice for these.')) : resent;
}
