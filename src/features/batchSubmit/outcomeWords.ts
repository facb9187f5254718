import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LearnedCost, UnmeasuredCost } from '../../core/account/costs';
import { countsOf } from '../../core/jobs/batch/batchState';
import type { BatchJob } from '../../services/batches/batches';
import { costFacts } from '../../services/usage/costMessages';
import type { Costs } from '../../services/usage/costs';
import { bytesText, numberText, shortened } from '../../platform/displayText';
import { retry, step } from '../../platform/errors/errorActions';
import { jobErrorText, partText, progressText, statusText } from '../../services/batches/batchMessages';
import { jobErrorOnWire } from '../../services/jobs/jobs';
import { describe } from '../../platform/errors/reportError';
import type { SubmitFact, SubmitOutcome, SubmitProgress } from '../../protocol/batchSubmit';
import type { WireAction } from '../../protocol/wire';
import type { SendState, SendStep } from './logic/sending';

/** The current progress; `undefined` if nothing is in progress. */
export function progressOf(state: SendState): SubmitProgress | undefined {
  if (state.kind === 'sending') return stepText(state.at);
  if (state.kind !== 'job' || !['preparing', 'submitting'].includes(state.job.stage)) return undefined;
  return { text: l10n.t('Checking whether this batch exists…'), canStop: false };
}

function stepText({ step, done, total }: SendStep): SubmitProgress {
  const part = done === undefined || !total ? {} : { part: Math.min(1, done / total) };
  const size = total === undefined ? '' : bytesText(total, vscode.env.language);
  const percent = Math.floor((part.part ?? 0) * 100);
  switch (step) {
    case 'reading':
      return { text: l10n.t('Loading file…'), ...part, canStop: true };
    case 'uploading':
      return {
        text: size === '' ? l10n.t('Uploading…') : l10n.t('Uploading: {0}% of {1}', percent, size),
        ...part,
        canStop: true,
      };
    case 'waiting':
      return { text: l10n.t('Waiting for the file to be processed…'), canStop: true };
    case 'creating':
      return {
        text: size === '' ? l10n.t('Creating batch…') : l10n.t('Sending: {0}% of {1}', percent, size),
        ...part,
        canStop: false,
      };
  }
}

/** Returns the outcome, or `undefined` if there is none yet. `isConfirming`: the user is being asked whether to create the batch twice. */
export function outcomeOf(state: SendState, isConfirming: boolean, costs: Costs): SubmitOutcome | undefined {
  if (state.kind === 'failed') {
    const { kind, title, detail, actions } = describe(state.error);
    const again = kind === 'notOffered' ? [] : [retry()];
    return { kind: 'failed', title, detail, facts: [], actions: [...actions, ...again] };
  }
  if (state.kind !== 'job') return undefined;
  switch (state.job.stage) {
    case 'preparing':
    case 'submitting':
      return undefined;
    case 'refused':
      return refusedOutcome(state.job);
    case 'unknown':
      return unknownOutcome(isConfirming, state.job);
    case 'queued':
    case 'running':
    case 'fetching':
    case 'ended':
      return createdOutcome(state.job, costs.of(state.job.id));
  }
}

function refusedOutcome({ lastError, inputFileId }: BatchJob): SubmitOutcome {
  const error = lastError && jobErrorOnWire(lastError);
  const steps = error?.actions.filter(({ id }) => id !== 'retry') ?? [];
  const isOffered = error?.kind !== 'notOffered';
  const savedText =
    inputFileId === undefined || !isOffered
      ? l10n.t("The batch wasn't submitted. There was no charge.")
      : l10n.t("The batch wasn't submitted. A retry reuses the uploaded file.");
  return {
    kind: 'failed',
    title: error?.title ?? l10n.t("Couldn't create the batch"),
    // Without a failed API call, the error's message says everything.
    detail: error ? `${savedText}\n${error.detail}` : lastError ? jobErrorText(lastError) : savedText,
    facts: [],
    actions: isOffered ? [retry(), ...steps] : steps,
  };
}

