import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { emptyForm } from '../../../protocol/rerankForm';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import type { RerankSource } from '../sources/rerankSource';
import { RerankHistory } from './rerankHistory';
import type { RerankWindow } from './rerankWindow';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { showScreen } from '../../../platform/webview/webviewHost';
import type { CallContext, Handlers } from '../../../protocol/call';
import { rerankCalls, type RerankProgress, type RerankScreen } from '../../../protocol/rerank';
import { rerankHandlers } from '../rerankHandlers';
import { readAgain } from './rerankMessages';
import { foreign } from '../../../core/text/foreignText';
import { UserError } from '../../../platform/errors/userError';
import type { SourceDocument } from '../controller/documents';
import { liveRange, openSource } from './liveRange';
import { showMessage } from '../../../platform/notify';

const panelType = 'inferenceDesk.rerank';

/** Initial form values of a page. */
export interface RerankStart {
  readonly query?: string;
  readonly model?: string;
}

/** The rerank tabs. */
export class RerankPanels implements Disposable {
  private readonly shown = new Set<RerankTab>();

  constructor(private readonly window: RerankWindow) {}

  /** Shows a source in a tab where nothing is ranked yet, else in a new one, with these form values. */
  async open(source: RerankSource, form: RerankStart = {}): Promise<void> {
    const unused = [...this.shown].find(({ history }) => isUnused(history));
    if (unused) {
      await unused.history.take(source);
      unused.history.fill(form);
      unused.panel.reveal();
      return;
    }
    const { window } = this;
    const kept = await window.store.create(source, { ...emptyForm, model: window.models().preferred, ...form });
    this.show(newPanel(isBeside(source)), new RerankHistory(kept, this.window));
  }

  /** Shows an earlier page again, with these form values. */
  async openKept(id: string, form: RerankStart = {}): Promise<void> {
    if (this.showOf(id, form)) return;
    const kept = await this.window.store.find(id);
    if (!kept) return;
    const history = new RerankHistory(kept, this.window);
    history.fill(form);
    this.show(newPanel(kept.record.source ? isBeside(kept.record.source) : false), history);
  }

  /** Restores a tab after a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
    if (typeof id === 'string' && this.showOf(id)) panel.dispose();
    else {
      const kept = typeof id === 'string' ? await this.window.store.find(id) : undefined;
      this.show(panel, new RerankHistory(kept, this.window));
    }
  }

  dispose(): void {
    for (const { history } of this.shown) history.dispose();
  }

  private show(panel: vscode.WebviewPanel, history: RerankHistory): void {
    const tab: RerankTab = { panel, history };
    const page = new RerankTabPage(this.window, tab);
    this.shown.add(tab);
    panel.onDidDispose(() => {
      this.shown.delete(tab);
      page.dispose();
    });
  }

  private showOf(id: string, form: RerankStart = {}): boolean {
    const known = [...this.shown].find(({ history }) => history.controller.record.id === id);
    known?.history.fill(form);
    known?.panel.reveal();
    return known !== undefined;
  }
}

function isUnused({ controller }: RerankHistory): boolean {
  const { rankings, comparisons } = controller.record;
  return !controller.isRunning && Object.keys(rankings).length === 0 && Object.keys(comparisons).length === 0;
}

/** Whether the ranking opens beside its text, because the text is open. */
function isBeside({ kind }: RerankSource): boolean {
  return kind === 'selection' || kind === 'file';
}

function newPanel(isBesideText: boolean): vscode.WebviewPanel {
  const column = isBesideText ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(panelType, '', column);
}

/** A tab, and what it shows. */
interface RerankTab {
  readonly panel: vscode.WebviewPanel;
  /** Owned, and disposed, by the page. */
  readonly history: RerankHistory;
}

/** Shows a ranking in a tab. Dispose it when the tab is closed, which stops running work. */
class RerankTabPage implements Disposable {
  private readonly store = new DisposableStore();
  private isOpen = true;

