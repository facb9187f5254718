import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { makeRetryFolder } from '../../../core/batch/results/retries';
import { retriedStates, unansweredStates } from '../../../core/batch/results/resultsView';
import type { ResultsSummary, RetriedState } from '../../../core/batch/results/resultsView';
import type { CountedChange, RetryAdvice, TruncatedAdvice } from '../../../core/batch/results/retryChanges';
import type { RetryRequest, RetryChanges } from '../../../core/batch/results/writeRetry';
import { isAwaited } from '../../../core/jobs/batch/batchJob';
import { sentPathIn } from '../../../core/batch/results/sentLines';
import { foreign } from '../../../core/text/foreignText';
import { runCommand } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import { showMessage } from '../../../platform/notify';
import { askPick, askText } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { createRetryLineage } from '../../../services/batchFiles/retryLineage';
import { UserError } from '../../../platform/errors/userError';
import { besideOf, chooseTarget, freePath } from '../../../platform/workspace/writeTarget';
import { withWriting } from '../../../platform/workspace/written';
import type { Services } from '../../../services/services';
import type { OpenRun } from '../run/openRuns';
import type { ModelCatalogue } from '../../../services/models/modelCatalogue';

/**
 * Collects requests to retry and opens the page or dialog that confirms the retry and its cost. Stores them in the folder of their
 * run, or where the user chooses if the results belong to no run. Throws localized errors.
 */
export async function retryRun(
  services: Services,
  { run, reading }: OpenRun,
  which: RetryRequest['which'],
): Promise<void> {
  const { batchJobs, context } = services;
  const summary = await reading.load(false, () => undefined);
  const { input, job, folder, name } = run.state;
  if (!summary || input === undefined || summary.input?.problem !== undefined) throw withoutRequests();
  const { open } = summary;
  const has = (state: RetriedState) => open[state] > 0;
  const isNone =
    typeof which === 'object'
      ? !retriedStates.some(has)
      : which === 'unanswered'
        ? !retriedStates.some((state) => unansweredStates.includes(state) && has(state))
        : !has(which);
  if (isNone) throw nothingToRetry(summary, isAwaited(run.state));
  const title = l10n.t('Collecting the requests to retry');
  const advice = await withWriting(title, 1, ({ signal, onProgress }) =>
    reading.call('retryAdvice', { which }, { signal, onChunk: ({ part }) => onProgress(part) }),
  );
  const changes = await askRetryChanges(services.models, advice);
  if (!changes) return;
  const isSent = (made: string) => batchJobs.jobs.some((one) => one.folder === made);
  const target = folder
    ? sentPathIn(await makeRetryFolder(folder.path, isSent))
    : (await chooseTarget(l10n.t('Retry'), await freePath(besideOf(input, 'retry'))))?.target;
  if (target === undefined) return;
  const { sha256, leftOut } = await withWriting(title, 1, ({ signal, onProgress }) =>
    reading.call(
      'retry',
      { which, target, replace: true, ...changes },
      { signal, onChunk: ({ part }) => onProgress(part) },
    ),
  );
  if (folder) {
    const model = job?.options.replace?.model ?? folder.run.model;
    const of = { name, input, requests: summary.requests, ...(model !== undefined && { model }) };
    const retryOf = job?.id ?? folder.run.jobId ?? folder.path;
    await createRetryLineage(context.globalState).remember(target, { retryOf, sha256, of });
  }
  if (leftOut > 0) void showMessage('information', leftOutText(leftOut));
  const isLocal = folder?.run.kind === 'local';
  await runCommand(
    isLocal ? 'inferenceDesk.batchFile.runLocally' : 'inferenceDesk.batches.submit',
    vscode.Uri.file(target),
  );
}

function leftOutText(count: number): string {
  return count === 1
    ? l10n.t("1 line has no unique ID and can't be retried.")
    : l10n.t("{0} lines have no unique ID and can't be retried.", numberText(count, vscode.env.language));
}

function nothingToRetry(
  { retrying, missing, truncated, empty, refused }: ResultsSummary,
  isAwaitedRun: boolean,
): UserError {
  if (isAwaitedRun && missing > retrying) {
    return new UserError(l10n.t('The run is still in progress'), l10n.t('Wait until the run ends.'));
  }
  const isIncomplete = truncated + empty + refused > 0;
  return new UserError(
    l10n.t('No requests to retry'),
    retrying > 0
      ? l10n.t('A retry is still in progress.')
      : isIncomplete
        ? l10n.t('Every request has a response. To retry anyway, open the results.')
        : l10n.t('Every request has a response.'),
  );
}

function withoutRequests(): UserError {
  return new UserError(l10n.t('Requests not found'), l10n.t('Link the batch file, then retry.'), [
    { id: 'findInput', label: l10n.t('Find Input File…') },
  ]);
}

const mostTokens = 10_000_000;
const mostNamed = 5;

