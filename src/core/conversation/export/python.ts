import { keyHeader, keyVariable, requestUrl, versionHeaders } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { literal, pythonSyntax, quoted } from './literal';

/**
 * Returns a program for Python 3 and its standard library. It sets its own user agent, because some gateways reject the library's.
 */
export function toPython(request: ExportedRequest): string {
  return `import json
${request.key === 'none' ? '' : 'import os\n'}import sys
import urllib.error
import urllib.request

${keyOf(request)}body = ${literal(request.body, pythonSyntax)}

request = urllib.request.Request(
    ${quoted(requestUrl(request))},
    data=json.dumps(body).encode(),
    headers={
${headersOf(request)
  .map((header) => `        ${header},`)
  .join('\n')}
    },
)
try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {error.read().decode(errors='replace')}")

sys.stdout.reconfigure(encoding="utf-8")
print(${request.path === '/messages' ? printMessage : printChoice})
`;
}

const printMessage = `"".join(block.get("text", "") for block in answer["content"])`;
const printChoice = `answer["choices"][0]["message"].get("content") or ""`;

function keyOf({ key }: ExportedRequest): string {
  if (key === 'none') return '';
  return `key = os.environ.get("${keyVariable}")
if not key:
    sys.exit("Set ${keyVariable} to your API key.")

`;
}

function headersOf({ key }: ExportedRequest): readonly string[] {
  const others = { 'Content-Type': 'application/json', 'User-Agent': 'inference-desk-export', ...versionHeaders(key) };
  const lines = Object.entries(others).map(([name, value]) => `"${name}": "${value}"`);
  if (key === 'none') return lines;
  const { name, before } = keyHeader(key);
  return [`"${name}": ${before === '' ? '' : `"${before}" + `}key`, ...lines];
}
