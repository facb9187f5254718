import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  type Tool,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { agentTools } from '../../core/agentTools/agentTools';
import { describedFor, inputSchemaOf, type AgentTool } from '../../core/agentTools/agentTool';
import { runAgentTool } from '../../core/agentTools/runAgentTool';
import { foreign, visibleText } from '../../core/text/foreignText';
import type { ToolHost } from '../../core/agentTools/toolHost';
import type { HostRuntime } from './host';
import { requestProblemText } from './requests';

const instructions =
  'Tools for an inference service: reranking, semantic search in files, images, videos, and batches. Images, videos, and batches cost money, and this server does not ask for confirmation. Get the agreement of the user before each of them. Jobs continue when this server ends.';

/** The newest protocol asks for roots in its result, older ones with a request from the server. */
export type Era = 'legacy' | 'modern';

export function createMcpServer(runtime: HostRuntime, version: string, era: Era): Server {
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

/** Whether what the tool does is seen by its job, or costs nothing. */
function isJobTool({ name }: AgentTool): boolean {
  return name !== 'inferenceDesk_rerank' && name !== 'inferenceDesk_findFiles';
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

/** Returns the absolute paths the call may use; `undefined` if the client must be asked first. */
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
