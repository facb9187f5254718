import { ApiError, isApiError } from '../errors';
import type { ApiErrorKind } from '../errorKinds';

interface SystemError extends Error {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
}

/** OpenSSL's verification results and Node's host name check, as spelled in Node's `code`. */
const certificateCode =
  /^(CERT_|CRL_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;
const tlsCode = /^(EPROTO|ERR_SSL_|ERR_TLS_)/;
/** The response is not HTTP as the parser knows it. */
const malformedCode = /^(HPE_|UND_ERR_HEADERS_OVERFLOW)/;
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
]);
/** The stack is closing, or the caller ended the connection. */
const endedCodes = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'ABORT_ERR']);

interface Progress {
  /** Whether bytes of the request may have been sent. `unknown` if the stack can't tell, so that the error's code decides. */
  readonly sent: boolean | 'unknown';
  /** Whether status and headers had arrived. */
  readonly answered: boolean;
}

/** Converts any failure of a stack into an `ApiError`. Returns an `ApiError` (of a failed body, say) unchanged. */
export function toStackError(error: unknown, url: URL, progress: Progress): ApiError {
  if (isApiError(error)) return error;
  const root = rootOf(error);
  const code = typeof root.code === 'string' ? root.code : undefined;
  const sent = progress.sent === 'unknown' ? !isUnsent(root, code) : progress.sent;
  // The message of undici's proxy agent, and of the editor's.
  const tunnelStatus = /Proxy response \((\d+)\)/.exec(root.message)?.[1];
  if (tunnelStatus) return proxyError(Number(tunnelStatus), error);
  if (/socket connection to proxies/.test(root.message)) {
    return new ApiError({ kind: 'proxy', message: 'The proxy could not be reached.', sent: false, cause: error });
  }
  if (code && certificateCode.test(code)) {
    return new ApiError({
      kind: 'certificate',
      message: `${code}: ${certificateFact(code)} (${url.host}).`,
      sent: false,
      cause: error,
    });
  }
  const fact = `${code ?? root.name}: ${factOf(code, root)} (${url.host}).`;
  if (isAboutProxy(root, url)) return new ApiError({ kind: 'proxy', message: fact, sent: false, cause: error });
  return new ApiError({
    kind: root.name === 'HTTPParserError' ? 'badResponse' : kindOf(code, progress.answered),
    message: fact,
    sent,
    ...(code === 'UND_ERR_CONNECT_TIMEOUT' ? { phase: 'connect' } : {}),
    cause: error,
  });
}

/** Returns the error for a proxy's refusal: only a proxy sends 407, and a tunnel that failed to open never reached the service. */
export function proxyError(status: number, cause?: unknown): ApiError {
  const fact = status === 407 ? 'The proxy requires a password' : 'The proxy did not connect to the service';
  return new ApiError({ kind: 'proxy', message: `${fact} (${status}).`, status, sent: false, cause });
}

/** Returns the outermost error with a string code: `fetch` wraps (twice, with numeric codes), and several addresses give an aggregate. */
function rootOf(error: unknown): SystemError {
  let current: SystemError = error instanceof Error ? error : new Error(String(error));
  for (let depth = 0; depth < 5; depth += 1) {
    const inner: unknown =
      current instanceof AggregateError
        ? current.errors[0]
        : typeof current.code !== 'string'
          ? current.cause
          : undefined;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  return current;
}

function isUnsent(root: SystemError, code: string | undefined): boolean {
  if (code === undefined) return false;
  return (
    unsentCodes.has(code) ||
    certificateCode.test(code) ||
    tlsCode.test(code) ||
    root.syscall === 'connect' ||
    root.syscall === 'getaddrinfo'
  );
}

/** A connection or name other than the requested address can only be the proxy's. */
function isAboutProxy(root: SystemError, url: URL): boolean {
  if (root.syscall === 'getaddrinfo') return typeof root.hostname === 'string' && root.hostname !== url.hostname;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return root.syscall === 'connect' && typeof root.port === 'number' && root.port !== port;
}

function kindOf(code: string | undefined, answered: boolean): ApiErrorKind {
  if (code !== undefined) {
    if (endedCodes.has(code)) return 'aborted';
    if (malformedCode.test(code)) return 'badResponse';
    if (code === 'UND_ERR_INVALID_ARG') return 'invalidParameter';
    if (/^UND_ERR_.*TIMEOUT$/.test(code)) return 'timeout';
  }
  return answered ? 'truncated' : 'network';
}

const facts: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'the name was not found'],
  ['EAI_NODATA', 'the name was not found'],
  ['EAI_AGAIN', 'the name server did not respond'],
  ['EAI_FAIL', 'the name server did not respond'],
  ['ECONNREFUSED', 'the server rejected the connection'],
  ['ECONNRESET', 'the server closed the connection'],
  ['EPIPE', 'the server closed the connection'],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  ['EHOSTUNREACH', 'the network cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ETIMEDOUT', 'the connection took too long'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection took too long'],
]);

function factOf(code: string | undefined, root: SystemError): string {
  const fact = code && facts.get(code);
  if (fact) return fact;
  return code && tlsCode.test(code) ? 'the secure connection failed' : root.message || 'the connection failed';
}

function certificateFact(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'the certificate is not valid yet';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return 'the certificate is for another name';
  return 'the certificate is not trusted';
}
