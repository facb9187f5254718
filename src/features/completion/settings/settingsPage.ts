import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import path from 'node:path';
import { knownJobs, modelsForJob } from '../../../core/catalogue/jobs';
import { rulesOf } from '../../../core/profiles/vendorRules';
import { nameOf } from '../../../core/catalogue/model';
import { runCommand } from '../../../platform/contributions';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { createLastEditor } from '../../../platform/workspace/lastEditor';
import { throttle } from '../../../platform/throttle';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { SingleTab } from '../../../platform/webview/singleTab';
import { showScreen } from '../../../platform/webview/webviewHost';
import { type CompletionWay, completionCalls } from '../../../protocol/completion';
import type { Services } from '../../../services/services';
import { hasPrices } from '../../../core/profiles/knownServices';
import { expectedRequest } from '../../../core/prices/paidWork';
import { priceLine } from '../../../services/usage/costMessages';
import { isWritable, longestPrompt, promptsOf } from '../insertionPoints';
import { createUsageAsking } from '../../../services/usage/confirmUsage';
import { isUserError } from '../../../platform/errors/userError';
import type { CompletionSettings } from '../logic/completionSettings';
import { type CompletionEditor, SettingsController, type SettingsTarget } from '../logic/settingsController';

/** Throttle: editors change with every key. */
const gatherMs = 100;

/** The page for completion parameters; at most one per window. */
export class SettingsPages implements Disposable {
  private readonly store = new DisposableStore();
  private readonly lastEditor = this.store.add(createLastEditor());
  private readonly controller;
  private readonly tab = this.store.add(new SingleTab('inferenceDesk.completionSettings', (panel) => this.fill(panel)));

  constructor(
    private readonly services: Services,
    private readonly settings: CompletionSettings,
  ) {
    this.controller = new SettingsController(settings, this.createEditor(), vscode.env.language);
  }

