import * as vscode from 'vscode';
import { registerLineScheme } from './features/batchEditor/assist/lineScheme';
import { isPromptFile } from './features/prompts/logic/isPromptFile';
import type { InferenceDesk, InferenceDeskApi } from './features/publicApi/logic/inferenceDesk';
import { DisposableStore } from './platform/disposables';
import { EntryPoints, registerUntilStarted } from './platform/entryPoints';
import { once } from './platform/once';
import type { Services } from './services/services';

/** The extension's exports. The services could spend money without asking, so only a test host gets them. */
export type Exported = InferenceDeskApi & { readonly services?: () => Promise<Services> };

/** VS Code waits this long and a little longer for an extension that closes. */
const longestEndMs = 4500;
const longestEnd = () => new Promise<void>((resolve) => void setTimeout(resolve, longestEndMs));
/** Ends what runs in this window. A variable, because VS Code calls `deactivate` without what `activate` made. */
const ends = new Set<() => Promise<void>>();

/** Waits for responses to requests that are paid for, so that the next window has their results. */
export async function deactivate(): Promise<void> {
  await Promise.all(Array.from(ends, (end) => end()));
}

/**
 * Registers the entry points with VS Code. A window in which nobody uses the extension loads no more than this file. The rest starts at the
 * first entry, or immediately if there is automatic work to do.
 */
export function activate(context: vscode.ExtensionContext): Exported {
  const store = new DisposableStore();
  let started: Services | undefined;
  const end = async () => {
    ends.delete(end);
    if (started) await Promise.race([started.media.loaded?.close(), longestEnd()]);
    store.dispose();
  };
  ends.add(end);
  const untilStarted = store.add(new DisposableStore());
  const start = once(async () => {
    await localize();
    const { startDesk } = await import('./desk');
    untilStarted.dispose();
    return (started = startDesk(context, entryPoints, store));
  });
  const entryPoints = new EntryPoints(start);
  const { contributes } = context.extension.packageJSON;
  store.add(entryPoints.register(contributes));
  store.add(registerLineScheme(() => entryPoints.enter('lineFiles')));
  store.add(registerTasks(context));
  if (isInUse()) void start();
  else {
    void vscode.commands.executeCommand('setContext', 'inferenceDesk.session', 'signedOut');
    untilStarted.add(registerUntilStarted(contributes, start));
    const look = () => void (isInUse() && start());
    untilStarted.add(vscode.workspace.onDidOpenTextDocument(look));
    untilStarted.add(vscode.workspace.onDidChangeConfiguration(look));
    untilStarted.add(vscode.window.tabGroups.onDidChangeTabs(look));
  }
  const api = Object.freeze<InferenceDeskApi>({
    version: 1,
    connect: (...args) => entryPoints.enter<InferenceDesk>('connect', ...args),
  });
  return context.extensionMode === vscode.ExtensionMode.Test ? { ...api, services: start } : api;
}

/**
 * Whether something is shown, followed or offered without being asked for: the balance and the work of an account, ghost text, the MCP server, what
 * is wrong with a file, a page of before a reload. A workspace cannot set these settings.
 */
function isInUse(): boolean {
  const settings = vscode.workspace.getConfiguration('inferenceDesk');
  const profiles = settings.get<unknown>('profiles');
  return (
    (Array.isArray(profiles) && profiles.length > 0) ||
    settings.get('ghostText.mode') !== 'off' ||
    settings.get('mcp.enabled') === true ||
    vscode.workspace.textDocuments.some(({ languageId, uri }) => languageId === 'jsonl' || isPromptFile(uri)) ||
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isOurs))
  );
}

function isOurs({ input }: vscode.Tab): boolean {
  // VS Code adds a prefix to the type.
  return input instanceof vscode.TabInputWebview && input.viewType.includes('inferenceDesk.');
}

/** Sets the texts of the display language, before anything that has texts is loaded. */
const localize = once(async () => {
  const { useTranslations } = await import('./core/text/useTranslations');
  useTranslations(vscode.l10n.bundle);
});

/** The tasks need nothing of what the features share. */
function registerTasks(context: vscode.ExtensionContext): vscode.Disposable {
  const load = once(async () => (await import('./features/batchEditor/check/checkTasks')).createCheckTasks(context));
  return vscode.tasks.registerTaskProvider('inferenceDesk.checkBatch', {
    provideTasks: async (token) => (await load()).provideTasks(token),
    resolveTask: async (task, token) => (await load()).resolveTask(task, token),
  });
}
