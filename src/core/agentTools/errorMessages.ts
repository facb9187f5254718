import { ApiError } from '../api/errors';
import type { ApiErrorKind } from '../api/errorKinds';
import type { JobError, JobErrorKind } from '../jobs/job';
import type { Unranked } from '../ranking/rankInSlices';

/** Explains to a model why the service failed and what to do. Contains no key and no address. */
export function apiErrorMessage(error: ApiError): string {
  const { details, kind, message } = error;
  const said =
    details.fromService && kind !== 'auth' && kind !== 'notOffered' && message !== ''
      ? [`The service says: "${withoutAddresses(message).slice(0, longestQuote)}".`]
      : [];
  const billed =
    details.maybeBilled && !details.isFree
      ? ['It may have been billed: do not repeat it without asking the person.']
      : [];
  return [apiErrorMessages[kind](error), ...said, ...billed].join(' ');
}

const longestQuote = 300;

/** Replaces URLs: services quote the requested address in some of their refusals. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/gi, '(address)');
}

const waitAdvice = 'Retry in a minute. If the error persists, tell the user.';

function keep(text: string): (error: ApiError) => string {
  return () => text;
}

const notVerified = "The account is not verified. Tell the user to verify it in the service's console.";

const apiErrorMessages: Readonly<Record<ApiErrorKind, (error: ApiError) => string>> = {
  auth: ({ details }) =>
    details.status === undefined
      ? 'Nobody is signed in, so nothing was sent. Tell the person to sign in first, with the command "Inference Desk: Sign In".'
      : 'The service did not accept the API key. Tell the person to enter another one.',
  region: keep(
    'The service is not available in the country or region of this connection. Tell the user. Do not retry.',
  ),
  moderation: keep("The service's content filter rejected the input. Change the input, or tell the user."),
  permission: ({ details }) =>
    details.hint === 'verification'
      ? notVerified
      : 'The account does not have permission for this. Tell the user to check the permissions of the API key.',
  balance: ({ details: { affordableTokens, hint } }) =>
    hint === 'spendingLimit'
      ? "The account has reached its spending limit. Tell the user to raise it in the service's console. Do not retry."
      : affordableTokens === undefined
        ? "The account is out of credit. Tell the user to add credit in the service's console. Do not retry."
        : `The balance covers ${affordableTokens} tokens. Set max_tokens to that number or less.`,
  invalidParameter: ({ message }) => `A value is out of its bounds, and nothing was sent. ${message}`,
  badRequest: ({ details: { parameter, hint } }) => {
    if (hint === 'verification') return notVerified;
    if (hint === 'noImages') return 'This model does not support image input. Use another model.';
    if (hint === 'noMemory')
      return 'The server has too little memory for this model. Use a smaller one, or tell the user.';
    if (hint === 'template') return 'The model does not accept these roles or their order. Use another model.';
    return parameter === undefined
      ? 'The service rejected the request. Do not repeat it unchanged.'
      : `The service rejected the parameter ${parameter}. Change or remove it, then retry.`;
  },
  unknownModel: ({ details: { model } }) =>
    `The service does not have the model${model === undefined ? '' : ` ${model}`}. Use inferenceDesk_listModels to see which there are, or leave the model out.`,
  tooLong: keep('The text is too long for this model. Send less, or use a model with a longer context.'),
  requestTooLarge: keep('The request is too large for the server. Send less.'),
  notFound: ({ details: { hint } }) => {
    if (hint === 'missingVersion') {
      return 'The base URL of the account is probably missing its version, such as /v1. Tell the user to check it. Do not retry.';
    }
    return hint === 'wrongBaseUrl'
      ? 'The base URL of the account does not lead to this kind of service. Tell the user to check it. Do not retry.'
      : 'The service does not know this item. It was deleted, has expired, or the ID is wrong.';
  },
  notOffered: ({ details: { endpoint = '' } }) =>
    / \/(batches|files)$/.test(endpoint)
      ? 'This service does not offer batches. Do not try again. Tell the person that a batch file can be run locally instead.'
      : 'This service does not offer this. Do not try again.',
  rateLimit: ({ details: { limit } }) =>
    limit?.endsWith('D')
      ? 'The daily limit is reached. Use another model, or tell the user. Do not retry today.'
      : `The rate limit is reached. ${waitAdvice}`,
  overloaded: ({ details: { hint } }) =>
    hint === 'loading'
      ? `The server is still loading the model. ${waitAdvice}`
      : `The service is overloaded. ${waitAdvice}`,
  server: ({ details: { hint } }) =>
    hint === 'gatewayTimeout' || hint === 'gateway'
      ? 'A gateway in front of the service reported an error. Retry once. If the error persists, tell the user.'
      : 'The service failed. Retry once. If the error persists, tell the user.',
  network: keep(
    'The service could not be reached. Tell the person to check the network and the address of the service.',
  ),
  proxy: keep('The proxy refused the connection. Tell the person to check the proxy settings.'),
  certificate: keep('The certificate of the service is not trusted on this machine. Tell the person.'),
  timeout: keep(`The service did not answer in time. ${waitAdvice}`),
  aborted: keep('It was stopped.'),
  truncated: ({ details }) =>
    details.hint === 'tooMuch'
      ? 'The answer of the service did not come to an end, so it was stopped at 8 MB. Tell the person.'
      : `The answer of the service broke off. ${waitAdvice}`,
  badResponse: ({ details }) =>
    details.hint === 'tooMuch'
      ? 'The answer of the service is too large to read. Ask for fewer or smaller images at once.'
      : 'The service answered with something else than what was asked for. Tell the person.',
  unsafeUrl: keep('The service named an address for the result that is not read from here. Tell the person.'),
  tooLarge: keep('The file is larger than is downloaded here. Tell the person.'),
  file: keep('A file on this machine could not be read or written. Check that it is there and the disk is not full.'),
};

/** Explains to a model why a ranking that was answered has no meaning. `same`: the one score, in parentheses. */
export function unrankedMessage(unranked: Unranked, model: string, same = ''): string {
  const why =
    unranked === 'sameScores'
      ? `It gave all texts the same score${same}.`
      : 'It gave no text a score that is a number.';
  return `The model ${model}, or its server, did not rank the texts. ${why} Do not rely on their order. Use another reranker, or tell the user to run the command "Inference Desk: Check Model…".`;
}

