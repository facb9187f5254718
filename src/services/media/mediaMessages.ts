import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { JobError, MediaError } from '../../core/jobs/job';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import { causeText as cause, signedOutText } from '../jobs/jobs';
import { numberText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { sentence } from '../../protocol/sentences';

const longestName = 60;

/** Returns the display name of a job: the beginning of its prompt. */
export function mediaName({ task }: MediaJob): string {
  const prompt = task.request.prompt.trim().replaceAll(/\s+/g, ' ');
  return prompt.length > longestName ? `${prompt.slice(0, longestName - 1).trimEnd()}…` : prompt;
}

/** Describes a job's error in sentences: what happened, the consequences, what can be done. */
export function mediaErrorText(error: JobError, job: MediaJob): string {
  // A later version may know other kinds.
  const text = (words as Partial<Record<string, ErrorText>>)[error.kind]?.(error, job);
  return (text ?? cause(error)).trim();
}

type ErrorText = (error: JobError, job: MediaJob) => string;

const again = (error: JobError): string =>
  error.isFinal ? l10n.t('Download it again at no charge.') : l10n.t('The download is retried automatically.');

const words: Readonly<Record<MediaError, ErrorText>> = {
  interrupted: () => l10n.t('VS Code closed before the request was sent, so there was no charge. Try again.'),
  input: (error) => l10n.t('{0} Choose the image again. There was no charge.', cause(error)),
  refused: (error) => l10n.t('The service rejected the request. {0}', cause(error)),
  spendingCap: ({ message }) => sentence(message),
  answerLost: ({ error }) =>
    error?.isFree
      ? l10n.t("The service didn't respond. The file might not have been generated. We won't retry automatically.")
      : l10n.t("The service didn't respond. You may have been charged. We won't retry automatically."),
  ask: (error) => cause(error),
  gone: (error) => l10n.t("The service couldn't find this job. {0}", cause(error)),
  profileGone: () => l10n.t('To resume tracking, add the account again.'),
  signedOut: signedOutText,
  addressChanged: ({ message }) =>
    l10n.t("The account's base URL has changed. To resume tracking, restore this URL: {0}", message),
  noResults: (error, { task }) => noResultsText(error, task.kind),
  savedElsewhere: (error) =>
    l10n.t("The folder isn't writable, so the file is in the extension's storage. {0}", cause(error)),
  omitted: (_error, { results = [] }) =>
    l10n.t(
      'The service returned too many images. Only the first {0} are saved.',
      numberText(results.length, env.language),
    ),
  disk: (error) =>
    l10n.t("Couldn't save the file. Free up disk space before the download link expires. {0}", cause(error)),
  fetch: (error) =>
    error.isFinal
      ? l10n.t("The file couldn't be downloaded. {0}", cause(error))
      : l10n.t('The download failed and is retried automatically. {0}', cause(error)),
  failed: (error) => (error.error ? cause(error) : failedText(error)),
  expired: (error, { task, stage }) => expiredText(task.kind, stage === 'ended' || error.isFinal === true),
  empty: (error) => l10n.t('The service returned an empty file. {0}', again(error)),
  markup: (error) => l10n.t('The service returned a web page or an SVG, which was discarded. {0}', again(error)),
  notMedia: (error) => l10n.t("The file isn't an image or a video. {0}", again(error)),
  tooLarge: ({ message }) =>
    l10n.t('Too large for automatic downloads. {0} You can download the file anyway.', sentence(message)),
};

/** `message`: the service's reason. */
function failedText({ message }: JobError): string {
  return message === ''
    ? l10n.t("The service couldn't complete the job and gave no reason.")
    : l10n.t("The service couldn't complete the job: {0}", sentence(message));
}

function noResultsText(error: JobError, kind: MediaJob['task']['kind']): string {
  if (kind === 'video') {
    return error.isFinal
      ? l10n.t('The video has no download link. Check again later, or contact the service with the request ID.')
      : l10n.t('The video is done. Inference Desk keeps checking for its download link.');
  }
  return l10n.t("The service didn't return an image, but you may have been charged. {0}", cause(error));
}

function expiredText(kind: MediaJob['task']['kind'], isFinal: boolean): string {
  if (!isFinal) return l10n.t("The download link doesn't work. Retrying automatically.");
  return kind === 'video'
    ? l10n.t('The download link has expired. Try again later.')
    : l10n.t('The link has expired. The same seed usually gives the same image.');
}

/** The error for a job that was held by another window or task longer than the maximum wait. */
export function mediaBusyError(): UserError {
  return new UserError(l10n.t('The job is in use by another window or task'), l10n.t('Try again in a moment.'));
}

/** Explains why an operation does not apply to a job. */
export function mediaProblemError(kind: RequestProblemKind): UserError {
  switch (kind) {
    case 'noSuchJob':
      return new UserError(l10n.t('This job is no longer tracked here'), l10n.t('The record has been removed.'));
    case 'notRunning':
      return new UserError(l10n.t('No download available'), l10n.t("The service hasn't returned a file yet."));
    case 'takenOver':
      return new UserError(
        l10n.t('Another window has taken over'),
        l10n.t('No request was sent from this window. Check the Images and Videos view before you retry.'),
      );
    case 'notRefused':
    case 'maybeRunning':
    case 'inputChanged':
      return new UserError(l10n.t("Couldn't process the job"), l10n.t("The request wasn't sent."));
  }
}
