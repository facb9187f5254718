import { keyVariable, messagesUrl } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { literal, pythonSyntax, quoted } from './literal';

/**
 * Returns a program for Python 3 and its standard library. It sets its own user agent, because some gateways reject the library's.
 */
export function toPython(request: ExportedRequest): string {
  return `import json
import os
import sys
import urllib.error
import urllib.request

key = os.environ.get("${keyVariable}")
if not key:
    sys.exit("Set ${keyVariable} to your API key.")

body = ${literal(request.body, pythonSyntax)}

request = urllib.request.Request(
    ${quoted(messagesUrl(request))},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": "Bearer " + key,
        "Content-Type": "application/json",
        "User-Agent": "inference-desk-export",
    },
)
try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {error.read().decode(errors='replace')}")

sys.stdout.reconfigure(encoding="utf-8")
print("".join(block.get("text", "") for block in answer["content"]))
`;
}