  constructor(
    private readonly window: RerankWindow,
    private readonly tab: RerankTab,
  ) {
    const { store } = this;
    const { services } = window;
    const { panel, history } = tab;
    store.add(history);
    store.add(services.models.follow());
    panel.iconPath = panelIcon(services.context.extensionUri, 'rerank');
    this.setTitle();
    const host = store.add(
      showScreen({
        screen: 'rerank',
        title: l10n.t('Rerank'),
        webview: panel.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: rerankCalls,
        log: services.log,
      }),
    );
    store.add(
      history.onDidChange(() => {
        this.setTitle();
        host.tell('rerank/changed', history.controller.page());
      }),
    );
    store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
    // `visible` must not be read on a panel that was closed, so this is disposed first.
    store.add({ dispose: () => (this.isOpen = false) });
  }

  dispose(): void {
    this.store.dispose();
  }

  private setTitle(): void {
    const { source } = this.tab.history.controller.record;
    this.tab.panel.title = source ? l10n.t('Rerank {0}', foreign(source.title)) : l10n.t('Rerank');
  }

  private handlers(): Handlers<RerankScreen> {
    const { scores, services } = this.window;
    const { panel, history } = this.tab;
    const following = ({ signal, emit }: CallContext<RerankProgress>) => {
      const ending = new AbortController();
      // A hidden page drops its calls, but only the user may stop paid work.
      signal.addEventListener('abort', () => (!this.isOpen || panel.visible) && ending.abort());
      return { signal: ending.signal, emit };
    };
    const handlers = rerankHandlers(
      () => history.controller,
      {
        chooseSource: (kind, signal) => history.choose(kind, signal),
        goTo: (controller, at) => goToDocument(controller.document(at), panel.viewColumn),
        reorder: (controller, keep) =>
          scores.reorder(controller, keep, (written) => {
            history.takeReordered(controller, written).catch(services.report);
          }),
        showScores: (controller, isShown) => scores.show(controller, isShown),
        copy: (text) => vscode.env.clipboard.writeText(text),
        act: (_controller, action) => act(action, history),
      },
      following,
    );
    return {
      ...handlers,
      async 'rerank/ready'(params, context) {
        await history.refresh();
        return handlers['rerank/ready'](params, context);
      },
      async 'rerank/run'(params, context) {
        const { controller } = history;
        const page = await handlers['rerank/run'](params, context);
        // Otherwise the scores of the previous ranking would stay next to the text.
        if (page.ranking && scores.isShown(controller)) await scores.show(controller, true).catch(services.report);
        return page;
      },
    };
  }
}

/** Unknown action ids do nothing: the page is not trusted. */
async function act(action: string, history: RerankHistory): Promise<void> {
  if (action === readAgain) await history.readAgain();
  else if (action === 'retry') await history.refresh();
  else await runAction(action);
}

/** Reveals a document in its source and selects it; if it was edited meanwhile, goes to the line where it was. */
export async function goToDocument(
  { piece, at, name }: SourceDocument,
  pageColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  if (!at) {
    throw new UserError(
      l10n.t("This document isn't in a file"),
      l10n.t('The text came from the clipboard and is shown here in full.'),
    );
  }
  const document = await openSource(at.uri, name, l10n.t('The text is still shown here.'));
  const line = Math.min(at.line, document.lineCount - 1);
  const { range: whole } = document.lineAt(line);
  const found = at.isAbout
    ? new vscode.Range(line, Math.min(at.character, whole.end.character), line, whole.end.character)
    : liveRange(document, piece, at);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: columnOf(document.uri, pageColumn) });
  const target = found ?? new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(target.start, target.end);
  editor.revealRange(target, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (!found) {
    void showMessage(
      'information',
      l10n.t('This document has changed since the ranking. The selected line is its original position.'),
    );
  }
}

/** The column where it is already open, else one beside the page. */
function columnOf(uri: vscode.Uri, pageColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  if (group) return group.viewColumn;
  return pageColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
