import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundleProgram } from './programs';

export interface McpServer {
  readonly client: Client;
  readonly pid: number;
  /** The server's standard error so far. */
  errors(this: void): string;
  /** The text of a tool's response, whether it is an error, and its images in base64. */
  call(
    this: void,
    name: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly pictures: readonly string[] }>;
  close(): Promise<void>;
}

export interface McpOptions {
  /** The client's roots. Without them, it reports none. */
  readonly roots?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Only the newest or an old protocol. Defaults to the client's choice. */
  readonly protocol?: ClientOptions['versionNegotiation'];
  /** The working directory. */
  readonly startIn?: string;
}

/** An image is rendered in the tests' process, which can be busy for longer than a client's usual timeout. */
const longestCallMs = 150_000;

/** The program, bundled next to the one it starts. */
export async function bundleMcp(): Promise<string> {
  await bundleProgram('src/cli/checkWorker.ts');
  return bundleProgram('src/cli/mcp.ts');
}

/** Opens the server in a separate process, with the official client. Its records are in `folder`, where it also works. */
export async function openMcp(
  program: string,
  folder: string,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  { roots, environment, protocol, startIn }: McpOptions = {},
): Promise<McpServer> {
  const work = path.join(folder, 'work');
  await mkdir(work, { recursive: true });
  let errors = '';
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: {
      INFERENCE_DESK_BASE_URL: baseUrl,
      INFERENCE_DESK_API_KEY: apiKey,
      INFERENCE_DESK_STATE: path.join(folder, 'state'),
      ...environment,
    },
    cwd: startIn ?? work,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => (errors += String(chunk)));
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots ? { roots: {} } : {}, ...(protocol && { versionNegotiation: protocol }) },
  );
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  }
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    errors: () => errors,
    async call(name, input = {}) {
      const order = { name: `inferenceDesk_${name}`, arguments: input };
      const { content, isError } = await client.callTool(order, { timeout: longestCallMs });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      const pictures = content.flatMap((part) => (part.type === 'image' ? [part.data] : []));
      return { text, isError: isError === true, pictures };
    },
    close: () => client.close(),
  };
}
