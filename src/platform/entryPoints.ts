import * as vscode from 'vscode';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';

/**
 * The entry points by which VS Code calls the extension. All of them must be registered when the extension activates, in a window that
 * might never use one, so they are registered from data here, once, and their handlers are loaded at the first entry.
 */

/** The manifest's contributions that VS Code calls. */
export interface Contributed {
  readonly commands: readonly { readonly command: string }[];
  readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: string }[]>>;
  readonly languageModelTools: readonly { readonly name: string }[];
  readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
}

type EntryPoint = `${'command' | 'view' | 'tool' | 'preparedTool'}:${string}` | 'lineFiles' | 'connect';
type Handler = (...args: readonly never[]) => unknown;

/** One per window. */
export class EntryPoints {
  private readonly handlers = new Map<EntryPoint, Handler>();

  /** `startFeatures` is called at each entry, and resolves once all handlers are set. */
  constructor(private readonly startFeatures: () => Promise<unknown>) {}

  /** Calls the handler of an entry point, after the features have started. Rejects if one that did not start would handle it. */
  async enter<Result>(entry: EntryPoint, ...args: readonly unknown[]): Promise<Result> {
    await this.startFeatures();
    const handler = this.handlers.get(entry) as ((...args: readonly unknown[]) => Result | Promise<Result>) | undefined;
    // By the editor's own localization, because this file is in every window and the other one is loaded with the features.
    if (!handler) throw new Error(vscode.l10n.t("Inference Desk didn't finish starting. Reload the window."));
    return handler(...args);
  }

  /** Sets what an entry point calls. The editor must know of it already. */
  handle(entry: EntryPoint, handler: Handler): Disposable {
    const { handlers } = this;
    handlers.set(entry, handler);
    return { dispose: () => handlers.get(entry) === handler && handlers.delete(entry) };
  }

  /** Registers every entry point with VS Code. */
  register(contributed: Contributed): Disposable {
    const store = new DisposableStore();
    const { commands, languageModelTools } = contributed;
    for (const { command } of commands)
      store.add(vscode.commands.registerCommand(command, (...args) => this.enter(`command:${command}`, ...args)));
    for (const { name } of languageModelTools)
      store.add(
        vscode.lm.registerTool<object>(name, {
          prepareInvocation: ({ input }) => this.enter(`preparedTool:${name}`, input),
          invoke: ({ input }, token) => this.enter(`tool:${name}`, input, token),
        }),
      );
    for (const { id } of viewsOf(contributed, (type) => type === 'webview'))
      store.add(
        vscode.window.registerWebviewViewProvider(id, { resolveWebviewView: (view) => this.enter(`view:${id}`, view) }),
      );
    return store;
  }
}

/**
 * Registers what VS Code might list before the features have started, which register their own once this is disposed. A visible tree starts
 * them.
 */
export function registerUntilStarted(contributed: Contributed, startFeatures: () => Promise<unknown>): Disposable {
  const store = new DisposableStore();
  const emptyTree: vscode.TreeDataProvider<never> = {
    getChildren: () => startFeatures().then(() => []),
    getTreeItem: (row) => row,
  };
  for (const { id } of viewsOf(contributed, (type) => type !== 'webview'))
    store.add(vscode.window.registerTreeDataProvider(id, emptyTree));
  for (const { id } of contributed.mcpServerDefinitionProviders)
    store.add(vscode.lm.registerMcpServerDefinitionProvider(id, { provideMcpServerDefinitions: () => [] }));
  return store;
}

function viewsOf({ views }: Contributed, isIncluded: (type: string | undefined) => boolean) {
  return Object.values(views)
    .flat()
    .filter(({ type }) => isIncluded(type));
}
