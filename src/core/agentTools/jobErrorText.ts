import { ApiError } from '../api/errors';
import type { JobError, JobErrorKind } from '../jobs/job';
import { failureWords, withoutAddresses } from './failureWords';

/** Explains to a model what keeps a job from finishing and what to do. Contains no key and no address. */
export function jobErrorText(trouble: JobError): string {
  // A later version may know other kinds.
  const text = (words as Partial<Record<string, string>>)[trouble.kind] ?? '';
  return [text, ...(isTriedAgain(trouble) ? [again] : []), causeOf(trouble)].filter((part) => part !== '').join(' ');
}

const again = 'Do not order it again: it is fetched again by itself.';

function isTriedAgain({ kind, isFinal }: JobError): boolean {
  return !isFinal && (kind === 'fetch' || kind === 'empty');
}

const words: Readonly<Record<JobErrorKind, string>> = {
  interrupted: 'The program ended before the order was sent. Nothing was spent.',
  input: 'What goes along with the order cannot be used. Nothing was spent.',
  refused: 'The service did not take the order. Nothing was begun.',
  answerLost:
    'Whether the order was taken is not known: the answer of the service did not arrive. It may have been billed, so do not repeat it without asking the person.',
  ask: '',
  gone: 'The service does not know this order (any more).',
  profileGone: 'The account it was ordered with is not set up here any more.',
  addressChanged: 'It was ordered from another service than the one in use now.',
  noResults: 'The service says that it is done, but names no result.',
  savedElsewhere: 'The folder for it could not be written, so it was saved elsewhere.',
  disk: 'The files could not be written to disk. Tell the person to make room.',
  fetch: 'The result could not be fetched.',
  failed: 'The service did not get it done.',
  expired: 'The address of the result does not work any more.',
  empty: 'The service gave an empty file.',
  markup: 'The service gave a page of markup instead of a picture; it was thrown away.',
  notMedia: 'The service gave a file that is neither a picture nor a video.',
  tooLarge: 'The file is larger than is taken unasked. Tell the person.',
  upload: 'The file was not uploaded. Nothing was spent.',
  startedTwice: 'The service has more than one batch of this order. Tell the person.',
  resultMissing: 'A result file that the batch names does not exist at the service.',
  notResults: 'What the service gave as results are none.',
  cutShort: 'Not all results came; those that did are kept.',
  notOffered: 'This service does not hand out result files here. Tell the person to get them from its web console.',
};

/** Kinds whose message adds a fact; the messages of the others repeat the words above. */
const telling: ReadonlySet<JobErrorKind> = new Set([
  'input',
  'failed',
  'startedTwice',
  'cutShort',
  'disk',
  'savedElsewhere',
]);

function causeOf({ kind, message, error }: JobError): string {
  // The words above already say "too large"; the API error would misreport it as an unsafe URL.
  if (error && kind !== 'tooLarge') return failureWords(new ApiError(error));
  return telling.has(kind) && message !== '' ? withoutAddresses(message) : '';
}
