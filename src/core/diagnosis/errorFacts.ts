import { isApiError } from '../api/errors';
import type { ApiError } from '../api/errors';
import { systemCode } from '../network/systemCode';

/** How many stack locations in the extension's own files are reported per error. */
const maxPlaces = 3;

/**
 * Returns the facts about an error that say where to look, without anything a person typed or any file name: from its message only
 * what the engine itself wrote, from its stack only locations in the extension's files.
 */
export function errorFacts(error: unknown): string {
  const code = systemCode(error);
  const parts = [
    isApiError(error) ? error.kind : nameOf(error),
    code !== undefined && codeForm.test(code) ? code : undefined,
    ...(isApiError(error) ? callFacts(error.details) : [engineMessage(error), ...placesIn(error)]),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Error codes of the system, Node.js, OpenSSL's verification and the network stack. */
const codeForm =
  /^(E[A-Z]{2,15}|(ERR|UND_ERR|HPE|CERT|CRL|UNABLE|SELF_SIGNED|DEPTH|HOSTNAME|INVALID|PATH)_[A-Z_]{2,60})$/;
const endpointForm = /^(GET|POST|DELETE) (\/.*)$/;
const traceForm = /^[\w-]{4,80}$/;

function* callFacts({ status, phase, hint, endpoint, traceId }: ApiError['details']): Generator<string> {
  const [, method, path] = endpointForm.exec(endpoint ?? '') ?? [];
  if (method !== undefined && path !== undefined) yield `${method} ${routeOf(path)}`;
  if (typeof status === 'number') yield String(status);
  if (phase !== undefined && phases.has(phase)) yield `timer ${phase}`;
  if (hint !== undefined && hints.has(hint)) yield hint;
  const trace = traceOf(traceId);
  if (trace !== undefined) yield `trace ${trace}`;
}

const phases: ReadonlySet<string> = new Set(['connect', 'firstByte', 'idle', 'total']);
const hints: ReadonlySet<string> = new Set([
  'missingVersion',
  'wrongBaseUrl',
  'redirected',
  'malformedKey',
  'noKey',
  'unknownKey',
  'empty',
  'webPage',
]);

/** Returns the trace id by which support finds a call; `undefined` if it has an unexpected form. */
export function traceOf(traceId: string | undefined): string | undefined {
  return traceId !== undefined && traceForm.test(traceId) ? traceId : undefined;
}

const names: ReadonlySet<string> = new Set(
  'Error TypeError RangeError ReferenceError SyntaxError URIError AggregateError AbortError UserError StepFailure'.split(
    ' ',
  ),
);

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return names.has(error.name) ? error.name : 'Error';
}

/** V8's messages about programming errors, which contain only the program's own identifiers. */
const engineForms: readonly RegExp[] = [
  /^Cannot (read|set) properties of (undefined|null)/,
  /^[\w$.()]{1,60} is not (a function|defined|iterable|a constructor)$/,
  /^Assignment to constant variable/,
  /^Maximum call stack size exceeded$/,
  /^Invalid (array|string) length$/,
  /^Invalid time value$/,
  /^Array buffer allocation failed$/,
];

function engineMessage(error: unknown): string | undefined {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)) return undefined;
  for (const form of engineForms) {
    const [said] = form.exec(error.message) ?? [];
    if (said !== undefined) return said;
  }
  return undefined;
}

function placesIn(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { message, stack } = error;
  // The stack begins with the message, whose lines may look like stack frames.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames
    .map((frame) => /^ {4}at .*[/\\]dist[/\\]((?:chunks[/\\])?[\w-]{1,60}\.js:\d+:\d+)\)?$/.exec(frame)?.[1])
    .filter((place) => place !== undefined)
    .slice(0, maxPlaces);
}

/** The words in the paths of the service's API. Any other path segment may be private. */
const pathWords: ReadonlySet<string> = new Set(
  [
    'demo v1 v2 v3 v4 messages chat completions models user info rerank embeddings images generations video submit status',
    'audio speech transcriptions voice list deletions upload uploads files batches content cancel',
  ].flatMap((line) => line.split(' ')),
);

/** Returns a path without its query, with `…` for ids and for anything before the version but the mark of the demo service. */
export function routeOf(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  return bare
    .split('/')
    .map((segment) => (segment === '' || pathWords.has(segment) ? segment : '…'))
    .join('/');
}
