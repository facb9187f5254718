import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { Batch, BatchFault } from '../../core/api/batches/batches.schema';
import { foreign } from '../../core/text/foreignText';
import { isAwaited } from '../../core/jobs/batch/batchJob';
import type { SubmissionSource } from './batches';
import { numberText } from '../../platform/displayText';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import type { BatchError, JobError } from '../../core/jobs/job';
import { causeText as cause, signedOutText } from '../jobs/jobs';
import { sentence } from '../../protocol/sentences';
import { UserError } from '../../platform/errors/userError';

const longestFault = 500;

/** Localizes a known status; returns any other unchanged. */
export function statusText(status: string): string {
  switch (status) {
    case 'validating':
      return l10n.t('validating');
    case 'in_queue':
      return l10n.t('queued');
    case 'in_progress':
      return l10n.t('in progress');
    case 'finalizing':
      return l10n.t('finalizing');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'expired':
      return l10n.t('expired');
    case 'cancelling':
      return l10n.t('canceling');
    case 'cancelled':
      return l10n.t('canceled');
    default:
      return status;
  }
}

/** Formats an error reported by the service, with its code and line if the service sends them. */
export function faultText({ message, code, line }: BatchFault, language: string): string {
  const fault = [code, message].flatMap((text) => (text ? [foreign(text, longestFault)] : [])).join(' · ');
  return line === undefined ? fault : l10n.t('Line {0}: {1}', numberText(line, language), fault);
}

/** Returns how many of its requests are done, or `undefined` if the service does not report it. */
export function progressText({ requestCounts }: Batch, language: string): string | undefined {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || completed === undefined) return undefined;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

/** Returns how many requests of a run are being retried, or `undefined` if none. `total`: number in the run, if known. */
export function retryingWords(retries: readonly SubmissionSource[], total: number | undefined): string | undefined {
  const awaited = retries.filter(isAwaited);
  if (awaited.length === 0) return undefined;
  const count = awaited.reduce((sum, { job }) => sum + (job?.input?.requests ?? 0), 0);
  const { language } = env;
  return total === undefined
    ? l10n.t('Retrying requests: {0}', numberText(count, language))
    : l10n.t('Retrying requests: {0} of {1}', numberText(count, language), numberText(total, language));
}

/** Returns which part of its input a job is at, or `undefined` if it is not submitted in parts. */
export function partText({ parts, part = 0 }: BatchJob): string | undefined {
  if (!parts) return undefined;
  return l10n.t('{0} of {1}', numberText(part + 1, env.language), numberText(parts.length, env.language));
}

/** Returns the user's name for a batch. */
export function jobName({ options, batch, input, id }: BatchJob): string {
  const name = options.metadata?.['name'] || batch?.metadata['name'] || batch?.fileName;
  return name || input?.path.split(/[/\\]/).at(-1) || batch?.id || id;
}

/** Describes a job's error in sentences: what happened, the consequences, what can be done. */
export function jobErrorText(error: JobError): string {
  // A later version may know other kinds.
  return (words as Partial<Record<string, ErrorText>>)[error.kind]?.(error) ?? cause(error);
}

type ErrorText = (error: JobError) => string;

const words: Readonly<Record<BatchError, ErrorText>> = {
  interrupted: () => l10n.t('VS Code closed before submitting. There was no charge. Submit the batch again.'),
  input: (error) => l10n.t("Couldn't use the batch file. {0} There was no charge.", cause(error)),
  upload: (error) => l10n.t('Upload failed. There was no charge. {0}', cause(error)),
  fileRejected: (error) => l10n.t('The service rejected the batch file. {0}', cause(error)),
  fileUnseen: (error) =>
    l10n.t("The service can't access the uploaded file yet. Try again in a minute. {0}", cause(error)),
  refused: (error) => l10n.t("The batch wasn't created. {0}", cause(error)),
  answerLost: () =>
    l10n.t(
      "The service didn't respond, so the batch may or may not exist. Inference Desk looks for it and won't submit it again.",
    ),
  overQueue: (error) =>
    l10n.t(
      'Queued-token limit reached. Inference Desk will resubmit this batch automatically. {0}',
      foreign(error.message, longestFault),
    ),
  spendingCap: ({ message, isFinal }) =>
    isFinal
      ? l10n.t("The batch wasn't created. {0}", sentence(message))
      : l10n.t('The remaining parts will be submitted when your spending cap allows it. {0}', message),
  unconfirmed: () =>
    l10n.t(
      "The service didn't respond, but a batch with the same number of requests is in progress. The results will show whether it's this batch.",
    ),
  startedTwice: ({ message }) => l10n.t("This batch exists more than once: {0}. Cancel those you don't need.", message),
  ask: (error) => cause(error),
  gone: (error) => l10n.t("The service couldn't find this batch. {0}", cause(error)),
  profileGone: () => l10n.t('To resume tracking, add the account again.'),
  signedOut: signedOutText,
  addressChanged: ({ message }) =>
    l10n.t("The account's base URL has changed. To resume tracking, restore this URL: {0}", message),
  noResults: () => l10n.t('The batch ended without a result file. Check again later.'),
  resultMissing: (error) => l10n.t("The service couldn't find a result file. {0}", cause(error)),
  resultsRefused: (error) => l10n.t('The service returned an error. {0}', cause(error)),
  notResults: (error) => l10n.t("The file doesn't contain batch results. {0}", cause(error)),
  cutShort: (error) => l10n.t('Some results are missing. The results received so far are saved. {0}', cause(error)),
  savedElsewhere: (error) =>
    l10n.t("The folder isn't writable, so results are in the extension's storage. {0}", cause(error)),
  disk: (error) => l10n.t("The results couldn't be saved. {0}", cause(error)),
  notOffered: () => l10n.t("Download result files from the service's console."),
  fetch: (error) => l10n.t("The results couldn't be downloaded. {0}", cause(error)),
};

/** The error for a job that was held by another window or task longer than the maximum wait. */
export function busyError(): UserError {
  return new UserError(l10n.t('The batch is in use by another window or task'), l10n.t('Try again in a moment.'));
}

/** Explains why a request does not apply to a job. */
export function requestProblemError(kind: RequestProblemKind): UserError {
  switch (kind) {
    case 'noSuchJob':
      return new UserError(l10n.t('This batch is no longer tracked here'), l10n.t('The record has been removed.'));
    case 'notRunning':
      return new UserError(l10n.t("The batch isn't running"), l10n.t("The batch hasn't started, or has ended."));
    case 'notRefused':
      return new UserError(l10n.t('The batch already exists'), l10n.t("Inference Desk won't submit it again."));
    case 'maybeRunning':
      return new UserError(
        l10n.t('This batch might be in progress'),
        l10n.t('Wait for that batch to end, or cancel it first.'),
      );
    case 'takenOver':
      return new UserError(
        l10n.t('Another window has taken over this batch'),
        l10n.t('No request was sent from this window. Check the Batches view before you retry.'),
      );
    case 'inputChanged':
      return new UserError(l10n.t('The batch file has changed'), l10n.t("The file wasn't sent. Review it again."));
  }
}
