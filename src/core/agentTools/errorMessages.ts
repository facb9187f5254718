import { ApiError, isOfPlan } from '../api/errors';
import type { ApiErrorKind } from '../api/errorKinds';
import type { JobError, JobErrorKind } from '../jobs/job';
import type { Unranked } from '../ranking/rankInSlices';

/** Explains to a model why the service failed and what to do. Contains no key and no address. */
export function apiErrorMessage(error: ApiError): string {
  const { details, kind, message } = error;
  const said =
    details.fromService && kind !== 'auth' && kind !== 'notOffered' && message !== ''
      ? [`The service reports: "${withoutAddresses(message).slice(0, longestQuote)}".`]
      : [];
  const billed =
    details.maybeBilled && !details.isFree
      ? ['You may have been charged. Ask the user before you repeat the request.']
      : [];
  return [apiErrorMessages[kind](error), ...said, ...billed].join(' ');
}

const longestQuote = 300;

/** Replaces URLs, because services quote the requested URL in some of their errors. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/gi, '(address)');
}

const waitAdvice = 'Retry in a minute, then tell the user.';

function keep(text: string): (error: ApiError) => string {
  return () => text;
}

const notVerified = "Tell the user to verify the account in the service's console.";

const apiErrorMessages: Readonly<Record<ApiErrorKind, (error: ApiError) => string>> = {
  auth: ({ details }) =>
    details.status === undefined
      ? 'Not signed in. Tell the user to run the command "Inference Desk: Sign In".'
      : 'The service rejected the API key. Tell the user to enter another one.',
  region: keep('The service is not available in this country or region. Tell the user. Do not retry.'),
  moderation: keep("The service's content filter rejected the input. Change the input, or tell the user."),
  permission: ({ details }) =>
    details.hint === 'verification' ? notVerified : "No permission. Tell the user to check the API key's permissions.",
  balance: ({ details: { affordableTokens, hint } }) =>
    hint === 'spendingLimit'
      ? "Spending limit reached. Tell the user to raise it in the service's console. Do not retry."
      : affordableTokens === undefined
        ? "Out of credit. Tell the user to add credit in the service's console. Do not retry."
        : `The balance covers ${affordableTokens} tokens. Set max_tokens to that number or less.`,
  invalidParameter: ({ message }) => `A value is out of range, so the request was not sent. ${message}`,
  badRequest: ({ details: { parameter, hint } }) => {
    if (hint === 'verification') return notVerified;
    if (hint === 'noImages') return 'No image input. Use another model.';
    if (hint === 'noMemory')
      return 'The server has too little memory for this model. Use a smaller one, or tell the user.';
    if (hint === 'otherEndpoint') return 'This model does not answer chats here. Use another model.';
    if (hint === 'template') return 'The model does not accept these roles or their order. Use another model.';
    return parameter === undefined
      ? 'The service rejected the request. Do not repeat it unchanged.'
      : `The service rejected the parameter ${parameter}. Change or remove it, then retry.`;
  },
  unknownModel: ({ details: { model } }) =>
    `Unknown model${model === undefined ? '' : ` ${model}`}. Call inferenceDesk_listModels for the available models, or omit the model.`,
  tooLong: keep('Text too long. Send less, or use a model with a longer context.'),
  requestTooLarge: keep('The request is too large for the server. Send less.'),
  notFound: ({ details: { hint } }) => {
    if (hint === 'missingVersion') {
      return 'The base URL might need a version, such as /v1. Tell the user. Do not retry.';
    }
    return hint === 'wrongBaseUrl'
      ? 'The base URL is for another kind of service. Tell the user. Do not retry.'
      : 'Not found. The ID is wrong, or the item has been deleted or has expired.';
  },
  notOffered: ({ details: { endpoint = '', hint } }) =>
    hint === 'ranksElsewhere'
      ? 'NVIDIA reranks at another base URL, at ai.api.nvidia.com. Tell the user to add an account for it. Do not retry.'
      : / \/(batches|files)$/.test(endpoint)
        ? 'Batches are not supported. Tell the user to run the batch file now instead.'
        : 'This service does not support this. Do not retry.',
  rateLimit: ({ details: { limit } }) =>
    isOfPlan(limit)
      ? 'Usage limit reached. Tell the user. Do not retry.'
      : limit?.endsWith('D')
        ? 'Daily limit reached. Use another model. Do not retry today.'
        : `The rate limit is reached. ${waitAdvice}`,
  overloaded: ({ details: { hint } }) =>
    hint === 'loading'
      ? `The server is still loading the model. ${waitAdvice}`
      : `The service is overloaded. ${waitAdvice}`,
  server: ({ details: { hint } }) =>
    hint === 'gatewayTimeout' || hint === 'gateway'
      ? 'Gateway error. Retry once, then tell the user.'
      : 'The service failed. Retry once, then tell the user.',
  network: keep('The service could not be reached. Tell the user to check the network and the base URL.'),
  proxy: keep('The proxy rejected the connection. Tell the user to check the proxy settings.'),
  certificate: keep("This machine does not trust the service's certificate. Tell the user."),
  timeout: keep(`The service did not respond in time. ${waitAdvice}`),
  aborted: keep('The request was canceled.'),
  truncated: ({ details }) =>
    details.hint === 'tooMuch'
      ? 'The response exceeded 8 MB. Tell the user.'
      : `The response is incomplete. ${waitAdvice}`,
  badResponse: ({ details }) =>
    details.hint === 'tooMuch'
      ? 'The response is too large. Request fewer or smaller images.'
      : 'The service returned an unexpected response. Tell the user.',
  unsafeUrl: keep('Unsafe download link, so there is no file. Tell the user.'),
  tooLarge: keep('The file exceeds the download limit. Tell the user.'),
  file: keep('A file could not be read or written. Check the file and the disk space.'),
};

/** Explains to a model why a ranking that was answered has no meaning. `same`: the one score, in parentheses. */
export function unrankedMessage(unranked: Unranked, model: string, same = ''): string {
  const why =
    unranked === 'sameScores'
      ? `The scores of all texts are the same${same}.`
      : 'The model did not return a numeric score for any text.';
  return `The model ${model}, or its server, did not rank the texts. ${why} Do not rely on their order. Use another reranker, or tell the user to run the command "Inference Desk: Check Model…".`;
}

