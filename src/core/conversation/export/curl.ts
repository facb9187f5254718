import { keyHeader, keyVariable, requestUrl, versionHeaders } from './exportedRequest';
import type { ExportedRequest, KeyWay } from './exportedRequest';
import { jsonSyntax, literal } from './literal';

/** Cannot occur as a line of the body, whose lines begin with white space or a bracket. */
const endOfBody = 'END_OF_REQUEST';

/** Returns a command for a POSIX shell that sends the request and takes the key from `keyVariable`. */
export function toCurl(request: ExportedRequest): string {
  return curlCommand({ method: 'POST', url: requestUrl(request), body: request.body, key: request.key });
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** An object or array, sent as JSON; absent for a request without a body. */
  readonly body?: object | undefined;
  readonly key: KeyWay;
}

/**
 * Returns a command for a POSIX shell. The body goes over standard input: an argument is limited to 128 KiB on Linux, and a quoted
 * here-document expands nothing.
 */
export function curlCommand({ method, url, body, key }: CurlRequest): string {
  const lines = [
    `curl --silent --show-error --fail-with-body --request ${method} ${shellQuoted(url)}`,
    ...(key === 'none' ? [] : [keyOption(key)]),
    ...Object.entries(versionHeaders(key)).map(([name, value]) => `  --header '${name}: ${value}'`),
  ];
  if (body === undefined) return `${lines.join(' \\\n')}\n`;
  lines.push(`  --header 'Content-Type: application/json'`, `  --data-binary @- <<'${endOfBody}'`);
  return `${lines.join(' \\\n')}\n${literal(body, jsonSyntax)}\n${endOfBody}\n`;
}

function keyOption(key: Exclude<KeyWay, 'none'>): string {
  const { name, before } = keyHeader(key);
  return `  --header "${name}: ${before}\${${keyVariable}:?is not set}"`;
}

/** Quotes text as one word for a POSIX shell, which expands nothing between single quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
