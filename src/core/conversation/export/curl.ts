import { keyVariable, messagesUrl } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { jsonSyntax, literal } from './literal';

/** No line of a body can be this one: they begin with white space or a bracket. */
const endOfBody = 'END_OF_REQUEST';

/** A command for a POSIX shell that sends the request and takes the key from `keyVariable`. */
export function toCurl(request: ExportedRequest): string {
  return curlCommand({ method: 'POST', url: messagesUrl(request), body: request.body });
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** An object or array that is sent as JSON; without it nothing is. */
  readonly body?: object | undefined;
}

/**
 * A command for a POSIX shell. The body goes in over standard input: as an argument it would end at 128 KiB on Linux, and
 * nothing in a quoted here-document is replaced.
 */
export function curlCommand({ method, url, body }: CurlRequest): string {
  const lines = [
    `curl --silent --show-error --fail-with-body --request ${method} ${shellQuoted(url)}`,
    `  --header "Authorization: Bearer \${${keyVariable}:?is not set}"`,
  ];
  if (body === undefined) return `${lines.join(' \\\n')}\n`;
  lines.push(`  --header 'Content-Type: application/json'`, `  --data-binary @- <<'${endOfBody}'`);
  return `${lines.join(' \\\n')}\n${literal(body, jsonSyntax)}\n${endOfBody}\n`;
}

/** One word for a POSIX shell, which replaces nothing between single quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
