import { keyVariable, messagesUrl } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { jsonSyntax, literal } from './literal';

/** No line of a body can be this one: they begin with white space or a bracket. */
const endOfBody = 'END_OF_REQUEST';

/**
 * A command for a POSIX shell. The body goes in over standard input: as an argument it would end at 128 KiB on Linux, and
 * nothing in a quoted here-document is replaced.
 */
export function toCurl(request: ExportedRequest): string {
  return `curl --silent --show-error --fail-with-body ${shellQuoted(messagesUrl(request))} \\
  --header "Authorization: Bearer \${${keyVariable}:?is not set}" \\
  --header 'Content-Type: application/json' \\
  --data-binary @- <<'${endOfBody}'
${literal(request.body, jsonSyntax)}
${endOfBody}
`;
}

/** One word for a POSIX shell, which replaces nothing between single quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
