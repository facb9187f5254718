import { keyHeader, keyVariable, requestUrl, versionHeaders } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { literal, quoted, typescriptSyntax } from './literal';

/** Returns a module without dependencies that sends the request and prints the response's text; for Node and compatible runtimes. */
export function toTypeScript(request: ExportedRequest): string {
  return `${keyOf(request)}const request = ${literal(request.body, typescriptSyntax)};

const response = await fetch(${quoted(requestUrl(request))}, {
  method: 'POST',
  headers: { ${headersOf(request).join(', ')} },
  body: JSON.stringify(request),
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);

${request.path === '/messages' ? printMessage : printChoice}`;
}

function keyOf({ key }: ExportedRequest): string {
  if (key === 'none') return '';
  return `import { env } from 'node:process';

const key = env['${keyVariable}'];
if (!key) throw new Error('Set ${keyVariable} to your API key.');

`;
}

function headersOf({ key }: ExportedRequest): readonly string[] {
  const type = "'content-type': 'application/json'";
  const versions = Object.entries(versionHeaders(key)).map(([name, value]) => `'${name}': '${value}'`);
  if (key === 'none') return [type, ...versions];
  const { name, before } = keyHeader(key);
  return [`${/^\w+$/.test(name) ? name : `'${name}'`}: \`${before}\${key}\``, type, ...versions];
}

const printMessage = `interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

const answer = (await response.json()) as Answer;
console.log(answer.content.map(({ text }) => text ?? '').join(''));
`;

const printChoice = `interface Answer {
  readonly choices: readonly { readonly message: { readonly content?: string | null } }[];
}

const answer = (await response.json()) as Answer;
console.log(answer.choices[0]?.message.content ?? '');
`;
