import type { ApiErrorKind } from '../../../../src/core/api/errorKinds';
import type { EndpointName } from '../../../../src/demo/endpointNames';
import { faults } from '../../../../src/demo/faults';
import type { Fault } from '../../../../src/demo/faults/fault';

/** How a call with a fault is to end. */
export interface Expected {
  /** Absent: it succeeds. */
  readonly kind?: ApiErrorKind;
  /** How often it is sent where it only reads, and where it starts work. */
  readonly reads: number;
  readonly starts: number;
  /** Whether work that was started may have been billed. */
  readonly billed: boolean;
}

const fine: Expected = { reads: 1, starts: 1, billed: false };
const final = (kind: ApiErrorKind): Expected => ({ kind, reads: 1, starts: 1, billed: false });
const perMinute: Expected = { kind: 'rateLimit', reads: 5, starts: 5, billed: false };
const overloaded: Expected = { kind: 'overloaded', reads: 3, starts: 3, billed: false };
/** Read again, but never started again: the work may have been done. */
const unclear = (kind: ApiErrorKind): Expected => ({ kind, reads: 3, starts: 1, billed: true });
const unreadable: Expected = { kind: 'badResponse', reads: 1, starts: 1, billed: true };
const cut: Expected = { kind: 'truncated', reads: 3, starts: 1, billed: true };

const byFault: Readonly<Record<string, Expected>> = {
  ...Object.fromEntries(
    ['rpm', 'tpm', 'ipm'].flatMap((limit) => [
      [`rate-limit-${limit}`, perMinute],
      [`rate-limit-${limit}-retry-after`, perMinute],
    ]),
  ),
  ...Object.fromEntries(
    ['rph', 'rpd', 'tpd', 'ipd'].flatMap((limit) => [
      [`rate-limit-${limit}`, final('rateLimit')],
      [`rate-limit-${limit}-retry-after`, final('rateLimit')],
    ]),
  ),
  'rate-limit-date': perMinute,
  'rate-limit-some-seconds': perMinute,
  'rate-limit-long-wait': final('rateLimit'),
  'rate-limit-text': perMinute,
  'rate-limit-50603': perMinute,
  'overloaded-50505': overloaded,
  'overloaded-50508': overloaded,
  'overloaded-50603': overloaded,
  'anthropic-error': overloaded,
  'timeout-504-string': unclear('server'),
  'timeout-504-text': unclear('server'),
  'timeout-504-json': unclear('server'),
  'server-60000': unclear('server'),
  'server-empty': unclear('server'),
  'html-502': unclear('server'),
  'envelope-refused': unclear('server'),
  identity: final('permission'),
  'quota-30011': final('permission'),
  'balance-402': final('balance'),
  'balance-403': final('balance'),
  'token-invalid': final('auth'),
  'token-invalid-json': final('auth'),
  'key-unknown': final('auth'),
  'key-unknown-text': final('auth'),
  'unknown-model': final('unknownModel'),
  parameter: final('badRequest'),
  'no-tools': final('badRequest'),
  'no-images': final('badRequest'),
  'short-answers': final('tooLong'),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((wording) => [`context-overflow-${wording}`, final('tooLong')])),
  'path-missing': final('notOffered'),
  'id-missing': final('notFound'),
  method: final('notOffered'),
  gone: final('notOffered'),
  'gone-text': final('notOffered'),
  'html-200': unreadable,
  'empty-body': unreadable,
  'not-json': unreadable,
  'wrong-shape': unreadable,
  'redirect-elsewhere': final('badResponse'),
  'redirect-307': final('badResponse'),
  'url-expired': final('notFound'),

  'slow-first-byte': fine,
  'never-answers': unclear('timeout'),
  stall: unclear('timeout'),
  'cut-body': cut,
  'reset-before-headers': unclear('network'),
  'reset-after-headers': cut,
  'reset-during-upload': unclear('network'),
  'wrong-content-type': fine,

  'cut-stream': cut,
  'cut-before-done': cut,
  'stall-stream': unclear('timeout'),
  'delta-text-on-tool': fine,
  'delta-text-on-thinking': fine,
  'delta-empty-block': fine,
  'delta-wrong-index': fine,
  'delta-no-start': fine,
  'delta-no-stop': fine,
  'malformed-event': fine,
  'bare-error-line': unclear('server'),
  'error-event': { kind: 'overloaded', reads: 1, starts: 1, billed: true },
  'unknown-event': fine,
  'no-event-lines': fine,
  crlf: fine,
  comments: fine,
  'no-done': fine,
  'no-message-stop': fine,

  'empty-completion': fine,
  'thinking-only': fine,
  refusal: fine,
  'unknown-stop-reason': fine,
  'no-usage': fine,
  'foreign-index': fine,
  'repeated-index': fine,
  'no-score': fine,
  'same-scores': fine,
  'word-for-score': fine,

  'svg-script': fine,
  'plain-text-200': fine,
  'moved-inside': final('unsafeUrl'),
  'huge-declared': final('tooLarge'),
  'huge-undeclared': final('tooLarge'),

  'expired-url': fine,
  'failed-job': fine,
  'unknown-status': fine,
  'endless-job': fine,
  'no-address': fine,
};

