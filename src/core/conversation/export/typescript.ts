import { keyVariable, messagesUrl } from './exportedRequest';
import type { ExportedRequest } from './exportedRequest';
import { literal, quoted, typescriptSyntax } from './literal';

/** Returns a module without dependencies that sends the request and prints the response's text; for Node and compatible runtimes. */
export function toTypeScript(request: ExportedRequest): string {
  return `import { env } from 'node:process';

const key = env['${keyVariable}'];
if (!key) throw new Error('Set ${keyVariable} to your API key.');

const request = ${literal(request.body, typescriptSyntax)};

const response = await fetch(${quoted(messagesUrl(request))}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' },
  body: JSON.stringify(request),
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);

interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

const answer = (await response.json()) as Answer;
console.log(answer.content.map(({ text }) => text ?? '').join(''));
`;
}
