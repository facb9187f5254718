import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { registerCommand, restorePanels, runCommand } from '../../platform/contributions';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature, Services } from '../../services/services';
import { hasStoredEdits } from './logic/storedEdits';
import type { RequestedTask } from './chatCommands';
import type { ChatRuntime } from './chatRuntime';
import type { ChatLocation } from './locations/chatLocation';
import type { Attachments } from './attachments/attachments';

/** The Chat view, its tabs and its commands. The runtime is loaded when the view is first shown. */
export const chatFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./chatRuntime')).ChatRuntime(services));

  store.add(
    services.entryPoints.handle('view:inferenceDesk.chat', async (view: vscode.WebviewView) =>
      (await load()).show(view),
    ),
  );
  store.add(
    restorePanels('inferenceDesk.chatEditor', async (panel, state) =>
      (await load()).locations.restoreTab(panel, state),
    ),
  );
  store.add(services.chatService.setHandler(async (request) => (await load()).ask(request)));
  store.add(registerLocationCommands(services, load));
  store.add(registerAttachCommands(services, load));
  store.add(registerEditCommands(services, load));
  store.add(registerTaskCommands(services, load));
  // Shown in editors, whether or not the chat is visible.
  if (hasStoredEdits(services.context.workspaceState)) void load().then((runtime) => runtime.restoreEdits());
  return store;
};

type Act = (runtime: ChatRuntime, location: ChatLocation, from?: unknown) => void | Promise<void>;

/**
 * The commands on a shown conversation. Run from a tab's title they act on that tab, from the view's title on the side bar, and from
 * elsewhere on the last used location. A view passes nothing to its title commands that identifies it, so these have ids of
 * their own.
 */
function registerLocationCommands(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  const inPlace = (act: Act) => async (from?: unknown) => {
    const runtime = await load();
    const { locations } = runtime;
    await act(runtime, (isTab(from) && locations.activeTab) || locations.current, from);
  };
  const inSideBar = (act: Act) => async () => {
    const runtime = await load();
    await act(runtime, runtime.locations.sideBar);
  };
  const list: Act = ({ locations }, location) => locations.reveal(location, 'chat/showConversations');
  const startNew: Act = (_runtime, location) => location.startNew();
  const open: Act = async ({ locations }, location, from) => {
    const model = modelIn(from);
    if (model !== undefined) await location.useModel(model);
    await locations.reveal(location);
  };
  const stop: Act = (_runtime, { session }) => session.stop();
  const exportIt: Act = (_runtime, location) => location.exportConversation();
  const savePrompt: Act = (_runtime, location) => location.savePrompt();
  const addLine: Act = (_runtime, location) => location.addBatchLine();

  store.add(registerCommand(services, 'inferenceDesk.chat.open', inPlace(open)));
  store.add(registerCommand(services, 'inferenceDesk.chat.conversations', inPlace(list)));
  store.add(registerCommand(services, 'inferenceDesk.chat.new', inPlace(startNew)));
  store.add(registerCommand(services, 'inferenceDesk.chat.stop', inPlace(stop)));
  store.add(registerCommand(services, 'inferenceDesk.chat.export', inPlace(exportIt)));
  store.add(registerCommand(services, 'inferenceDesk.chat.addBatchLine', inPlace(addLine)));
  store.add(registerCommand(services, 'inferenceDesk.chat.savePrompt', inPlace(savePrompt)));
  store.add(registerCommand(services, 'inferenceDesk.chatSideBar.savePrompt', inSideBar(savePrompt)));
  store.add(registerCommand(services, 'inferenceDesk.chatSideBar.conversations', inSideBar(list)));
  store.add(registerCommand(services, 'inferenceDesk.chatSideBar.new', inSideBar(startNew)));
  store.add(registerCommand(services, 'inferenceDesk.chatSideBar.export', inSideBar(exportIt)));
  store.add(registerCommand(services, 'inferenceDesk.chatSideBar.addBatchLine', inSideBar(addLine)));
  store.add(registerMoves(services, load));
  return store;
}

/** Moves from the side bar to a tab and back, and opens a new tab. */
function registerMoves(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand(services, 'inferenceDesk.chat.openInEditor', async () => (await load()).locations.openInEditor()),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.moveToEditor', async () => (await load()).locations.moveToEditor()),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.moveToSideBar', async () => {
      const { locations } = await load();
      if (locations.activeTab) await locations.moveToSideBar(locations.activeTab);
    }),
  );
  return store;
}