/** Where an endpoint's own nature makes the difference. */
const byEndpoint: Readonly<Record<string, Readonly<Partial<Record<EndpointName, Expected>>>>> = {
  // Every service has a list of models: where its path is missing, the address is wrong.
  'path-missing': { 'GET /models': final('notFound') },
  // A call that names no model is not about one.
  'unknown-model': {
    'GET /models': final('badRequest'),
    'GET /files/{id}/content': final('badRequest'),
    'POST /batches/{id}/cancel': final('badRequest'),
    'DELETE /files/{id}': final('badRequest'),
    'GET /messages/batches/{id}': final('badRequest'),
    'POST /messages/batches/{id}/cancel': final('badRequest'),
  },
  // What is gone below an id is that one thing.
  gone: {
    'GET /files/{id}/content': final('notFound'),
    'GET /batches/{id}': final('notFound'),
    'POST /batches/{id}/cancel': final('notFound'),
    'DELETE /files/{id}': final('notFound'),
    'GET /messages/batches/{id}': final('notFound'),
    'POST /messages/batches/{id}/cancel': final('notFound'),
  },
  'gone-text': {
    'GET /files/{id}/content': final('notFound'),
    'GET /batches/{id}': final('notFound'),
    'POST /batches/{id}/cancel': final('notFound'),
    'DELETE /files/{id}': final('notFound'),
    'GET /messages/batches/{id}': final('notFound'),
    'POST /messages/batches/{id}/cancel': final('notFound'),
  },
  // A deletion may be answered with anything; a file may hold anything.
  'empty-body': {
    'POST /audio/voice/deletions': fine,
    'DELETE /files/{id}': fine,
    'GET /files/{id}/content': fine,
    'GET asset': fine,
  },
  'wrong-shape': { 'POST /audio/voice/deletions': fine, 'DELETE /files/{id}': fine, 'GET /files/{id}/content': fine },
  'not-json': { 'GET /files/{id}/content': fine },
  // A download follows, without the key: nobody is there, nothing is there.
  'redirect-elsewhere': { 'GET /files/{id}/content': final('network'), 'GET asset': final('network') },
  'redirect-307': { 'GET /files/{id}/content': final('notFound'), 'GET asset': final('notFound') },
  'envelope-refused': { 'GET /files/{id}/content': final('server') },
  // What is downloaded is tried once, and kept only when it is whole.
  'html-200': { 'GET asset': fine },
  'html-502': { 'GET asset': final('server') },
  'cut-body': { 'GET asset': final('truncated'), 'GET /files/{id}/content': final('truncated') },
  stall: { 'GET /files/{id}/content': final('timeout') },
  'reset-before-headers': { 'GET asset': final('network') },
  'reset-after-headers': { 'GET asset': final('truncated'), 'GET /files/{id}/content': final('truncated') },
};

/** One of each nature: an answer that is read, one that is paid for or streamed, a file on its way there, and one on its way here. */
const natures: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'GET /models',
  'POST /messages',
  'POST /files',
  'GET /files/{id}/content',
]);

/**
 * A choice of where a fault happens: at each nature of endpoint, where the table has a word of its own for it, and at one endpoint more, another
 * for each fault, so that each endpoint meets some.
 */
export function tellingEndpoints({ name, endpoints }: Fault): readonly EndpointName[] {
  const another = endpoints[faults.findIndex((fault) => fault.name === name) % endpoints.length];
  return endpoints.filter(
    (one) => endpoints.length <= 4 || natures.has(one) || one === another || byEndpoint[name]?.[one] !== undefined,
  );
}

/** `undefined` where the table has no word for it, which is a fault of the table. */
export function expectationOf(fault: string, endpoint: EndpointName): Expected | undefined {
  return byEndpoint[fault]?.[endpoint] ?? byFault[fault];
}

export const readingEndpoints: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'GET /user/info',
  'GET /models',
  'GET /files',
  'GET /files/{id}/content',
  'GET /batches',
  'GET /batches/{id}',
  'GET /messages/batches',
  'GET /messages/batches/{id}',
  'POST /video/status',
  'GET /audio/voice/list',
  'GET asset',
]);

/** They change something, so they are not sent twice; but nothing they do is billed. */
export const freeEndpoints: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'POST /batches/{id}/cancel',
  'POST /messages/batches/{id}/cancel',
  'DELETE /files/{id}',
  'POST /audio/voice/deletions',
]);
