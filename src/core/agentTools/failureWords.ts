import type { ApiError, ApiErrorKind } from '../api/errors';

/** Explains to a model why the service failed and what to do. Contains no key and no address. */
export function failureWords(error: ApiError): string {
  const { details, kind, message } = error;
  const said =
    details.fromService && kind !== 'auth' && kind !== 'notOffered' && message !== ''
      ? [`The service says: "${withoutAddresses(message).slice(0, longestQuote)}".`]
      : [];
  const billed = details.maybeBilled ? ['It may have been billed: do not repeat it without asking the person.'] : [];
  return [words[kind](error), ...said, ...billed].join(' ');
}

const longestQuote = 300;

/** Replaces URLs: services quote the requested address in some of their refusals. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/gi, '(address)');
}

const wait = 'Try again in a minute; if it stays so, tell the person.';

function keep(text: string): (error: ApiError) => string {
  return () => text;
}

const words: Readonly<Record<ApiErrorKind, (error: ApiError) => string>> = {
  auth: ({ details }) =>
    details.status === undefined
      ? 'Nobody is signed in, so nothing was sent. Tell the person to sign in first, with the command "Inference Desk: Sign In".'
      : 'The service did not accept the API key. Tell the person to enter another one.',
  permission: keep(
    'The account may not do this. Tell the person: mostly the identity of the account has to be verified in the console of the service.',
  ),
  balance: keep(
    'The balance of the account is used up. Tell the person to top it up in the console of the service. Do not try again.',
  ),
  invalidParameter: ({ message }) => `A value is out of its bounds, and nothing was sent. ${message}`,
  badRequest: ({ details: { parameter } }) =>
    parameter === undefined
      ? 'The service refused the request. Change what it names, then try again.'
      : `The service refused the parameter ${parameter}. Change it or leave it out, then try again.`,
  unknownModel: ({ details: { model } }) =>
    `The service does not have the model${model === undefined ? '' : ` ${model}`}. Use inferenceDesk_listModels to see which there are, or leave the model out.`,
  tooLong: keep('The text is too long for this model. Send less, or choose a model with a longer context.'),
  notFound: keep('The service does not know this item: it was deleted, has expired, or the id is wrong.'),
  notOffered: keep('This service does not offer this. Do not try again.'),
  rateLimit: keep(`The rate limit of the account is reached. ${wait}`),
  overloaded: keep(`The service is overloaded. ${wait}`),
  server: keep(`The service failed. ${wait}`),
  network: keep(
    'The service could not be reached. Tell the person to check the network and the address of the service.',
  ),
  proxy: keep('The proxy refused the connection. Tell the person to check the proxy settings.'),
  certificate: keep('The certificate of the service is not trusted on this machine. Tell the person.'),
  timeout: keep(`The service did not answer in time. ${wait}`),
  aborted: keep('It was stopped.'),
  truncated: ({ details }) =>
    details.hint === 'tooMuch'
      ? 'The answer of the service did not come to an end, so it was stopped at 8 MB. Tell the person.'
      : `The answer of the service broke off. ${wait}`,
  badResponse: keep('The service answered with something else than what was asked for. Tell the person.'),
  unsafeUrl: keep('The service named an address for the result that is not read from here. Tell the person.'),
  file: keep('A file on this machine could not be read or written. Check that it is there and the disk is not full.'),
};