  open(): void {
    // Next to the text, so that it stays visible.
    this.tab.open(vscode.window.activeTextEditor ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
  }

  /** Restores the page after a reload of the window. */
  restore(panel: vscode.WebviewPanel): void {
    this.tab.restore(panel);
  }

  dispose(): void {
    this.store.dispose();
  }

  private fill(panel: vscode.WebviewPanel): Disposable {
    const { controller } = this;
    const { context, models, profiles, log } = this.services;
    const store = new DisposableStore();
    const title = l10n.t('Completion Parameters');
    panel.title = title;
    panel.iconPath = panelIcon(context.extensionUri, 'completion');
    const host = store.add(
      showScreen({
        screen: 'completion',
        title,
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: controller.handlers,
        calls: completionCalls,
        log,
      }),
    );
    const tellNow = async () => {
      if (panel.visible) host.tell('completion/changed', await controller.view());
    };
    const onError = (error: unknown) => log.warn(`The completion parameters could not be read: ${String(error)}`);
    const tell = store.add(throttle(gatherMs, () => void tellNow().catch(onError)));
    const { window, workspace } = vscode;
    const shown = () => this.shownEditor();
    store.add(panel.onDidChangeViewState(() => (panel.visible ? tell.soon() : host.forgetPage())));
    store.add(this.settings.onDidChange(tell.soon));
    store.add(models.onDidChange(tell.soon));
    store.add(models.follow());
    store.add(profiles.onDidChange(tell.soon));
    store.add(window.onDidChangeActiveTextEditor(tell.soon));
    store.add(window.onDidChangeTextEditorSelection(({ textEditor }) => textEditor === shown() && tell.soon()));
    store.add(window.tabGroups.onDidChangeTabs(tell.soon));
    store.add(workspace.onDidChangeTextDocument(({ document }) => document === shown()?.document && tell.soon()));
    // Another window may have changed the file.
    store.add(window.onDidChangeWindowState(({ focused }) => focused && tell.soon()));
    return store;
  }

  private shownEditor(): vscode.TextEditor | undefined {
    return this.lastEditor.current() ?? vscode.window.visibleTextEditors[0];
  }

  private createEditor(): CompletionEditor {
    const { account, context, models } = this.services;
    const usageAsking = createUsageAsking(context.globalState);
    return {
      target: (model, parameters) =>
        targetOf(this.shownEditor(), longestPrompt(model, models.state.models, parameters)),
      own: () => rulesOf(account.current.baseUrl).bounds,
      async models() {
        const state = await models.ensureFresh();
        return modelsForJob('completion', state.models, state.pins).map((model) => {
          const { name, vendor } = nameOf(model.id, model.ownedBy);
          return {
            id: model.id,
            name,
            detail: knownJobs(model) ? '' : l10n.t('might support completions'),
            group: vendor ?? '',
          };
        });
      },
      isListed(id) {
        const listed = models.state.models;
        return listed.length === 0 ? undefined : listed.some((one) => one.id === id);
      },
      asksUsage: (id) => usageAsking.isTaken(id),
      price: async (requests) => {
        const { usage } = this.services;
        if (!hasPrices(account.current.baseUrl ?? '')) return undefined;
        const prices = await (await usage()).readyPrices();
        return priceLine(prices.quote(requests.map(expectedRequest), { purpose: 'completion' })).text;
      },
      run: (way) => this.complete(way),
      act: runAction,
    };
  }

  /** Activates the editor, because the commands work on the active one. Progress is shown at the answer. */
  private async complete(way: CompletionWay): Promise<void> {
    const visible = this.shownEditor();
    const revealed = await this.lastEditor.reveal();
    if (!revealed && visible) await vscode.window.showTextDocument(visible.document, visible.viewColumn);
    void runCommand(`inferenceDesk.complete.${way}`);
  }
}

/** Describes what would be completed in an editor, or why it cannot be. `mostTokens`: limit for the text before a cursor. */
export function targetOf(editor: vscode.TextEditor | undefined, mostTokens: number): SettingsTarget {
  if (!editor) {
    const why = l10n.t('Select text, or place the cursor after text.');
    return { name: '', prompt: undefined, obstacles: { insert: why, replace: why, beside: why } };
  }
  const { document, selections } = editor;
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  const name = placeText(document, selected.length > 0 ? selected : selections);
  const prompts = attempt(() => promptsOf(editor, 'insert', mostTokens));
  if ('why' in prompts) {
    const { why } = prompts;
    return { name, prompt: undefined, obstacles: { insert: why, replace: why, beside: why } };
  }
  const [first, ...more] = prompts.value.map(({ prompt }) => prompt);
  return { name, prompt: first, morePrompts: more, obstacles: obstaclesOf(editor, mostTokens) };
}

function obstaclesOf(editor: vscode.TextEditor, mostTokens: number): SettingsTarget['obstacles'] {
  if (!isWritable(editor.document)) {
    const why = l10n.t('This file is read-only. Completions open to the side.');
    return { insert: why, replace: why };
  }
  const replaced = attempt(() => promptsOf(editor, 'replace', mostTokens));
  return 'why' in replaced ? { replace: replaced.why } : {};
}

function attempt<Value>(work: () => Value): { readonly value: Value } | { readonly why: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (isUserError(error)) return { why: error.detail };
    throw error;
  }
}

function placeText({ uri, isUntitled }: vscode.TextDocument, selections: readonly vscode.Selection[]): string {
  const file = isUntitled ? uri.path : path.posix.basename(uri.path);
  const [selection] = selections;
  if (!selection) return file;
  if (selections.length > 1) {
    return selection.isEmpty
      ? l10n.t('{0}, text before {1} cursors', file, selections.length)
      : l10n.t('{0}, {1} selections', file, selections.length);
  }
  const { start, end, isEmpty } = selection;
  if (isEmpty) return l10n.t('{0}, text before line {1}, column {2}', file, end.line + 1, end.character + 1);
  // A selection of whole lines ends at the start of the line after them.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return last === start.line
    ? l10n.t('{0}, line {1}', file, last + 1)
    : l10n.t('{0}, lines {1} to {2}', file, start.line + 1, last + 1);
}
