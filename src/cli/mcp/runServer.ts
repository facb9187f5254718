import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openHost } from './host';
import type { HostRuntime } from './host';
import { BadEnvironment, readEnvironment } from './environment';
import type { McpEnvironment } from './environment';
import { LineTransport } from './lineTransport';
import { createMcpServer } from './server';

const usage = `usage: node mcp.js

Runs an MCP server over standard input and output. Each message is one line of up to 10 MB.
Set these environment variables:
  INFERENCE_DESK_BASE_URL  Base URL of the service, such as https://api.example.com/v1.
  INFERENCE_DESK_API_KEY   API key. Set to an empty value if the service needs none.

Optional:
  INFERENCE_DESK_KEY_HEADER
                           Header for the key: bearer or x-api-key.
  INFERENCE_DESK_ALLOW_HTTP
                           1 allows http to a private network, where anyone can read the key and
                           the requests.
  INFERENCE_DESK_FOLDER    The only folder whose files are read and written. Defaults to the roots
                           of the client, or to the start folder, unless that contains your home
                           folder.
  INFERENCE_DESK_STATE     Folder for job records.
  INFERENCE_DESK_EDITOR_STORAGE, INFERENCE_DESK_EDITOR_ACCOUNT
                           Set by VS Code, whose windows then show the jobs of this server.
  INFERENCE_DESK_DAILY_SPENDING
                           Maximum amount per day, such as 2.50, in the account currency.
  INFERENCE_DESK_PRICES    Prices by model ID, as a JSON object like the setting inferenceDesk.prices:
                           {"Qwen/*": {"input": 0.1, "output": 0.4}, "*image*": {"image": 0.05}}
                           Amounts are per million tokens, or per image or video.
  INFERENCE_DESK_DAILY_TOKENS
                           Maximum number of tokens per day. Does not apply to images, videos, and
                           batches.
  INFERENCE_DESK_TOOL_TOKENS
                           Maximum number of tokens per day for reranking and semantic search.
                           Defaults to 5000000, and 0 disables the limit.
  INFERENCE_DESK_DAILY_ORDERS
                           Maximum number of images, videos, and batches per day. Defaults to 50,
                           and 0 disables the limit.
  INFERENCE_DESK_USAGE     Folder for the daily token counts.
  INFERENCE_DESK_SPENDING  File for the daily spending according to the balance.
  INFERENCE_DESK_TOOL_USAGE
                           Folder for the daily token counts of those tools.
  INFERENCE_DESK_SECRET_FILES
                           More patterns of files that are never read, as a JSON array:
                           ["**/plans/**", "*.draft"]
`;

export interface Started {
  readonly arguments: readonly string[];
  /** Folder of this program and of those it starts. */
  readonly programs: string;
}

/** Serves until standard input ends. Standard output carries only the protocol; everything else goes to standard error. */
export async function runServer({ arguments: args, programs }: Started): Promise<void> {
  const [first] = args;
  if (first !== undefined) {
    process.stderr.write(usage);
    process.exitCode = first === '--help' || first === '-h' ? 0 : 2;
    return;
  }
  let environment: McpEnvironment;
  try {
    environment = readEnvironment(process.env);
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  await serve(environment, programs);
}

async function serve(environment: McpEnvironment, programs: string): Promise<void> {
  const ended = createEnd();
  // If nobody reads standard error any more, responses may still be read.
  process.stderr.on('error', () => undefined);
  const host = await openHost(environment, join(programs, 'checkWorker.js'), (line) => {
    process.stderr.write(`${line}\n`);
  });
  const version = await readVersion(programs);
  const handle = serveStdio(({ era }) => createMcpServer(host, version, era), {
    transport: new LineTransport(process.stdin, process.stdout),
    onerror: host.connection.onError,
  });
  await ended;
  await closeAll(handle, host).catch(host.connection.onError);
  process.exit(0);
}

async function closeAll(handle: { close(): Promise<void> }, host: HostRuntime): Promise<void> {
  await handle.close();
  await host.close();
}

/** Resolves once the client disconnects or the process is asked to exit. A second signal exits at once. */
function createEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once('end', end);
    process.stdin.once('close', end);
    process.stdin.on('error', end);
    process.stdout.on('error', end);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
}

async function readVersion(programs: string): Promise<string> {
  const text = await readFile(join(programs, '..', 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { readonly version?: string };
  return version ?? 'unknown';
}