/** Explains to a model what keeps a job from finishing and what to do. Contains no key and no address. */
export function jobErrorMessage(error: JobError): string {
  // A later version may know other kinds.
  const isFreeLoss = error.kind === 'answerLost' && error.error?.isFree === true;
  const text = isFreeLoss ? lostForFree : ((jobErrorMessages as Partial<Record<string, string>>)[error.kind] ?? '');
  return [text, ...(isTriedAgain(error) ? [again] : []), causeOf(error)].filter((part) => part !== '').join(' ');
}

const again = 'Do not request it again. The download is retried automatically.';

const lostForFree = 'The service did not respond, so the job may or may not have started.';

function isTriedAgain({ kind, isFinal }: JobError): boolean {
  return !isFinal && (kind === 'fetch' || kind === 'empty');
}

const jobErrorMessages: Readonly<Record<JobErrorKind, string>> = {
  interrupted: 'The program ended before the request was sent. There was no charge.',
  input: 'The input of the request cannot be used. There was no charge.',
  refused: 'The service rejected the request.',
  answerLost:
    'The service did not respond. The user may have been charged. Ask the user before you repeat the request.',
  ask: '',
  gone: 'The service cannot find this job.',
  profileGone: "The job's account no longer exists here.",
  signedOut: "The job's account is signed out. Tell the user.",
  addressChanged: 'The job was started at another service than the current one.',
  noResults: 'The job is complete, but the service returned no result.',
  savedElsewhere: 'The selected folder is not writable. The files are saved elsewhere.',
  omitted: 'The service returned too many images. The first ones are saved.',
  disk: 'The files could not be saved. Tell the user to free up disk space.',
  fetch: 'The result could not be downloaded.',
  failed: 'The service could not complete the job.',
  expired: 'The download link has expired.',
  empty: 'The service returned an empty file.',
  markup: 'The service returned a web page, which was discarded.',
  notMedia: 'The file is not an image or a video.',
  tooLarge: 'The file exceeds the limit for automatic downloads. Tell the user.',
  upload: 'The file could not be uploaded. There was no charge.',
  fileRejected: 'The service rejected the batch file. Fix these errors, then submit it again:',
  fileUnseen: 'The file is not available yet. There was no charge. Submit the batch again in a minute.',
  resultsRefused: 'The service returned an error instead of the results:',
  overQueue: 'Too many queued tokens. The batch is resubmitted automatically.',
  spendingCap:
    'The daily spending cap is reached. Remaining parts of a batch are submitted once the cap allows it. Tell the user.',
  unconfirmed:
    'The batch may or may not exist. When a batch of the same size ends, its results show whether it is this one. Do not submit the batch again.',
  startedTwice: 'The service has more than one batch for this request. Tell the user.',
  resultMissing: 'A batch result file does not exist at the service.',
  notResults: 'The returned file does not contain batch results.',
  cutShort: 'Some results are missing. The results received so far are saved.',
  notOffered: "Tell the user to download result files from the service's console.",
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
