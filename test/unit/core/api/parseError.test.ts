import assert from 'node:assert/strict';
import type { ApiErrorKind } from '../../../../src/core/api/errorKinds';
import { readErrorBody } from '../../../../src/core/api/errorBody';
import { errorInAnswer, readRetryAfter, toAnswerError, toApiError } from '../../../../src/core/api/parseError';

interface Case {
  readonly title: string;
  readonly status: number;
  readonly body: string;
  readonly kind: ApiErrorKind;
  readonly message: string;
  readonly code?: number | string;
  readonly limit?: string;
  readonly parameter?: string;
  readonly fromService?: false;
}

const platform = (code: number | null, message: string) => JSON.stringify({ code, message, data: null });
const provider = (message: string, rest = {}) =>
  JSON.stringify({ error: { message, type: 't', param: null, code: null, ...rest } });
const limit = (kind: string) =>
  JSON.stringify({ message: `Request was rejected due to rate limiting. Details: ${kind} limit reached.`, data: null });
const limitWords = (kind: string) => `Request was rejected due to rate limiting. Details: ${kind} limit reached.`;

const overflow = [
  'length of prompt_tokens (180224) must be less than max_seq_len (131072).',
  'number of input tokens (180224) has exceeded max_prompt_tokens (131072) limit.',
  'number of input tokens (180224) has exceeded max_seq_len (131072) limit.',
  'max_tokens (180224) have exceeded max_seq_len (131072) limit.',
  "This model's maximum context length is 131072 tokens.",
];

