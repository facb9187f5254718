import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
  Tool,
  ServerOptions,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describedFor, inputSchemaOf } from '../../core/agentTools/agentTool';
import type { AgentTool } from '../../core/agentTools/agentTool';
import { agentTools } from '../../core/agentTools/agentTools';
import { runAgentTool } from '../../core/agentTools/runAgentTool';
import type { ToolHost } from '../../core/agentTools/toolHost';
import { foreign, visibleText } from '../../core/text/foreignText';
import { openHost } from './host';
import type { HostRuntime } from './host';
import { BadEnvironment, readEnvironment } from './environment';
import type { McpEnvironment } from './environment';
import { LineTransport } from './lineTransport';
import { requestProblemText } from './requests';

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
  INFERENCE_DESK_USAGE, INFERENCE_DESK_TOOL_USAGE, INFERENCE_DESK_SPENDING
                           Set by VS Code, which shares its daily limits with this server.
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
  // Responses might still be read after standard error was closed.
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

/** Resolves once the client disconnects or the process is asked to exit. A second signal exits immediately. */
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

const instructions =
  "Tools for an inference service: reranking, semantic search, images, videos, batches, and evals. The last four cost money, and this server does not ask for confirmation. Get the user's agreement before each of them. Jobs continue when this server ends.";

/** The newest protocol asks for roots in its result, older ones with a request from the server. */
type Era = 'legacy' | 'modern';

function createMcpServer(runtime: HostRuntime, version: string, era: Era): Server {
  const server = new Server(
    { name: 'inference-desk', title: 'Inference Desk', version },
    { capabilities: { tools: { listChanged: true } }, instructions, jsonSchemaValidator: noValidator },
  );
  const { lacks, onChangeOffers, onError } = runtime.connection;
  const offered = () => agentTools.filter(({ needs = [] }) => !lacks(...needs));
  let listed = offered().length;
  onChangeOffers(() => {
    const now = offered().length;
    if (now !== listed) server.sendToolListChanged().catch(onError);
    listed = now;
  });
  server.setRequestHandler('tools/list', () => ({ tools: offered().map(toTool) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = agentTools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${foreign(params.name)}.`);
    const roots = await rootsFor(tool, { server, era, context, runtime });
    return roots === undefined ? askForRoots() : callTool(tool, params.arguments, { roots, context, runtime });
  });
  return server;
}

function toTool(tool: AgentTool): Tool {
  const { name, title, readOnly, costs } = tool;
  return {
    name,
    title,
    description: describedFor(tool, 'server'),
    inputSchema: { ...inputSchemaOf(tool), type: 'object' },
    annotations: {
      title,
      // Clients run read-only tools without asking.
      readOnlyHint: readOnly && costs === 'nothing',
      destructiveHint: false,
      idempotentHint: costs === 'nothing',
      openWorldHint: name !== 'inferenceDesk_checkBatchFile',
    },
  };
}

type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };

interface Call {
  readonly context: ServerContext;
  readonly runtime: HostRuntime;
}

/** Whether the tool's work is visible in its job, or is free. */
function isJobTool({ name }: AgentTool): boolean {
  return !/_(?:rerank|findFiles|runEval)$/.test(name);
}

async function callTool(
  tool: AgentTool,
  input: unknown,
  { roots, context, runtime }: Call & { readonly roots: readonly string[] },
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const progress = startProgress(context);
  const run = (host: ToolHost) => runAgentTool(tool, input, { host, signal, explain: requestProblemText });
  try {
    const host = await runtime.hostFor(roots, progress.report);
    const {
      text,
      isError,
      pictures = [],
    } = await (isJobTool(tool) ? run(host) : runtime.connection.progress.around(tool.title, () => run(host)));
    const shown = pictures.map(({ bytes, contentType: mimeType }) => {
      return { type: 'image' as const, data: Buffer.from(bytes).toString('base64'), mimeType };
    });
    return { content: [{ type: 'text', text: visibleText(text) }, ...shown], ...(isError && { isError }) };
  } catch (error) {
    signal.throwIfAborted();
    runtime.connection.onError(error);
    const text = 'Unexpected error. See the server log. Tell the user.';
    return { content: [{ type: 'text', text }], isError: true };
  } finally {
    progress.stop();
  }
}

const worksWithoutFolder: ReadonlySet<string> = new Set([
  'inferenceDesk_videoStatus',
  'inferenceDesk_batchStatus',
  'inferenceDesk_listModels',
  'inferenceDesk_accountBalance',
]);
const rootsMs = 10_000;

/** Returns the absolute paths that the call may use, or `undefined` if the client must be asked first. */
async function rootsFor(
  { name }: AgentTool,
  { server, era, context, runtime }: Call & { readonly server: Server; readonly era: Era },
): Promise<readonly string[] | undefined> {
  const { folder, startedIn } = runtime.environment;
  const own = [folder ?? startedIn].filter((path) => path !== undefined);
  if (folder !== undefined || worksWithoutFolder.has(name)) return own;
  const { envelope, inputResponses, signal } = context.mcpReq;
  if (era === 'legacy') {
    if (!server.getClientCapabilities()?.roots) return own;
    const answer = await server.listRoots(undefined, { timeout: rootsMs, signal }).catch(() => undefined);
    signal.throwIfAborted();
    return localFolders(answer?.roots ?? []);
  }
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (envelope ?? {}) as Envelope;
  if (!capabilities?.roots) return own;
  if (inputResponses === undefined) return undefined;
  const answer = inputResponse(inputResponses, 'roots');
  return answer.kind === 'roots' ? localFolders(answer.roots) : [];
}

function askForRoots(): InputRequiredResult {
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
}

/** Returns the paths of the roots that are on this machine. */
function localFolders(roots: readonly { readonly uri: string }[]): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return [];
    }
  });
}

/** Replaces the SDK's form validators, which are 120 kB: this server never asks the user for form input. */
const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator() {
    throw new Error('This server does not use forms.');
  },
};

interface CallProgress {
  report(this: void, done: number, total: number | undefined, message: string): void;
  stop(): void;
}

/** Clients abandon a call after a minute without any progress. */
const signOfLifeMs = 5000;
const reportEveryMs = 500;

/** Sends progress notifications to the client, if it asked for them. */
function startProgress({ mcpReq }: ServerContext): CallProgress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => undefined, stop: () => undefined };
  let progress = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const tell = (message: string) => {
    progress += 1;
    reportedAt = performance.now();
    const params = { progressToken, progress, message: visibleText(message) };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const began = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - reportedAt < signOfLifeMs) return;
    tell(`Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, signOfLifeMs);
  return {
    report(done, total, message) {
      if (performance.now() - reportedAt >= reportEveryMs || done === total) {
        tell(`${message}: ${done}${total === undefined ? '' : ` of ${total}`}`);
      }
    },
    stop: () => clearInterval(timer),
  };
}
