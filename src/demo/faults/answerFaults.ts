import { type EndpointName, allEndpoints, apiEndpoints, streamingEndpoints } from '../endpointNames';
import type { Fault, FaultEffect } from './fault';

const platform = (code: number | null, message: string) => ({ code, message, data: null });
const anyLimit = (kind: string) => ({
  message: `Request was rejected due to rate limiting. Details: ${kind} limit reached.`,
  data: null,
});

interface AnswerInit extends Omit<Extract<FaultEffect, { kind: 'answer' }>, 'kind'> {
  readonly summary: string;
  /** Unset: every operation below the version segment. */
  readonly endpoints?: readonly EndpointName[];
}

function answer(name: string, { summary, endpoints = apiEndpoints, ...rest }: AnswerInit): Fault {
  return { name, summary, endpoints, streamOnly: false, effect: { kind: 'answer', ...rest } };
}

const limitKinds = ['RPM', 'RPH', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD'] as const;

const rateLimits: readonly Fault[] = limitKinds.flatMap((kind) => [
  answer(`rate-limit-${kind.toLowerCase()}`, {
    summary: `429, ${kind} limit, no code in the body, no Retry-After`,
    status: 429,
    body: anyLimit(kind),
  }),
  answer(`rate-limit-${kind.toLowerCase()}-retry-after`, {
    summary: `429, ${kind} limit, Retry-After of one second`,
    status: 429,
    body: anyLimit(kind),
    headers: { 'Retry-After': '1' },
  }),
]);

const htmlPage = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>nginx</center></body></html>\n`;

const overflowTexts = [
  'length of prompt_tokens (180224) must be less than max_seq_len (131072).',
  'number of input tokens (180224) has exceeded max_prompt_tokens (131072) limit.',
  'number of input tokens (180224) has exceeded max_seq_len (131072) limit.',
  'max_tokens (180224) have exceeded max_seq_len (131072) limit.',
  "This model's maximum context length is 131072 tokens. However, you requested 180224 tokens. Please reduce the length.",
];

const refusals: readonly Fault[] = [
  answer('rate-limit-date', {
    summary: '429, RPM limit, Retry-After as an HTTP date two seconds ahead',
    status: 429,
    body: anyLimit('RPM'),
    // Filled in when sent, because it depends on the current time.
    headers: { 'Retry-After': 'date:2' },
  }),
  answer('rate-limit-some-seconds', {
    summary: '429, RPM limit, Retry-After of five seconds',
    status: 429,
    body: anyLimit('RPM'),
    headers: { 'Retry-After': '5' },
  }),
  answer('rate-limit-long-wait', {
    summary: '429, RPM limit, Retry-After of an hour',
    status: 429,
    body: anyLimit('RPM'),
    headers: { 'Retry-After': '3600' },
  }),
  answer('rate-limit-text', {
    summary: '429 as plain text',
    status: 429,
    body: 'Request was rejected due to rate limiting. If you want more, please contact the service. Details: TPM limit reached.',
  }),
  answer('rate-limit-50603', {
    summary: '429 with code 50603',
    status: 429,
    body: platform(50603, 'System is really busy. Please try again later.'),
  }),
  answer('overloaded-50505', {
    summary: '503 with code 50505',
    status: 503,
    body: platform(50505, 'Model service overloaded. Please try again later.'),
  }),
  answer('overloaded-50508', {
    summary: '503 with code 50508',
    status: 503,
    body: platform(50508, 'System is too busy now. Please try again later.'),
  }),
  answer('overloaded-50603', {
    summary: '503 with code 50603',
    status: 503,
    body: platform(50603, 'System is really busy. Please try again later.'),
  }),
  answer('timeout-504-string', {
    summary: '504 as a JSON string',
    status: 504,
    body: '"Gateway Timeout"',
    contentType: 'application/json',
  }),
  answer('timeout-504-text', { summary: '504 as bare text', status: 504, body: 'upstream request timeout' }),
  answer('timeout-504-json', {
    summary: '504 as a platform error',
    status: 504,
    body: platform(50504, 'Request timed out. Please try again later.'),
  }),
  answer('server-60000', {
    summary: '500 with code 60000',
    status: 500,
    body: platform(60000, 'Request processing has failed due to some unknown error.'),
  }),
  answer('server-empty', { summary: '500 with no body', status: 500, body: '' }),
  answer('identity', { summary: '403 `Forbidden`: the account is not verified', status: 403, body: 'Forbidden' }),
  answer('quota-30011', {
    summary: '403 with code 30011: a model for paid accounts',
    status: 403,
    body: platform(30011, 'This model is for paid accounts only.'),
  }),
  answer('balance-402', {
    summary: '402 with code 30001',
    status: 402,
    body: platform(30001, 'Sorry, your account balance is insufficient'),
  }),
  answer('balance-403', {
    summary: '403 with code 30001',
    status: 403,
    body: platform(30001, 'Sorry, your account balance is insufficient'),
  }),
  answer('token-invalid', { summary: '401 `Invalid token` as bare text', status: 401, body: 'Invalid token' }),
  answer('token-invalid-json', {
    summary: '401 `Invalid token` as a JSON string',
    status: 401,
    body: '"Invalid token"',
    contentType: 'application/json',
  }),
  answer('key-unknown', {
    summary: '401 `Api key is invalid` as a JSON string',
    status: 401,
    body: '"Api key is invalid"',
    contentType: 'application/json',
  }),
  answer('key-unknown-text', {
    summary: '401 `Api key is invalid` as bare text',
    status: 401,
    body: 'Api key is invalid',
  }),
  answer('anthropic-error', {
    summary: '529 in the shape of Anthropic',
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_demo' },
    endpoints: ['POST /messages'],
  }),
  answer('unknown-model', {
    summary: '400 with code 20012',
    status: 400,
    body: platform(20012, 'Model does not exist. Please check it carefully.'),
  }),
  answer('parameter', {
    summary: '400 with code 20015',
    status: 400,
    body: platform(20015, 'The parameter is invalid. Please check again.'),
  }),
  answer('no-tools', {
    summary: '400 with code 20015: the model takes no tools',
    status: 400,
    body: platform(20015, 'Value error, current model does not support parameter `tools`.'),
    endpoints: ['POST /messages', 'POST /chat/completions'],
  }),
  answer('no-images', {
    summary: '400 with code 20041: the model takes no pictures',
    status: 400,
    body: platform(20041, 'The model is not a VLM (Vision Language Model). Please use text-only prompts.'),
    endpoints: ['POST /messages', 'POST /chat/completions'],
  }),
  answer('short-answers', {
    summary: '400 with code 20015: max_tokens is more than the 1000 of the model',
    status: 400,
    body: platform(20015, 'max_tokens (8192) have exceeded max_seq_len (1000) limit.'),
    endpoints: ['POST /messages', 'POST /chat/completions'],
  }),
  ...overflowTexts.map((text, index) =>
    answer(`context-overflow-${index + 1}`, {
      summary: `400 with code 20015, wording ${index + 1} of a prompt that is too long`,
      status: 400,
      body: platform(20015, text),
      endpoints: [...streamingEndpoints, 'POST /embeddings', 'POST /rerank'],
    }),
  ),
  answer('path-missing', {
    summary: '404 `404 page not found`: the endpoint is not there',
    status: 404,
    body: '404 page not found',
  }),
  answer('id-missing', {
    summary: '404 about one id',
    status: 404,
    body: platform(20015, 'No such object.'),
    endpoints: ['GET /files/{id}/content', 'GET /batches/{id}', 'POST /batches/{id}/cancel', 'POST /video/status'],
  }),
  answer('method', { summary: '405', status: 405, body: 'Method Not Allowed' }),
  answer('gone', {
    summary: '410: the endpoint was retired',
    status: 410,
    body: platform(null, 'This endpoint is no longer available.'),
  }),
  answer('gone-text', { summary: '410 as bare text', status: 410, body: 'Gone' }),
  answer('envelope-refused', {
    summary: '200 with an envelope whose code is not 20000',
    status: 200,
    body: { code: 50000, message: 'The operation failed.', status: false, data: null },
  }),
  answer('html-200', {
    summary: '200 with an HTML page, as of a captive portal',
    status: 200,
    body: htmlPage('Sign in to the network'),
    contentType: 'text/html; charset=utf-8',
    endpoints: allEndpoints,
  }),
  answer('html-502', {
    summary: '502 with an HTML page of a gateway',
    status: 502,
    body: htmlPage('502 Bad Gateway'),
    contentType: 'text/html',
    endpoints: allEndpoints,
  }),
  answer('svg-script', {
    summary: '200 with a drawing of text (SVG) that holds a script',
    status: 200,
    body: '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "run"</script></svg>\n',
    contentType: 'image/png',
    endpoints: ['GET asset'],
  }),
  answer('moved-inside', {
    summary: '302 to an address of the machine itself, as of a service that reaches for what only this one can',
    status: 302,
    body: '',
    headers: { Location: 'http://169.254.169.254/latest/meta-data/' },
    endpoints: ['GET asset'],
  }),
  answer('plain-text-200', {
    summary: '200 with a line of text',
    status: 200,
    body: 'Please try again.',
    endpoints: ['GET asset'],
  }),
  answer('empty-body', {
    summary: '200 with no body',
    status: 200,
    body: '',
    contentType: 'application/json',
    endpoints: allEndpoints,
  }),
  answer('not-json', {
    summary: '200, JSON that breaks off',
    status: 200,
    body: '{"id":"demo","object":"li',
    contentType: 'application/json',
  }),
  answer('wrong-shape', { summary: '200, JSON of another interface', status: 200, body: { ok: true, items: 'none' } }),
  answer('redirect-elsewhere', {
    summary: '302 to another origin, where the key must not go',
    status: 302,
    body: '',
    headers: { Location: 'http://localhost:9/elsewhere' },
    endpoints: allEndpoints,
  }),
  answer('redirect-307', {
    summary: '307 to a path of the same origin that answers 404',
    status: 307,
    body: '',
    headers: { Location: '/elsewhere' },
    endpoints: allEndpoints,
  }),
  answer('url-expired', {
    summary: '403 of object storage: the result address has expired',
    status: 403,
    body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>\n',
    contentType: 'application/xml',
    endpoints: ['GET asset'],
  }),
];

/** Faults that replace the whole answer. */
export const answerFaults: readonly Fault[] = [...rateLimits, ...refusals].map((fault) => ({
  ...fault,
  endpoints: [...new Set(fault.endpoints)],
}));
