import * as vscode from 'vscode';
import { chooseModel, modelsForJob } from '../../../core/catalogue/jobs';
import { nameOf } from '../../../core/catalogue/model';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { createLastEditor } from '../../../platform/workspace/lastEditor';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { throttle } from '../../../platform/throttle';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { showScreen } from '../../../platform/webview/webviewHost';
import {
  completionCalls,
  type CompletionModel,
  type CompletionView,
  type CompletionWay,
} from '../../../protocol/completion';
import type { Services } from '../../../services/services';
import { longestPrompt } from '../insertionPoints';
import { createUsageAsking } from '../../../services/usage/confirmUsage';
import type { CompletionSettings } from './completionSettings';
import { settingsHandlers } from './settingsHandlers';
import { targetOf } from './settingsTarget';
import { viewSettings } from './settingsView';
import { settingsWords } from './settingsWords';

/** Throttle: editors change with every key. */
const gatherMs = 100;

const viewType = 'inferenceDesk.completionSettings';

/** The page for completion parameters; at most one per window. */
export interface SettingsPages extends Disposable {
  open(): void;
  /** Restores the page after a reload of the window. */
  restore(panel: vscode.WebviewPanel): void;
}

export function createSettingsPages(services: Services, settings: CompletionSettings): SettingsPages {
  const store = new DisposableStore();
  const lastEditor = store.add(createLastEditor());
  let shown: { readonly panel: vscode.WebviewPanel; readonly page: Disposable } | undefined;
  store.add({ dispose: () => shown?.page.dispose() });
  const show = (panel: vscode.WebviewPanel) => {
    const page = showSettings({ services, settings, panel, lastEditor });
    shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (shown?.panel === panel) shown = undefined;
    });
  };
  return {
    open() {
      if (shown) return shown.panel.reveal();
      // Beside the text, so that it stays visible.
      const column = vscode.window.activeTextEditor ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
      return show(vscode.window.createWebviewPanel(viewType, '', column));
    },
    restore(panel) {
      if (shown) panel.dispose();
      else show(panel);
    },
    dispose: () => store.dispose(),
  };
}

interface PageParts {
  readonly services: Services;
  readonly settings: CompletionSettings;
  readonly panel: vscode.WebviewPanel;
  readonly lastEditor: LastEditor;
}

function showSettings({ services, settings, panel, lastEditor }: PageParts): Disposable {
  const { context, models, profiles, log } = services;
  const store = new DisposableStore();
  const title = vscode.l10n.t('Completion Parameters');
  panel.title = title;
  panel.iconPath = panelIcon(context.extensionUri, 'completion');
  const editor = () => lastEditor.current() ?? vscode.window.visibleTextEditors[0];
  const view = createView({ services, settings, editor });
  const host = store.add(
    showScreen({
      screen: 'completion',
      title,
      webview: panel.webview,
      extensionUri: context.extensionUri,
      handlers: settingsHandlers({
        settings,
        view,
        model: () => settings.model(),
        models: () => offeredModels(services),
        run: (way) => complete(way, lastEditor, editor()),
        act: runAction,
      }),
      calls: completionCalls,
      log,
    }),
  );
  const tellNow = async () => {
    if (panel.visible) host.tell('completion/changed', await view());
  };
  const onTrouble = (error: unknown) => log.warn(`The completion parameters could not be read: ${String(error)}`);
  const tell = store.add(throttle(gatherMs, () => void tellNow().catch(onTrouble)));
  const { window, workspace } = vscode;
  store.add(panel.onDidChangeViewState(() => (panel.visible ? tell.soon() : host.forgetPage())));
  store.add(settings.onDidChange(tell.soon));
  store.add(models.onDidChange(tell.soon));
  store.add(profiles.onDidChange(tell.soon));
  store.add(window.onDidChangeActiveTextEditor(tell.soon));
  store.add(window.onDidChangeTextEditorSelection(({ textEditor }) => textEditor === editor() && tell.soon()));
  store.add(window.tabGroups.onDidChangeTabs(tell.soon));
  store.add(workspace.onDidChangeTextDocument(({ document }) => document === editor()?.document && tell.soon()));
  // Another window may have changed the file.
  store.add(window.onDidChangeWindowState(({ focused }) => focused && tell.soon()));
  return store;
}

interface ViewSources extends Pick<PageParts, 'services' | 'settings'> {
  readonly editor: () => vscode.TextEditor | undefined;
}

/** Returns a function that computes what the page shows at the time of the call. */
function createView({ services: { context, models }, settings, editor }: ViewSources): () => Promise<CompletionView> {
  const words = settingsWords(vscode.env.language);
  const usageAsking = createUsageAsking(context.globalState);
  return async () => {
    const [model, { parameters }] = await Promise.all([settings.model(), settings.get()]);
    return viewSettings({
      settings,
      defaultModel: async () => chooseModel('completion', await models.ready()),
      isListed: (id) => {
        const listed = models.state.models;
        return listed.length === 0 ? undefined : listed.some((one) => one.id === id);
      },
      asksUsage: (id) => usageAsking.isTaken(id),
      target: targetOf(editor(), longestPrompt(model, models.state.models, parameters)),
      words,
    });
  };
}

/** Activates the editor, because the commands work on the active one. Progress is shown at the answer. */
async function complete(
  way: CompletionWay,
  lastEditor: LastEditor,
  visible: vscode.TextEditor | undefined,
): Promise<void> {
  const revealed = await lastEditor.reveal();
  if (!revealed && visible) await vscode.window.showTextDocument(visible.document, visible.viewColumn);
  void runCommand(`inferenceDesk.complete.${way}`);
}

async function offeredModels({ models }: Services): Promise<readonly CompletionModel[]> {
  const state = await models.ensureFresh();
  return modelsForJob('completion', state.models, state.pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}