function unknownOutcome(isConfirming: boolean, { lastError }: BatchJob): SubmitOutcome {
  if (lastError?.kind === 'unconfirmed') {
    return {
      kind: 'unknown',
      title: l10n.t('This batch might be in progress'),
      detail: jobErrorText(lastError),
      facts: [],
      actions: [{ id: 'lookNow', label: l10n.t('Refresh Status') }],
    };
  }
  if (isConfirming) {
    return {
      kind: 'unknown',
      title: l10n.t('Create the batch again?'),
      detail: l10n.t("If the batch exists but the service doesn't list it, you'll be charged twice."),
      facts: [],
      actions: [
        { id: 'createAgain', label: l10n.t('Create Again') },
        { id: 'keepLooking', label: l10n.t('Keep Looking') },
      ],
    };
  }
  return {
    kind: 'unknown',
    title: l10n.t('The batch may or may not exist'),
    detail: l10n.t("The service didn't respond. Inference Desk looks for the batch and won't submit it again."),
    facts: [],
    actions: [
      { id: 'lookNow', label: l10n.t('Refresh Status') },
      { id: 'askCreateAgain', label: l10n.t('Create Again…') },
    ],
  };
}

function createdOutcome(job: BatchJob, cost: LearnedCost | UnmeasuredCost | undefined): SubmitOutcome {
  const { batch, stage } = job;
  const isOver = stage === 'ended';
  const results = resultsStep(job);
  return {
    kind: 'created',
    title: isOver ? l10n.t('The batch has ended') : l10n.t('Batch submitted'),
    detail: !isOver
      ? l10n.t("You'll be notified when the batch ends.")
      : results.length > 0
        ? l10n.t('Open the results for details.')
        : l10n.t('The batch has no result file.'),
    ...(isOver && !isWhole(job) && { isPartial: true }),
    facts: [
      ...createdFacts(job),
      ...costFacts(cost).map(({ name, value, hint }) => ({ label: name, value, title: hint })),
    ],
    actions: [
      ...results,
      ...(stage === 'queued' && job.lastError?.kind === 'spendingCap' ? [step('spendingSetting')] : []),
      { id: 'showBatches', label: l10n.t('Show in Batches') },
      ...(canSubmitAgain(job) ? [{ id: 'submitAgain', label: l10n.t('Submit Again…') }] : []),
      ...(batch ? [{ id: 'copyId', label: l10n.t('Copy ID') }] : []),
    ],
  };
}

/** Whether its batch exists, and the same source can be submitted as another one: a retry has its own folder, for its results alone. */
export function canSubmitAgain({ stage, retryOf }: BatchJob): boolean {
  return ['queued', 'running', 'fetching', 'ended'].includes(stage) && retryOf === undefined;
}

function createdFacts(job: BatchJob): readonly SubmitFact[] {
  const { batch, options, input, lastError } = job;
  const part = partText(job);
  const { language } = vscode.env;
  const requests = batch?.requestCounts?.total ?? input?.requests;
  const counts =
    (batch && progressText(batch, language)) ?? (requests === undefined ? undefined : numberText(requests, language));
  const model = options.replace?.model;
  return [
    ...(batch ? [{ label: l10n.t('Batch'), value: shortened(batch.id), title: batch.id }] : []),
    ...(batch ? [{ label: l10n.t('Status'), value: statusText(batch.status) }] : []),
    ...(counts === undefined ? [] : [{ label: l10n.t('Requests'), value: counts }]),
    ...(part === undefined
      ? []
      : [{ label: l10n.t('Part'), value: part, note: l10n.t('Parts are submitted one after another') }]),
    { label: l10n.t('Completion window'), value: windowText(options.completion_window, language) },
    ...(model === undefined ? [] : [{ label: l10n.t('Model for all requests'), value: model }]),
    ...(lastError ? [{ label: l10n.t('Last error'), value: jobErrorText(lastError) }] : []),
  ];
}

/** Batches created by other tools may have any text here. */
function windowText(window: string, language: string): string {
  const hours = /^(\d+)h$/.exec(window)?.[1];
  return hours === undefined ? window : l10n.t('{0} hours', numberText(Number(hours), language));
}

function isWhole(job: BatchJob): boolean {
  const { failed, incomplete } = countsOf(job.fetched);
  return job.batch?.status === 'completed' && !job.lastError && failed + incomplete === 0;
}

/** An ended batch has results to open if any were downloaded. */
function resultsStep({ stage, fetched, retryOf }: BatchJob): readonly WireAction[] {
  const hasResults = stage === 'ended' && (fetched?.output !== undefined || fetched?.errors !== undefined);
  // The results of the retried run already exist.
  return hasResults || retryOf !== undefined ? [{ id: 'openResults', label: l10n.t('Open Results') }] : [];
}
