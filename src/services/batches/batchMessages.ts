import { env, l10n } from 'vscode';
import type { Batch, BatchFault } from '../../core/api/batches/batches.schema';
import { foreign } from '../../core/text/foreignText';
import { isAwaited } from '../../core/jobs/batch/batchJob';
import type { Ordered } from './batches';
import { numberText } from '../../platform/displayText';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import type { BatchError, JobError } from '../../core/jobs/job';
import { causeText as cause } from '../jobs/jobs';
import { sentence } from '../../protocol/sentences';
import { UserError } from '../../platform/errors/userError';

const longestFault = 500;

/** Localizes a known status; returns any other unchanged. */
export function statusText(status: string): string {
  switch (status) {
    case 'validating':
      return l10n.t('being checked');
    case 'in_queue':
      return l10n.t('in queue');
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
      return l10n.t('cancelling');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return status;
  }
}

/** Formats an error reported by the service, with its code and line if the service sends them. */
export function faultText({ message, code, line }: BatchFault, language: string): string {
  const said = [code, message].flatMap((text) => (text ? [foreign(text, longestFault)] : [])).join(' · ');
  return line === undefined ? said : l10n.t('Line {0}: {1}', numberText(line, language), said);
}

/** Returns how many of its requests are done, or `undefined` if the service does not report it. */
export function progressText({ requestCounts }: Batch, language: string): string | undefined {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || completed === undefined) return undefined;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

/** Returns how many requests of a run are being retried, or `undefined` if none. `total`: number in the run, if known. */
export function retryingWords(retries: readonly Ordered[], total: number | undefined): string | undefined {
  const awaited = retries.filter(isAwaited);
  if (awaited.length === 0) return undefined;
  const count = awaited.reduce((sum, { job }) => sum + (job?.input?.requests ?? 0), 0);
  const { language } = env;
  return total === undefined
    ? l10n.t('Retrying {0}', numberText(count, language))
    : l10n.t('Retrying {0} of {1}', numberText(count, language), numberText(total, language));
}

/** Returns which part of its input a job is at, or `undefined` if it is not submitted in parts. */
export function partText({ parts, part = 0 }: BatchJob): string | undefined {
  if (!parts) return undefined;
  return l10n.t('{0} of {1}', numberText(part + 1, env.language), numberText(parts.length, env.language));
}

/** Returns the user's name for a batch. */
export function jobName({ order, batch, input, id }: BatchJob): string {
  const given = order.metadata?.['name'] || batch?.metadata['name'] || batch?.fileName;
  return given || input?.path.split(/[/\\]/).at(-1) || batch?.id || id;
}

/** Describes a job's error in sentences: what happened, the consequences, what can be done. */
export function jobErrorText(trouble: JobError): string {
  // A later version may know other kinds.
  return (words as Partial<Record<string, TroubleWords>>)[trouble.kind]?.(trouble) ?? cause(trouble);
}

type TroubleWords = (trouble: JobError) => string;

const words: Readonly<Record<BatchError, TroubleWords>> = {
  interrupted: () =>
    l10n.t('The editor was closed before the batch was created. Nothing was spent; create it again to go on.'),
  input: (trouble) => l10n.t('The batch file cannot be used: {0} Nothing was spent.', cause(trouble)),
  upload: (trouble) => l10n.t('The file was not uploaded. Nothing was spent. {0}', cause(trouble)),
  fileRejected: (trouble) =>
    l10n.t("The service can't use the uploaded file, so no batch was created. {0}", cause(trouble)),
  fileUnseen: (trouble) =>
    l10n.t(
      "The service doesn't see the uploaded file yet, so no batch was created. Try again in a minute. {0}",
      cause(trouble),
    ),
  refused: (trouble) => l10n.t("The batch wasn't created. {0}", cause(trouble)),
  answerLost: () =>
    l10n.t(
      'It is not known whether the batch was created: the answer of the service did not arrive. It is looked for by its id and never created twice by itself.',
    ),
  overQueue: (trouble) =>
    l10n.t(
      'The service accepts this batch when fewer tokens of your account are waiting. Inference Desk submits it again automatically. {0}',
      foreign(trouble.message, longestFault),
    ),
  spendingCap: ({ message, isFinal }) =>
    isFinal
      ? l10n.t("The batch wasn't created. {0}", sentence(message))
      : l10n.t(
          'The rest of this batch is not submitted yet. Inference Desk submits it once the cap allows it. {0}',
          message,
        ),
  unconfirmed: () =>
    l10n.t(
      "The service didn't respond, but a batch with the same number of requests is in progress. When it ends, its results show whether it's this one. Until then, Inference Desk doesn't submit this one again.",
    ),
  startedTwice: ({ message }) =>
    l10n.t('The service has more than one batch of this order: {0}. Cancel those you do not want.', message),
  ask: (trouble) => cause(trouble),
  gone: (trouble) => l10n.t('The service does not know this batch (any more). {0}', cause(trouble)),
  profileGone: () =>
    l10n.t('The account of this batch was removed. The batch is kept, and followed again when the account is back.'),
  addressChanged: ({ message }) =>
    l10n.t(
      'The account of this batch has another address now. The batch is followed again when the address is back: {0}',
      message,
    ),
  noResults: () => l10n.t('The batch has ended, but the service names no result file. Check it again later.'),
  resultMissing: (trouble) =>
    l10n.t('A result file that the batch names does not exist at the service. {0}', cause(trouble)),
  resultsRefused: (trouble) => l10n.t('The service returned an error instead of the results. {0}', cause(trouble)),
  notResults: (trouble) => l10n.t('What the service gave as results are none. {0}', cause(trouble)),
  cutShort: (trouble) => l10n.t('Not all results came; those that did are kept. {0}', cause(trouble)),
  savedElsewhere: (trouble) =>
    l10n.t(
      'The folder chosen for results could not be written, so that they were saved in the storage of the extension. {0}',
      cause(trouble),
    ),
  disk: (trouble) => l10n.t('The results could not be written to disk. {0}', cause(trouble)),
  notOffered: () => l10n.t('This service does not hand out result files here. Get them from its web console.'),
  fetch: (trouble) => l10n.t('The results could not be fetched. {0}', cause(trouble)),
};

/** The error for a job that was held by another window or task longer than the maximum wait. */
export function busyError(): UserError {
  return new UserError(
    l10n.t('The batch is being worked on'),
    l10n.t('Its results are being fetched, or another window is at it. Try again in a moment.'),
  );
}

/** Explains why a request does not apply to a job. */
export function requestProblemError(kind: RequestProblemKind): UserError {
  switch (kind) {
    case 'noSuchJob':
      return new UserError(l10n.t('The batch is not followed here any more'), l10n.t('Its record was removed.'));
    case 'notRunning':
      return new UserError(l10n.t('The batch does not run'), l10n.t('The service has not begun it, or it has ended.'));
    case 'notRefused':
      return new UserError(l10n.t('The batch was created'), l10n.t('It is not created a second time.'));
    case 'maybeRunning':
      return new UserError(
        l10n.t('A batch that might be this one is in progress'),
        l10n.t("Its results show whether it's the same batch. Wait until it ends, or cancel it first."),
      );
    case 'takenOver':
      return new UserError(
        l10n.t('Another window went on with this batch'),
        l10n.t('Nothing was sent from here. Look at the batch in the list before you create it again.'),
      );
    case 'inputChanged':
      return new UserError(
        l10n.t('The batch file was changed'),
        l10n.t('It is not what was reviewed a moment ago. Review it again; nothing was sent.'),
      );
  }
}
