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

An MCP server over standard input and output: one message a line, of up to 10 MB. It is set up by
its environment:
  INFERENCE_DESK_BASE_URL  the address of the service, such as https://api.example.com/v1
  INFERENCE_DESK_API_KEY   its API key; set to nothing for a service that needs none
  INFERENCE_DESK_KEY_HEADER
                           optional: x-api-key for a service that wants the key in that header
  INFERENCE_DESK_ALLOW_HTTP
                           optional: 1 allows http to a host in a private network, where anyone
                           can then read the key and all that is sent
  INFERENCE_DESK_FOLDER    optional: the only folder whose files are read and written; otherwise
                           what the client names as its roots, or the folder it is started in
                           (unless that is the whole disk or your home is in it)
  INFERENCE_DESK_STATE     optional: the folder for records of what was ordered
  INFERENCE_DESK_DAILY_SPENDING
                           optional: the maximum amount to spend per day, such as 2.50, in the
                           currency of the account
  INFERENCE_DESK_DAILY_TOKENS
                           optional: once so many tokens were used on a day, nothing is ranked
                           or found by meaning until midnight; pictures, videos and batches,
                           which take no tokens of the day, are not held to it
  INFERENCE_DESK_TOOL_TOKENS
                           optional: so many tokens may be used on a day by ranking and finding;
                           5000000 where it is not set, 0 for no limit
  INFERENCE_DESK_DAILY_ORDERS
                           optional: so many pictures, videos and batches may be ordered on a
                           day; 50 where it is not set, 0 for no limit
  INFERENCE_DESK_USAGE     optional: the folder where the tokens of each day are counted
  INFERENCE_DESK_SPENDING  optional: the file with what the balance shows was spent today
  INFERENCE_DESK_TOOL_USAGE
                           optional: the folder where those of ranking and finding are
  INFERENCE_DESK_SECRET_FILES
                           optional: patterns of more files that are not read, as a JSON list:
                           ["**/plans/**", "*.draft"]
`;

export interface Started {
  readonly arguments: readonly string[];
  /** Folder of this program and of those it starts. */
  readonly programs: string;
}

/** Serves until standard input ends. Standard output carries only the protocol; everything else goes to standard error. */
export async function runServer({ arguments: given, programs }: Started): Promise<void> {
  const [first] = given;
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
    onerror: host.connection.onTrouble,
  });
  await ended;
  await closeAll(handle, host).catch(host.connection.onTrouble);
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
