import * as vscode from 'vscode';
import { abortable } from '../../core/agentTools/abortable';
import type { ToolHost } from '../../core/agentTools/toolHost';
import type { AgentAnswer, AgentTool } from '../../core/agentTools/agentTool';
import { agentTools } from '../../core/agentTools/agentTools';
import { runAgentTool } from '../../core/agentTools/runAgentTool';
import type { AgentToolName } from '../../core/agentTools/toolNames';
import { isUserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { ConfirmedRequests, askedOf, checkOf } from './confirmedRequests';
import type { Input } from './confirmedRequests';
import { askByDialog, questionOf, toConfirmation } from './confirmations';
import type { Question } from './confirmations';
import { createBatchTools } from './host/batchTools';
import type { OrderCheck } from './host/toolServices';
import { createMediaTools } from './host/mediaTools';
import { createWorkspaceToolHost } from './host/workspaceToolHost';
import { invocationWords } from './invocationWords';

/** Runs the tools for the editor. */
export interface LanguageModelToolAdapter {
  /** Has no side effects. Asks for confirmation of what costs money; an input that will be refused needs none. */
  prepare(name: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation>;
  /**
   * Rejects with a message for the model if the tool fails, so that the editor reports an error to the model. Paid requests are sent
   * exactly as the person confirmed them during preparation, or not at all; for an input that was not prepared, for example because the
   * person edited it in the editor's confirmation, this asks again.
   */
  invoke(name: AgentToolName, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult>;
}

export interface LanguageModelToolAdapterOptions {
  readonly isTrusted?: () => boolean;
  readonly ask?: (question: Question) => Promise<boolean>;
}

export function createLanguageModelToolAdapter(
  services: Services,
  options: LanguageModelToolAdapterOptions = {},
): LanguageModelToolAdapter {
  const { isTrusted = () => vscode.workspace.isTrusted, ask = askByDialog } = options;
  const tools = new Map<string, AgentTool>(agentTools.map((tool) => [tool.name, tool]));
  const toolOf = (name: AgentToolName) => tools.get(name)!;
  const parts = { ...services, isTrusted };
  const host = createWorkspaceToolHost(parts);
  const orders = new ConfirmedRequests();
  const deskFor = (agreed: OrderCheck): ToolHost => {
    const bound = { ...parts, agreed };
    return { ...host, ...createMediaTools(bound), ...createBatchTools(bound) };
  };
  const agreedDesk = async (name: AgentToolName, input: Input, signal: AbortSignal): Promise<ToolHost> => {
    const asked = orders.take(name, input);
    if (asked.length > 0) {
      const { profileId, check } = checkOf(asked, parts);
      const checkOrForget = (model: string | undefined) =>
        check(model).catch((error: unknown) => {
          orders.forget(name, input);
          throw error;
        });
      return deskFor({ profileId, check: checkOrForget });
    }
    const now = await askedOf(name, input, parts);
    if (await abortable(ask(await questionOf(name, input, now, parts)), signal)) return deskFor(checkOf([now], parts));
    throw new Error('The person did not agree, so nothing was sent. Do not ask again unless they want it.');
  };
  return {
    async prepare(name, input) {
      const tool = toolOf(name);
      const read = tool.input.safeParse(input ?? {});
      if (!read.success) return {};
      const given = read.data as Input;
      const invocationMessage = invocationWords(name, given);
      if (tool.costs !== 'paid') return { invocationMessage };
      const asked = await askedOf(name, given, parts);
      const confirmationMessages = toConfirmation(await questionOf(name, given, asked, parts));
      orders.keep(name, given, asked);
      return { invocationMessage, confirmationMessages };
    },
    async invoke(name, input, token) {
      const tool = toolOf(name);
      if (tool.costs !== 'nothing' && !isTrusted()) throw new Error(restricted);
      const ending = new AbortController();
      const stop = () => ending.abort(new vscode.CancellationError());
      const cancelling = token.onCancellationRequested(stop);
      if (token.isCancellationRequested) stop();
      const { signal } = ending;
      try {
        const read = tool.costs === 'paid' ? tool.input.safeParse(input ?? {}) : undefined;
        const here = read?.success ? await agreedDesk(name, read.data as Input, signal) : host;
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
  'The workspace is in Restricted Mode, so nothing that costs is sent from it. Tell the person to trust the workspace first.';

/** Messages written for the person also suit a model. */
function explain(error: unknown): string | undefined {
  return isUserError(error) ? `${error.title}. ${error.detail}` : undefined;
}
