import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { AgentAnswer, AgentTool } from '../../core/agentTools/agentTool';
import { agentTools } from '../../core/agentTools/agentTools';
import { apiErrorMessage } from '../../core/agentTools/errorMessages';
import { runAgentTool } from '../../core/agentTools/runAgentTool';
import type { AgentToolName } from '../../core/agentTools/toolNames';
import { missingEndpoint } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import { isUserError } from '../../platform/errors/userError';
import { markdown } from '../../platform/notify';
import type { Services } from '../../services/services';
import { Confirmations, askByDialog } from './confirmations';
import type { Input } from './confirmations';
import { WorkspaceEvals } from './host/workspaceEvals';
import { WorkspaceFiles } from './host/workspaceFiles';
import { createToolHosts } from './host/workspaceToolHost';

/** Runs the tools for the editor. */
export interface LanguageModelToolAdapter {
  /** Has no side effects. Asks for confirmation of paid calls. Calls that will be rejected here or aren't offered require none. */
  prepare(name: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation>;
  /**
   * Rejects with a message for the model if the tool fails, so that VS Code reports an error to the model. Paid requests are sent exactly
   * as the user confirmed them during preparation, or not at all. For an input that wasn't prepared, for example because the user edited it
   * in VS Code's confirmation, this asks again.
   */
  invoke(name: AgentToolName, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult>;
}

export function createLanguageModelToolAdapter(
  services: Services,
  isTrusted = () => vscode.workspace.isTrusted,
  ask = askByDialog,
): LanguageModelToolAdapter {
  const tools = new Map<string, AgentTool>(agentTools.map((tool) => [tool.name, tool]));
  const toolOf = (name: AgentToolName) => tools.get(name)!;
  const files = new WorkspaceFiles(services, isTrusted);
  const evals = new WorkspaceEvals(services, files);
  const hostFor = createToolHosts(services, files, evals);
  const host = hostFor();
  const confirmations = new Confirmations(services, { files, evals }, ask);
  // The status tools also report jobs of other accounts.
  const missingFor = ({ costs, needs = [] }: AgentTool) =>
    costs !== 'nothing' && services.account.current.lacks(...needs)
      ? (needs.find((endpoint) => services.account.current.lacks(endpoint)) ?? needs[0])
      : undefined;
  return {
    async prepare(name, input) {
      const tool = toolOf(name);
      const read = tool.input.safeParse(input ?? {});
      if (!read.success) return {};
      const validInput = read.data as Input;
      const needsConfirmation = tool.costs === 'paid' && missingFor(tool) === undefined;
      const confirmation = needsConfirmation && { confirmationMessages: await confirmations.prepare(name, validInput) };
      return { invocationMessage: markdown`${invocationTexts[name](validInput)}`, ...confirmation };
    },
    async invoke(name, input, token) {
      const tool = toolOf(name);
      if (tool.costs !== 'nothing' && !isTrusted()) throw new Error(restricted);
      const missing = missingFor(tool);
      if (missing !== undefined) throw new Error(apiErrorMessage(missingEndpoint(missing)));
      const ending = new AbortController();
      const stop = () => ending.abort(new vscode.CancellationError());
      const cancelling = token.onCancellationRequested(stop);
      if (token.isCancellationRequested) stop();
      const { signal } = ending;
      try {
        const read = tool.costs === 'paid' ? tool.input.safeParse(input ?? {}) : undefined;
        const here = read?.success ? hostFor(await confirmations.confirmed(name, read.data as Input, signal)) : host;
        return toResult(await runAgentTool(tool, input, { host: here, signal, explain }));
      } finally {
        cancelling.dispose();
      }
    },
  };
}

/** Throws if the tool failed. */
function toResult({ text, isError, pictures = [] }: AgentAnswer): vscode.LanguageModelToolResult {
  if (isError) throw new Error(text);
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(text),
    ...pictures.map(({ bytes, contentType }) => vscode.LanguageModelDataPart.image(bytes, contentType)),
  ]);
}

const restricted =
  'The workspace is in Restricted Mode, so requests that cost money are disabled. Tell the user to trust the workspace first.';

/** Messages written for the user also suit a model. */
function explain(error: unknown): string | undefined {
  return isUserError(error) ? `${error.title}. ${error.detail}` : undefined;
}

const mostCharacters = 80;

const countOf = (value: unknown): string => (Array.isArray(value) ? String(value.length) : '0');
const nameOf = (path: unknown): string => foreign(posix.basename(String(path).replaceAll('\\', '/')), mostCharacters);

/** The messages shown while a tool runs. VS Code renders them as Markdown, so text from a model is escaped and can't become a link. */
const invocationTexts: Readonly<Record<AgentToolName, (input: Input) => string>> = {
  inferenceDesk_rerank: ({ documents, files }) =>
    documents === undefined
      ? l10n.t('Reranking files: {0}', countOf(files))
      : l10n.t('Reranking documents: {0}', countOf(documents)),
  inferenceDesk_findFiles: ({ question }) => l10n.t('Semantic search: {0}', foreign(String(question), mostCharacters)),
  inferenceDesk_generateImage: () => l10n.t('Generating an image'),
  inferenceDesk_submitVideo: () => l10n.t('Submitting a video'),
  inferenceDesk_videoStatus: () => l10n.t('Checking video status'),
  inferenceDesk_checkBatchFile: ({ file }) => l10n.t('Checking {0}', nameOf(file)),
  inferenceDesk_submitBatch: ({ file }) => l10n.t('Submitting {0}', nameOf(file)),
  inferenceDesk_batchStatus: ({ id }) =>
    id === undefined ? l10n.t('Listing batches') : l10n.t('Checking batch status'),
  inferenceDesk_batchResults: () => l10n.t('Loading batch results'),
  inferenceDesk_runEval: ({ file }) => l10n.t('Running {0}', nameOf(file)),
  inferenceDesk_evalResults: ({ file }) => l10n.t('Loading the results of {0}', nameOf(file)),
  inferenceDesk_listModels: () => l10n.t('Listing models'),
  inferenceDesk_accountBalance: () => l10n.t('Loading the balance'),
};