/** Explains to a model what keeps a job from finishing and what to do. Contains no key and no address. */
export function jobErrorMessage(trouble: JobError): string {
  // A later version may know other kinds.
  const isFreeLoss = trouble.kind === 'answerLost' && trouble.error?.isFree === true;
  const text = isFreeLoss ? lostForFree : ((jobErrorMessages as Partial<Record<string, string>>)[trouble.kind] ?? '');
  return [text, ...(isTriedAgain(trouble) ? [again] : []), causeOf(trouble)].filter((part) => part !== '').join(' ');
}

const again = 'Do not order it again: it is fetched again by itself.';

const lostForFree = 'The service did not respond, so the job may or may not have started.';

function isTriedAgain({ kind, isFinal }: JobError): boolean {
  return !isFinal && (kind === 'fetch' || kind === 'empty');
}

const jobErrorMessages: Readonly<Record<JobErrorKind, string>> = {
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
  omitted: 'The service returned too many images for one request. The first ones are saved.',
  disk: 'The files could not be written to disk. Tell the person to make room.',
  fetch: 'The result could not be fetched.',
  failed: 'The service did not get it done.',
  expired: 'The address of the result does not work any more.',
  empty: 'The service gave an empty file.',
  markup: 'The service gave a page of markup instead of a picture; it was thrown away.',
  notMedia: 'The service gave a file that is neither a picture nor a video.',
  tooLarge: 'The file is larger than is taken unasked. Tell the person.',
  upload: 'The file was not uploaded. Nothing was spent.',
  fileRejected: 'The service cannot use the uploaded file, so no batch was created. Fix the file as the service says:',
  fileUnseen:
    'The service does not see the uploaded file yet, so no batch was created and nothing was spent. Submit the batch again in a minute.',
  resultsRefused: 'The service returned an error instead of the results:',
  overQueue:
    'The service does not take the batch while so much of the account waits there. It is submitted again by itself.',
  spendingCap:
    'The daily spending cap is reached. The rest of the batch is submitted by itself once the cap allows it.',
  unconfirmed:
    'Whether the batch was created is not known yet: the service did not respond, but has a batch of as many requests in progress. It is compared when it ends. Do not submit it again.',
  startedTwice: 'The service has more than one batch of this order. Tell the person.',
  resultMissing: 'A result file that the batch names does not exist at the service.',
  notResults: 'What the service gave as results are none.',
  cutShort: 'Not all results came; those that did are kept.',
  notOffered: 'This service does not hand out result files here. Tell the person to get them from its web console.',
};

/** Kinds whose message adds a fact; the messages of the others repeat the words above. */
const telling: ReadonlySet<JobErrorKind> = new Set([
  'fileRejected',
  'resultsRefused',
  'input',
  'failed',
  'startedTwice',
  'cutShort',
  'disk',
  'savedElsewhere',
]);

function causeOf({ kind, message, error }: JobError): string {
  // The words above already say that the file is too large. Jobs of earlier versions call that an unsafe address.
  if (error && kind !== 'tooLarge') return apiErrorMessage(new ApiError(error));
  return telling.has(kind) && message !== '' ? withoutAddresses(message) : '';
}