/** Asks how to change requests that would end as before. Returns `undefined` if the user cancels. */
export async function askRetryChanges(models: ModelCatalogue, advice: RetryAdvice): Promise<RetryChanges | undefined> {
  if (advice.truncated) {
    const answer = await askAnswerTokens(models, advice.truncated, {
      title: l10n.t('Retry'),
      raise: (tokens) => l10n.t('Retry with Up to {0} Tokens', number(tokens)),
      keep: l10n.t('Retry Without Changes'),
    });
    return answer === undefined ? undefined : answer === 'unchanged' ? {} : { answerTokens: answer };
  }
  return advice.rejected > 0 ? askChanges(advice) : {};
}

async function askChanges({ rejected, rejection, changes }: RetryAdvice): Promise<RetryChanges | undefined> {
  const apply: PickItem<RetryChanges> = {
    label: l10n.t('Change Requests and Retry'),
    detail: changes.slice(0, mostNamed).map(changeText).join(' · '),
    value: { applyChanges: true },
  };
  const unchanged = { label: l10n.t('Retry Without Changes'), detail: foreign(rejection?.message ?? ''), value: {} };
  const answer = await askPick<RetryChanges>({
    title: l10n.t('Retry'),
    placeholder:
      rejected === 1
        ? l10n.t('Without changes, 1 request will be rejected again.')
        : l10n.t('Without changes, {0} requests will be rejected again.', number(rejected)),
    canGoBack: false,
    items: [...(changes.length > 0 ? [apply] : []), unchanged],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function changeText(change: CountedChange): string {
  const name = foreign(change.name);
  const count = number(change.count);
  switch (change.kind) {
    case 'set': {
      const { least, most } = change;
      const value = least === most ? number(most) : `${number(least)}–${number(most)}`;
      return l10n.t('Set {0} to {1} ({2}×)', name, value, count);
    }
    case 'rename':
      return l10n.t('Rename {0} to {1} ({2}×)', name, foreign(change.to), count);
    case 'remove':
      return l10n.t('Remove {0} ({1}×)', name, count);
  }
}

/** The most tokens of a response that all models have room for after the longest prompt; `undefined` if that is unknown. */
function mostOf(models: ModelCatalogue, { models: ids, input }: TruncatedAdvice): number | undefined {
  const limits = models.state.models
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ maxOutputTokens, contextLength }) => [
      ...(maxOutputTokens === undefined ? [] : [maxOutputTokens]),
      ...(contextLength === undefined ? [] : [contextLength - input]),
    ]);
  return limits.length === 0 ? undefined : limits.reduce((least, limit) => Math.min(least, limit));
}

type Limit = number | 'other' | 'unchanged';

/** How the choice of a limit is worded. */
interface LimitTexts {
  readonly title: string;
  readonly raise: (tokens: number) => string;
  readonly keep: string;
}

/** Asks for the limit of responses that a limit truncated. Returns `undefined` if the user cancels. */
export async function askAnswerTokens(
  models: ModelCatalogue,
  advice: TruncatedAdvice,
  { title, raise, keep }: LimitTexts,
): Promise<number | 'unchanged' | undefined> {
  const { limit, output } = advice;
  const most = mostOf(models, advice);
  const before = Math.max(limit ?? 0, output);
  // A response can end a few tokens short of the limit.
  const isAtLimit = most !== undefined && before >= most - 8;
  const proposed = Math.min(Math.max(before * 2, 1024), most ?? Infinity);
  const items: PickItem<Limit>[] = [
    ...(isAtLimit
      ? []
      : [
          {
            label: raise(proposed),
            ...(proposed === most && { detail: l10n.t("This is the model's limit.") }),
            value: proposed,
          },
        ]),
    { label: l10n.t('Set Another Limit…'), value: 'other' },
    { label: keep, value: 'unchanged' },
  ];
  const placeholder = isAtLimit
    ? l10n.t("Model's token limit: {0}. Shorten the prompts, or use another model.", number(most))
    : limit === undefined
      ? l10n.t('Longest response in tokens: {0}. Select a new limit.', number(output))
      : l10n.t('Token limit reached: {0}. Select a new limit.', number(limit));
  for (;;) {
    const answer = await askPick<Limit>({ title, placeholder, canGoBack: false, items });
    if (answer.kind !== 'value') return undefined;
    if (answer.value !== 'other') return answer.value;
    const typed = await askText({
      title,
      prompt: l10n.t('Maximum number of tokens in a response'),
      value: String(proposed),
      canGoBack: true,
      check: (value) =>
        /^[1-9]\d*$/.test(value.trim()) && Number(value) <= mostTokens
          ? undefined
          : l10n.t('Enter a whole number up to {0}.', number(mostTokens)),
    });
    if (typed.kind === 'value') return Number(typed.value);
    if (typed.kind === 'cancelled') return undefined;
  }
}

const number = (value: number): string => numberText(value, vscode.env.language);
