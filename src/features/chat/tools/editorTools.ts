import * as vscode from 'vscode';
import { agentToolNames } from '../../../core/agentTools/toolNames';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { isToolOffered } from '../../../services/account/notOffered';
import type { Services } from '../../../services/services';
import type { EditorTool, EditorTools, ToolOutcome } from '../logic/toolAccess';
import { bounded, toResultText } from '../../../platform/toolResultText';

/** The editor's tools, and a notification that what pages show of tools may have changed. */
export interface RegisteredTools extends EditorTools, Disposable {
  tell(): void;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/**
 * The tools registered with VS Code: of extensions, of MCP servers, and its own; of this extension's, those that the account's service
 * might offer, once, although its MCP server might have them too. VS Code doesn't report when tools are added or removed. It only reports
 * changes of extensions and of workspace trust.
 */
export function createEditorTools({ account, connections, context, settings }: Services): RegisteredTools {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(vscode.extensions.onDidChange(() => changed.fire()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  store.add(connections.onDidChangeOffers(() => changed.fire()));
  return {
    list() {
      const contributed = contributedTools(context.extension.id);
      const { tools } = vscode.lm;
      const listed = new Set(tools.map(({ name }) => name));
      // VS Code 1.106 lists only the server's copies while the server is on; later versions list both.
      const isCopy = (name: string) => listed.has(ownNameOf(name) ?? '');
      return tools
        .filter(({ name }) => !isCopy(name) && isToolOffered(account.current, contributed.get(name)?.when))
        .map((tool) => toEditorTool(tool, contributed.get(tool.name)));
    },
    run,
    get mayRun() {
      return vscode.workspace.isTrusted;
    },
    get maxRounds() {
      return settings.get('chat.maxToolRounds');
    },
    tell: () => changed.fire(),
    onDidChange: (listener) => changed.event(listener),
    dispose: () => store.dispose(),
  };
}

async function run(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome> {
  const source = new vscode.CancellationTokenSource();
  let leave = () => {};
  // A tool may ignore its cancellation.
  const left = new Promise<undefined>((resolve) => (leave = () => resolve(undefined)));
  const onAbort = () => {
    source.cancel();
    leave();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const calling = vscode.lm.invokeTool(name, { input: { ...input }, toolInvocationToken: undefined }, source.token);
    const result = await Promise.race([calling, left]);
    return { text: toResultText(result?.content ?? []), isError: isFailed(result) };
  } catch (error) {
    return { text: failureText(error), isError: true };
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.dispose();
  }
}

/** The editor asks before it runs some tools, and reports a cancellation if the user declines. In English, because models read it. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return bounded(String(error));
  const isDeclined = error instanceof vscode.CancellationError || error.name === 'Canceled';
  return isDeclined
    ? 'The user did not allow this call. Do not retry unless the user asks for it.'
    : bounded(error.message);
}

/** The editor marks an error result in a field that its typings lack; it does not pass on whether an MCP server marked one. */
function isFailed(result: vscode.LanguageModelToolResult | undefined): boolean {
  return (result as { readonly hasError?: unknown } | undefined)?.hasError === true;
}

/** Returns the name of this extension's tool whose copy from its MCP server has the given name; `undefined` for any other name. */
function ownNameOf(name: string): string | undefined {
  return name.startsWith('mcp_') ? agentToolNames.find((own) => name.endsWith(`_${own}`)) : undefined;
}

interface Contributed {
  readonly label: string | undefined;
  readonly when: string | undefined;
  readonly group: EditorTool['group'];
}

/** Reads the tools from the extensions' manifests, by tool name. */
function contributedTools(ownId: string): ReadonlyMap<string, Contributed> {
  const found = new Map<string, Contributed>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    const { contributes, displayName, name, isBuiltin } = (packageJSON ?? {}) as Readonly<Record<string, unknown>>;
    const tools: unknown = (contributes as Readonly<Record<string, unknown>> | undefined)?.['languageModelTools'];
    if (!Array.isArray(tools)) continue;
    for (const tool of tools as readonly unknown[]) {
      const { name: toolName, displayName: label, when } = (tool ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof toolName !== 'string') continue;
      const kind = id === ownId ? 'desk' : isBuiltin === true ? 'editor' : 'extension';
      const group = { id, kind, label: [displayName, name, id].find(isText) ?? id } as const;
      found.set(toolName, {
        label: isText(label) ? label : undefined,
        when: kind === 'desk' && typeof when === 'string' ? when : undefined,
        group,
      });
    }
  }
  return found;
}

function isText(value: unknown): value is string {
  // A string the editor could not translate remains `%key%`.
  return typeof value === 'string' && value !== '' && !/^%.*%$/.test(value);
}

function toEditorTool(tool: vscode.LanguageModelToolInformation, contributed: Contributed | undefined): EditorTool {
  const { name, description, inputSchema } = tool;
  const isSchema = typeof inputSchema === 'object' && inputSchema !== null && !Array.isArray(inputSchema);
  return {
    name,
    label: contributed?.label ?? name,
    description,
    input_schema: { type: 'object', ...(isSchema ? inputSchema : { properties: {} }) },
    group: groupOf(tool, contributed),
  };
}

/** The server's name is in a field the typings lack; otherwise the tool's name contains the beginning of it. */
function groupOf(tool: vscode.LanguageModelToolInformation, contributed: Contributed | undefined): EditorTool['group'] {
  if (contributed) return contributed.group;
  if (!tool.name.startsWith('mcp_')) return { id: 'editor', kind: 'editor', label: vscode.env.appName };
  const { fullReferenceName } = tool as { readonly fullReferenceName?: unknown };
  const named = typeof fullReferenceName === 'string' ? /^(.+)\//.exec(fullReferenceName)?.[1] : undefined;
  const server = named ?? /^mcp_([^_]+)/.exec(tool.name)?.[1] ?? tool.name;
  return { id: `mcp:${server}`, kind: 'mcp', label: server };
}
