import { env, l10n } from 'vscode';
import type { JobError, MediaError } from '../../core/jobs/job';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import { causeText as cause } from '../jobs/jobs';
import { numberText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { sentence } from '../../protocol/sentences';

const longestName = 60;

/** Returns the display name of a job: the beginning of its prompt. */
export function mediaName({ order }: MediaJob): string {
  const prompt = order.request.prompt.trim().replaceAll(/\s+/g, ' ');
  return prompt.length > longestName ? `${prompt.slice(0, longestName - 1).trimEnd()}…` : prompt;
}

/** Describes a job's error in sentences: what happened, the consequences, what can be done. */
export function mediaErrorText(trouble: JobError, job: MediaJob): string {
  // A later version may know other kinds.
  const text = (words as Partial<Record<string, TroubleWords>>)[trouble.kind]?.(trouble, job);
  return (text ?? cause(trouble)).trim();
}

type TroubleWords = (trouble: JobError, job: MediaJob) => string;

const again = (trouble: JobError): string =>
  trouble.isFinal ? l10n.t('Fetch it again; it is not paid for twice.') : l10n.t('It is fetched again in a moment.');

const words: Readonly<Record<MediaError, TroubleWords>> = {
  interrupted: () => l10n.t('The editor was closed before this was sent. Nothing was spent; send it again to go on.'),
  input: (trouble) =>
    l10n.t('A picture that goes along cannot be used: {0} Nothing was spent; choose it again.', cause(trouble)),
  refused: (trouble) => l10n.t('The service did not take it; nothing was begun. {0}', cause(trouble)),
  spendingCap: ({ message }) => sentence(message),
  answerLost: ({ error }) =>
    error?.isFree
      ? l10n.t("The service didn't respond, so the file might not have been generated. We won't retry automatically.")
      : l10n.t(
          "The service didn't respond, so the file might not have been generated. You may have been charged. We won't retry automatically.",
        ),
  ask: (trouble) => cause(trouble),
  gone: (trouble) => l10n.t('The service does not know this order (any more). {0}', cause(trouble)),
  profileGone: () => l10n.t('The account of this order was removed. It is followed again when the account is back.'),
  addressChanged: ({ message }) =>
    l10n.t(
      'The account of this order has another address now. It is followed again when the address is back: {0}',
      message,
    ),
  noResults: (trouble, { order }) => noResultsText(trouble, order.kind),
  savedElsewhere: (trouble) =>
    l10n.t(
      'The folder chosen for what is made could not be written, so that it was saved in the storage of the extension. {0}',
      cause(trouble),
    ),
  omitted: (_trouble, { results = [] }) =>
    l10n.t(
      'The service returned too many images for one request. The first {0} are saved.',
      numberText(results.length, env.language),
    ),
  disk: (trouble) =>
    l10n.t(
      'It could not be written to disk, neither to the folder chosen nor to the storage of the extension. Make room; it is tried again for as long as its address lives. {0}',
      cause(trouble),
    ),
  fetch: (trouble) =>
    trouble.isFinal
      ? l10n.t('It could not be fetched. {0}', cause(trouble))
      : l10n.t('It could not be fetched and is tried again. {0}', cause(trouble)),
  failed: (trouble) => (trouble.error ? cause(trouble) : failedText(trouble)),
  expired: (trouble, { order, stage }) => expiredText(order.kind, stage === 'ended' || trouble.isFinal === true),
  empty: (trouble) => l10n.t('The service gave an empty file. {0}', again(trouble)),
  markup: (trouble) =>
    l10n.t(
      'The service gave a web page or a drawing of text (SVG) instead of a picture. It may hold a script, so it was thrown away unseen. {0}',
      again(trouble),
    ),
  notMedia: (trouble) => l10n.t('The service gave a file that is neither a picture nor a video. {0}', again(trouble)),
  tooLarge: ({ message }) =>
    l10n.t('The file is larger than is taken unasked. {0} Fetch it anyway if you expect that.', sentence(message)),
};

/** `message`: the service's reason. */
function failedText({ message }: JobError): string {
  return message === ''
    ? l10n.t('The service did not get it done and gives no reason.')
    : l10n.t('The service did not get it done: {0}', sentence(message));
}

function noResultsText(trouble: JobError, kind: MediaJob['order']['kind']): string {
  if (kind === 'video') {
    return trouble.isFinal
      ? l10n.t(
          'The service says that the video is done, but names no address for it. Check it again later, or ask the service with its request ID.',
        )
      : l10n.t('The service says that the video is done, but names no address for it yet. It is asked again.');
  }
  return l10n.t(
    'The service answered without a picture. Whether it was charged is seen in your balance. {0}',
    cause(trouble),
  );
}

function expiredText(kind: MediaJob['order']['kind'], isFinal: boolean): string {
  if (!isFinal) return l10n.t('The address of the file does not work. It is tried again in a moment.');
  return kind === 'video'
    ? l10n.t('The address of the video does not work any more, and the service gives no other. Fetch it again later.')
    : l10n.t('The link has expired. Generating again with the same seed usually gives the same image.');
}

/** The error for a job that was held by another window or task longer than the maximum wait. */
export function mediaBusyError(): UserError {
  return new UserError(
    l10n.t('This order is being worked on'),
    l10n.t('Its files are being fetched, or another window is at it. Try again in a moment.'),
  );
}

/** Explains why an operation does not apply to a job. */
export function mediaProblemError(kind: RequestProblemKind): UserError {
  switch (kind) {
    case 'noSuchJob':
      return new UserError(l10n.t('The order is not followed here any more'), l10n.t('Its record was removed.'));
    case 'notRunning':
      return new UserError(
        l10n.t('There is nothing to fetch'),
        l10n.t('The service named no file for this order, or has not begun it.'),
      );
    case 'takenOver':
      return new UserError(
        l10n.t('Another window went on with this order'),
        l10n.t('Nothing was sent from here. Look at the order in the list before you send it again.'),
      );
    case 'notRefused':
    case 'maybeRunning':
    case 'inputChanged':
      return new UserError(l10n.t('The order does not apply'), l10n.t("The request wasn't sent."));
  }
}