/** Returns the model that another feature requests for the next question. */
function modelIn(from: unknown): string | undefined {
  if (typeof from !== 'object' || from === null || !('model' in from)) return undefined;
  return typeof from.model === 'string' ? from.model : undefined;
}

/** An editor's title menu passes the URI of its document. */
function isTab(from: unknown): boolean {
  return from instanceof vscode.Uri && from.scheme === 'webview-panel';
}

/**
 * The commands that attach something, from the palette and the menus of editors, terminals and the Explorer. They then show the
 * chat.
 */
function registerAttachCommands(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  const attach = async (add: (attachments: Attachments) => Promise<void>) => {
    await add((await load()).locations.current.attachments);
    await runCommand('inferenceDesk.chat.open');
  };
  store.add(registerCommand(services, 'inferenceDesk.chat.attach', () => attach((owner) => owner.choose())));
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachSelection', () =>
      attach((owner) => owner.add({ from: 'selection' })),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachTerminal', () =>
      attach((owner) => owner.add({ from: 'terminal' })),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachFile', (file, files) => {
      const uris = chosenUris(file, files);
      return attach((owner) => owner.add(uris.length > 0 ? { from: 'uris', uris } : { from: 'openFile' }));
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachFolder', (folder, folders) => {
      const uris = chosenUris(folder, folders);
      return attach((owner) => (uris.length > 0 ? owner.add({ from: 'uris', uris }) : owner.chooseFolder()));
    }),
  );
  return store;
}

/** Commands on a selection or the open file, and the quick fix for problems. */
function registerTaskCommands(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  const compose = async (task: RequestedTask) => {
    const runtime = await load();
    const { composeTask } = await import('./chatCommands');
    await composeTask(runtime.locations.current, task);
  };
  store.add(registerCommand(services, 'inferenceDesk.chat.explain', () => compose({ name: 'explain' })));
  store.add(registerCommand(services, 'inferenceDesk.chat.addTests', () => compose({ name: 'tests' })));
  store.add(registerCommand(services, 'inferenceDesk.chat.edit', () => compose({ name: 'edit' })));
  store.add(
    registerCommand(services, 'inferenceDesk.chat.fix', (problem) =>
      compose({ name: 'fix', ...(isProblem(problem) && { problem }) }),
    ),
  );
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  store.add(vscode.languages.registerCodeActionsProvider({ scheme: '*' }, { provideCodeActions: fixesFor }, kinds));
  return store;
}

/** Offers to fix a problem in the chat. */
function fixesFor(
  { languageId }: vscode.TextDocument,
  _range: vscode.Range,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  // Batch files have other fixes.
  if (!vscode.workspace.isTrusted || languageId === 'jsonl') return [];
  return diagnostics.slice(0, 1).map((diagnostic) => {
    const title = l10n.t('Fix with Inference Desk');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const problem = { line: diagnostic.range.start.line + 1, message: diagnostic.message };
    action.diagnostics = [diagnostic];
    action.command = { title, command: 'inferenceDesk.chat.fix', arguments: [problem] };
    return action;
  });
}

function isProblem(value: unknown): value is NonNullable<RequestedTask['problem']> {
  if (typeof value !== 'object' || value === null || !('line' in value) || !('message' in value)) return false;
  return typeof value.line === 'number' && typeof value.message === 'string';
}

/** The commands above the changes of answers in editors, and in the palette while there are some. */
function registerEditCommands(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  const pending = async () => (await (await load()).edits()).pending;
  const place = (uri: unknown, hunkId?: unknown) =>
    [
      typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined,
      typeof hunkId === 'number' ? hunkId : undefined,
    ] as const;
  store.add(
    registerCommand(services, 'inferenceDesk.edits.keep', async (uri, hunkId) =>
      (await pending()).keep(...place(uri, hunkId)),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.edits.undo', async (uri, hunkId) =>
      (await pending()).undo(...place(uri, hunkId)),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.edits.compare', async (uri) => {
      const edits = await pending();
      const [of = edits.all[0]?.uri] = place(uri);
      if (of) await edits.compare(of);
    }),
  );
  return store;
}

/** Returns the whole selection of the menu, or else the single item. */
function chosenUris(one: unknown, several: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(several) ? several.filter((uri) => uri instanceof vscode.Uri) : [];
  if (all.length > 0) return all;
  return one instanceof vscode.Uri ? [one] : [];
}