const cases: readonly Case[] = [
  {
    title: 'platform, unknown model',
    status: 400,
    body: platform(20012, 'Model does not exist. Please check it carefully.'),
    kind: 'unknownModel',
    message: 'Model does not exist. Please check it carefully.',
    code: 20012,
  },
  {
    title: 'platform, parameter',
    status: 400,
    body: platform(20015, 'Field required'),
    kind: 'badRequest',
    message: 'Field required',
    code: 20015,
  },
  ...overflow.map((message): Case => ({
    title: `overflow: ${message}`,
    status: 400,
    body: platform(20015, message),
    kind: 'tooLong',
    message,
    code: 20015,
  })),
  {
    title: "OpenAI's code of an overflow",
    status: 400,
    body: provider('too much', { code: 'context_length_exceeded' }),
    kind: 'tooLong',
    message: 'too much',
    code: 'context_length_exceeded',
  },
  {
    title: 'provider shape names the parameter',
    status: 400,
    body: provider('bad n', { param: 'n' }),
    kind: 'badRequest',
    message: 'bad n',
    parameter: 'n',
  },
  {
    title: "OpenAI's code of an unknown model",
    status: 404,
    body: provider('no such model', { code: 'model_not_found' }),
    kind: 'unknownModel',
    message: 'no such model',
    code: 'model_not_found',
  },
  { title: 'bare token text', status: 401, body: 'Invalid token', kind: 'auth', message: 'Invalid token' },
  {
    title: 'quoted token text',
    status: 401,
    body: '"Api key is invalid"',
    kind: 'auth',
    message: 'Api key is invalid',
  },
  {
    title: 'balance 402',
    status: 402,
    body: platform(30001, 'Sorry, your account balance is insufficient'),
    kind: 'balance',
    message: 'Sorry, your account balance is insufficient',
    code: 30001,
  },
  {
    title: 'balance 403',
    status: 403,
    body: platform(30001, 'Sorry, your account balance is insufficient'),
    kind: 'balance',
    message: 'Sorry, your account balance is insufficient',
    code: 30001,
  },
  {
    title: 'balance by message only',
    status: 403,
    body: '"Sorry, your account balance is insufficient"',
    kind: 'balance',
    message: 'Sorry, your account balance is insufficient',
  },
  {
    title: 'code as text',
    status: 403,
    body: JSON.stringify({ code: '30001', message: 'no money' }),
    kind: 'balance',
    message: 'no money',
    code: '30001',
  },
  { title: 'identity', status: 403, body: 'Forbidden', kind: 'permission', message: 'Forbidden' },
  {
    title: 'quota',
    status: 403,
    body: platform(30011, 'paid only'),
    kind: 'permission',
    message: 'paid only',
    code: 30011,
  },
  {
    title: 'one id',
    status: 404,
    body: platform(20015, 'No such object.'),
    kind: 'notFound',
    message: 'No such object.',
    code: 20015,
  },
  { title: 'method', status: 405, body: 'Method Not Allowed', kind: 'notOffered', message: 'Method Not Allowed' },
  {
    title: 'gone',
    status: 410,
    body: '',
    kind: 'notOffered',
    message: 'The response is empty (status 410).',
    fromService: false,
  },
  {
    title: 'payload',
    status: 413,
    body: '<html><head><title>413 Too Large</title></head></html>',
    kind: 'requestTooLarge',
    message: 'The response is a web page: 413 Too Large',
    fromService: false,
  },
  {
    title: 'validation list',
    status: 422,
    body: JSON.stringify({ detail: [{ loc: ['body'], msg: 'x' }] }),
    kind: 'badRequest',
    message: '[{"loc":["body"],"msg":"x"}]',
  },
  ...['RPM', 'RPH', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD', 'XPM'].map((kind): Case => ({
    title: `limit ${kind}`,
    status: 429,
    body: limit(kind),
    kind: 'rateLimit',
    message: limitWords(kind),
    limit: kind,
  })),
  {
    title: 'limit as bare text',
    status: 429,
    body: limitWords('TPM'),
    kind: 'rateLimit',
    message: limitWords('TPM'),
    limit: 'TPM',
  },
  {
    title: 'limit spelled out',
    status: 429,
    body: provider('Rate limit reached: 3 requests per day'),
    kind: 'rateLimit',
    message: 'Rate limit reached: 3 requests per day',
    limit: 'RPD',
  },
  {
    title: 'busy as 429',
    status: 429,
    body: platform(50603, 'System is really busy.'),
    kind: 'rateLimit',
    message: 'System is really busy.',
    code: 50603,
  },
  {
    title: 'limit with overflow words',
    status: 429,
    body: limitWords('TPM') + ' max_seq_len',
    kind: 'rateLimit',
    message: limitWords('TPM') + ' max_seq_len',
    limit: 'TPM',
  },
  ...[50505, 50508, 50603].map((code): Case => ({
    title: `overloaded ${code}`,
    status: 503,
    body: platform(code, 'busy'),
    kind: 'overloaded',
    message: 'busy',
    code,
  })),
  {
    title: "Anthropic's overload",
    status: 529,
    body: JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    kind: 'overloaded',
    message: 'Overloaded',
  },
  {
    title: 'llama.cpp while loading',
    status: 503,
    body: JSON.stringify({ error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
    kind: 'overloaded',
    message: 'Loading model',
    code: 503,
  },
  {
    title: "Ollama's text error",
    status: 404,
    body: JSON.stringify({ error: 'model "x" not found, try pulling it first' }),
    kind: 'unknownModel',
    message: 'model "x" not found, try pulling it first',
  },
  {
    title: 'server',
    status: 500,
    body: platform(60000, 'unknown error'),
    kind: 'server',
    message: 'unknown error',
    code: 60000,
  },
  {
    title: 'server without a message',
    status: 500,
    body: '',
    kind: 'server',
    message: 'The response is empty (status 500).',
    fromService: false,
  },
  {
    title: '504 text',
    status: 504,
    body: 'upstream request timeout',
    kind: 'server',
    message: 'upstream request timeout',
  },
  { title: '504 JSON string', status: 504, body: '"Gateway Timeout"', kind: 'server', message: 'Gateway Timeout' },
  {
    title: 'gateway page',
    status: 502,
    body: '<!DOCTYPE html>\n<html><head><title>502 Bad\n Gateway</title></head></html>',
    kind: 'server',
    message: 'The response is a web page: 502 Bad Gateway',
    fromService: false,
  },
  {
    title: 'gateway page in XHTML',
    status: 502,
    body: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "x">\n<html><head><title>502 Bad Gateway</title></head></html>',
    kind: 'server',
    message: 'The response is a web page: 502 Bad Gateway',
    fromService: false,
  },
  {
    title: 'redirect',
    status: 302,
    body: '',
    kind: 'badResponse',
    message: 'The response is empty (status 302).',
    fromService: false,
  },
  {
    title: 'null message',
    status: 400,
    body: JSON.stringify({ code: 20015, message: null, data: 'more' }),
    kind: 'badRequest',
    message: '{"code":20015,"message":null,"data":"more"}',
    code: 20015,
  },
];

describe('an error response', () => {
  for (const { title, status, body, kind, message, code, limit: limitKind, parameter, fromService = true } of cases) {
    it(`is classified by its status and body: ${status}, ${title}`, () => {
      const error = toApiError({ status, headers: {}, body, now: 0 });
      const { details } = error;
      assert.deepEqual(
        {
          kind: error.kind,
          message: error.message,
          status: details.status,
          code: details.code,
          limit: details.limit,
          parameter: details.parameter,
          fromService: details.fromService,
        },
        { kind, message, status, code, limit: limitKind, parameter, fromService },
      );
    });
  }

  it('has the trace ID, the request ID, and the requested wait', () => {
    const headers = { 'x-siliconcloud-trace-id': 'ti_1', 'x-request-id': 'req_1', 'retry-after': '2' };
    const { details } = toApiError({ status: 429, headers, body: '', now: 0 });
    assert.deepEqual([details.traceId, details.requestId, details.retryAfterMs], ['ti_1', 'req_1', 2000]);
    const body = JSON.stringify({ type: 'error', error: { type: 'x', message: 'm' }, request_id: 'req_2' });
    assert.equal(toApiError({ status: 500, headers: {}, body, now: 0 }).details.requestId, 'req_2');
  });

  it('reads a wait as seconds, date or milliseconds', () => {
    const now = Date.parse('2026-10-01T10:00:00Z');
    assert.equal(readRetryAfter({ 'retry-after': '1.5' }, now), 1500);
    assert.equal(readRetryAfter({ 'retry-after': 'Thu, 01 Oct 2026 10:00:05 GMT' }, now), 5000);
    assert.equal(readRetryAfter({ 'retry-after': 'Thu, 01 Oct 2026 09:00:00 GMT' }, now), 0);
    assert.equal(readRetryAfter({ 'retry-after-ms': '250', 'retry-after': '9' }, now), 250);
    assert.equal(readRetryAfter({ 'retry-after': 'soon' }, now), undefined);
    assert.equal(readRetryAfter({}, now), undefined);
  });

  it('has its message on one line', () => {
    assert.equal(readErrorBody('a\n\t b ').message, 'a b');
  });
});

describe('a response with status 200', () => {
  it('is an error if its envelope has another code, or contains an error', () => {
    const kinds = [
      { code: 50000, message: 'failed', status: false, data: null },
      { code: 20000, message: 'odd', status: false, data: null },
      { code: 20012, message: 'x', data: null },
      { code: 20015, message: 'x', data: null },
      { code: 50505, message: 'x', data: null },
      { code: 60000, message: 'x', data: null },
      { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      { type: 'error', error: { type: 'rate_limit_error', message: 'x' } },
      { type: 'error', error: { type: 'billing_error', message: 'x' } },
      { error: { message: 'x', code: 429, type: 'y' } },
      { error: 'it broke' },
    ].map((json) => {
      const facts = errorInAnswer(json);
      return facts && toAnswerError(facts).kind;
    });
    assert.deepEqual(kinds, [
      'server',
      'server',
      'unknownModel',
      'badRequest',
      'overloaded',
      'server',
      'overloaded',
      'rateLimit',
      'balance',
      'rateLimit',
      'server',
    ]);
  });

  it("isn't an error if it only resembles one", () => {
    for (const json of [
      { code: 20000, message: 'OK', status: true, data: {} },
      { id: 'x', error: null },
      { error: '' },
      { code: 'print(1)', message: 'a program' },
      { status: 'Failed', reason: 'x' },
      [],
      'text',
      null,
    ]) {
      assert.equal(errorInAnswer(json), undefined, JSON.stringify(json));
    }
  });
});
