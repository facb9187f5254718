import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { foreign } from '../../core/text/foreignText';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import { runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { panelIcon } from '../../platform/panelIcon';
import { showScreen } from '../../platform/webview/webviewHost';
import type { CallContext, Handlers } from '../../protocol/call';
import {
  rerankCalls,
  type RerankProgress,
  type RerankScreen,
  type RerankForm,
  type RerankSourceKind,
} from '../../protocol/rerank';
import { emptyForm } from '../../protocol/rerankForm';
import { startModel } from '../../services/media/media';
import type { Services } from '../../services/services';
import { goToDocument } from './editor/liveRange';
import type { ScoreGutter } from './editor/scoreGutter';
import type { RerankSource } from './logic/documents';
import { rerankHandlers } from './logic/rerankHandlers';
import { readAgain } from './logic/rerankMessages';
import { RerankWorkspace } from './rerankWorkspace';
import { askSource } from './sources/askSource';
import { checkTrust, readSelection } from './sources/editorSource';
import { askFiles, readFiles, urisOf } from './sources/filesSource';
import { lacksModel } from '../../core/catalogue/lacksModel';
import type { Reordered } from './editor/editorScores';
import { positionsAfter, reorderRanking } from './logic/rankedDocuments';
import { RerankPage, type SourceState } from './logic/rerankPage';
import type { SavedPage } from './logic/rerankStore';
import { isReadAgain, isStillOpen, isWritable, readAsNow, type SourceWatch, watchSource } from './sources/sourceWatch';

/** Initial form values of a page. */
interface RerankStart {
  readonly query?: string;
  readonly model?: string;
}

interface OpenTab {
  readonly panel: vscode.WebviewPanel;
  readonly tab: RerankTab;
}

/** The rerank tabs of a window, and the commands that open them. Arguments are checked: they come from menus and other extensions. */
export class RerankTabs implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly workspace: RerankWorkspace;
  private readonly open = new Set<OpenTab>();

  constructor(private readonly services: Services) {
    const { context } = services;
    const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'rerank');
    this.workspace = this.disposables.add(new RerankWorkspace(services, folder));
  }

  /** Shows the scores of all pages. */
  get gutter(): ScoreGutter {
    return this.workspace.gutter;
  }

  /** Ranks the selection. `query`, if a string, is the page's initial query. */
  async rankSelection(query?: unknown): Promise<void> {
    checkTrust();
    const source = readSelection(vscode.window.activeTextEditor ?? this.workspace.lastEditor.current());
    await this.openSource(source, typeof query === 'string' ? { query } : {});
  }

  /** Asks what to rank. A `MediaStart` names the model. */
  async askAndOpen(start?: unknown): Promise<void> {
    const { workspace } = this;
    const model = startModel(start);
    const form = model === undefined ? {} : { model };
    await workspace.judgements.refresh().catch(() => undefined);
    const hasRatings = workspace.judgements.held.count > 0;
    const chosen = await askSource(workspace.lastEditor.current(), await workspace.store.ranked(), hasRatings);
    if (chosen?.kind === 'ratings') await this.openJudgements();
    if (chosen?.kind === 'page') await this.openSaved(chosen.id, form);
    if (chosen?.kind === 'source') await this.openSource(await workspace.readSource(chosen.source), form);
  }

  async rankFiles(file?: unknown, files?: unknown): Promise<void> {
    checkTrust();
    const handed = urisOf(file, files);
    const uris = handed.length > 0 ? handed : await askFiles();
    await this.openSource(uris && (await readFiles(uris)));
  }

  async openJudgements(): Promise<void> {
    const { judgements, judgementsPath } = this.workspace;
    await judgements.refresh();
    if (judgements.held.count === 0) throw nothingJudged();
    await vscode.window.showTextDocument(vscode.Uri.file(judgementsPath));
  }

  /** Restores a tab after a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
    if (typeof id === 'string' && this.reveal(id)) panel.dispose();
    else {
      const saved = typeof id === 'string' ? await this.workspace.store.find(id) : undefined;
      this.show(panel, new RerankTab(saved, this.workspace));
    }
  }

  dispose(): void {
    for (const { tab } of this.open) tab.dispose();
    this.disposables.dispose();
  }

  /** Shows a source in a tab without a ranking, or else in a new one, with these form values. */
  private async openSource(source: RerankSource | undefined, form: RerankStart = {}): Promise<void> {
    const { workspace } = this;
    await this.services.models.ready();
    if (!source) return;
    const unused = [...this.open].find(({ tab }) => isUnused(tab));
    if (unused) {
      await unused.tab.take(source);
      unused.tab.fill(form);
      unused.panel.reveal();
      return;
    }
    const saved = await workspace.store.create(source, { ...emptyForm, model: workspace.models().preferred, ...form });
    this.show(newPanel(isBeside(source)), new RerankTab(saved, workspace));
  }

  /** Shows an earlier page again, with these form values. */
  private async openSaved(id: string, form: RerankStart): Promise<void> {
    if (this.reveal(id, form)) return;
    const saved = await this.workspace.store.find(id);
    if (!saved) return;
    const tab = new RerankTab(saved, this.workspace);
    tab.fill(form);
    this.show(newPanel(saved.record.source ? isBeside(saved.record.source) : false), tab);
  }

  /** Reveals the tab that shows a page, and returns whether there is one. */
  private reveal(id: string, form: RerankStart = {}): boolean {
    const known = [...this.open].find(({ tab }) => tab.page.record.id === id);
    known?.tab.fill(form);
    known?.panel.reveal();
    return known !== undefined;
  }

  private show(panel: vscode.WebviewPanel, tab: RerankTab): void {
    const shown = { panel, tab };
    this.open.add(shown);
    const showing = showTab(shown, this.workspace);
    panel.onDidDispose(() => {
      this.open.delete(shown);
      showing.dispose();
    });
  }
}

function nothingJudged(): UserError {
  return new UserError(
    l10n.t('No relevance ratings yet'),
    l10n.t('Press R (relevant) or N (not relevant) on a ranked document.'),
  );
}

function isUnused({ page }: RerankTab): boolean {
  const { rankings, comparisons } = page.record;
  return !page.isRunning && Object.keys(rankings).length === 0 && Object.keys(comparisons).length === 0;
}

/** Whether the ranking opens next to its text, because the text is open. */
function isBeside({ kind }: RerankSource): boolean {
  return kind === 'selection' || kind === 'file';
}

function newPanel(isBesideText: boolean): vscode.WebviewPanel {
  const column = isBesideText ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel('inferenceDesk.rerank', '', column);
}

/** Shows a tab in its panel. Dispose it when the panel is closed, which also disposes the tab and stops running work. */
function showTab({ panel, tab }: OpenTab, workspace: RerankWorkspace): Disposable {
  const store = new DisposableStore();
  const { services } = workspace;
  let isOpen = true;
  const setTitle = () => {
    const { source } = tab.page.record;
    panel.title = source ? l10n.t('Rerank {0}', foreign(source.title)) : l10n.t('Rerank');
  };
  store.add(tab);
  store.add(services.models.follow());
  panel.iconPath = panelIcon(services.context.extensionUri, 'rerank');
  setTitle();
  const host = store.add(
    showScreen({
      screen: 'rerank',
      title: l10n.t('Rerank'),
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: tabHandlers({ panel, tab }, workspace, () => isOpen),
      calls: rerankCalls,
      log: services.log,
    }),
  );
  store.add(
    tab.onDidChange(() => {
      setTitle();
      host.tell('rerank/changed', tab.page.view());
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  // `visible` must not be read on a panel that was closed, so this is disposed first.
  store.add({ dispose: () => (isOpen = false) });
  return store;
}

function tabHandlers(
  { panel, tab }: OpenTab,
  workspace: RerankWorkspace,
  isOpen: () => boolean,
): Handlers<RerankScreen> {
  const { scores, services } = workspace;
  const following = ({ signal, emit }: CallContext<RerankProgress>) => {
    const ending = new AbortController();
    // A hidden page drops its calls, but only the user may stop paid work.
    signal.addEventListener('abort', () => (!isOpen() || panel.visible) && ending.abort());
    return { signal: ending.signal, emit };
  };
  return rerankHandlers(
    () => tab.page,
    {
      refresh: () => tab.refresh(),
      chooseSource: (kind, signal) => tab.choose(kind, signal),
      goTo: (page, at) => goToDocument(page.document(at), panel.viewColumn),
      reorder: (page, keep) =>
        scores.reorder(page, keep, (written) => {
          tab.takeReordered(page, written).catch(services.report);
        }),
      showScores: (page, isShown) => scores.show(page, isShown),
      async renewScores(page) {
        if (scores.isShown(page)) await scores.show(page, true).catch(services.report);
      },
      copy: (text) => vscode.env.clipboard.writeText(text),
      act: (action) => act(action, tab),
    },
    following,
  );
}

/** Unknown action ids do nothing: the page is not trusted. */
async function act(action: string, tab: RerankTab): Promise<void> {
  if (action === readAgain) await tab.readAgain();
  else if (action === 'retry') await tab.refresh();
  else await runAction(action);
}

interface Held {
  readonly page: RerankPage;
  readonly watch: SourceWatch | undefined;
}

/** The pages of a tab, of which one is shown. Another source replaces them. Another order of the same text adds one, and undo shows the previous one. */
export class RerankTab implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  /** Pages for other orders of the same text. */
  private readonly held: Held[] = [];
  private shown: Held;
  /** The account whose models were known last, and the models that the page named for accounts before. */
  private account: string | undefined;
  private readonly models = new Map<string, string>();

  /** Fires when the page has to be updated. */
  readonly onDidChange = this.changed.event;

  constructor(
    saved: SavedPage | undefined,
    private readonly workspace: RerankWorkspace,
  ) {
    this.shown = this.hold(saved ?? nothingSaved(workspace.models().preferred));
    this.store.add(workspace.onDidChange(() => this.redraw()));
    this.store.add({
      dispose: () => this.held.forEach(({ page, watch }) => (page.stop(), watch?.dispose())),
    });
  }

  get page(): RerankPage {
    return this.shown.page;
  }

  async refresh(): Promise<void> {
    await this.workspace.refresh();
    this.fillModel();
  }

  /** Lets the user choose a source, asking as needed. Changes nothing on cancel. */
  async choose(kind: RerankSourceKind, signal?: AbortSignal): Promise<void> {
    this.refuseWhileRunning();
    const source = await this.workspace.readSource(kind, signal);
    signal?.throwIfAborted();
    if (source) await this.take(source);
  }

  /** Shows another source, keeping the form. */
  async take(source: RerankSource): Promise<void> {
    this.refuseWhileRunning();
    const saved = await this.workspace.store.create(source, this.page.record.form);
    this.letGo();
    this.show(this.hold(saved));
  }

  /** Updates the fields of the form that are set in `form`. */
  fill(form: Partial<RerankForm>): void {
    this.page.type({ ...this.page.record.form, ...form });
    this.changed.fire();
  }

  /** Reads the texts again. If that changes the documents, the previous ones keep their ranking. */
  async readAgain(): Promise<void> {
    this.refuseWhileRunning();
    const { source } = this.page.record;
    const now = source && (await readAsNow(source, this.workspace.services.settings));
    if (!now) return;
    if (!this.page.takeAgain(now)) {
      await this.take(now);
      return;
    }
    this.shown.watch?.dispose();
    this.replaceShown({ page: this.page, watch: this.watch(now, () => this.page) });
  }

  /** Continues with a text that was written in another order, and carries its ranking over. */
  async takeReordered(page: RerankPage, { text, start, order }: Reordered): Promise<void> {
    const { source, record } = page;
    const [before] = source.source.texts;
    if (!before?.at) return;
    const at = { ...before.at, line: start.line, character: start.character };
    const saved = await this.workspace.store.create(
      { ...source.source, texts: [{ ...before, text, at }] },
      record.form,
    );
    const { by, columns, form } = record;
    const choices = { by, columns, excluded: { [by]: positionsAfter(record.excluded[by] ?? [], order) }, form };
    await saved.memory.keepChoices(choices);
    const next = this.hold({ ...saved, record: { ...saved.record, ...choices } });
    const ranking = record.rankings[by];
    const isSame = next.page.source.documents.list.length === order.length;
    if (ranking && isSame) await next.page.keepResult(by, { ranking: reorderRanking(ranking, order) });
    this.show(next);
  }

  dispose(): void {
    this.store.dispose();
  }

  private hold(saved: SavedPage): Held {
    const page: RerankPage = new RerankPage(saved, this.workspace, {
      sourceState: () => this.stateOf(held),
      onChange: () => this.tellOf(held),
    });
    const { source } = saved.record;
    const held: Held = { page, watch: source && this.watch(source, () => page) };
    this.held.push(held);
    return held;
  }

  private watch(source: RerankSource, page: () => RerankPage): SourceWatch {
    return watchSource(source, () => this.onTextChanged(page()));
  }

  private stateOf({ page, watch }: Held): SourceState {
    const { source } = page.record;
    const changed = watch?.changed;
    return {
      ...(changed !== undefined && { changed }),
      canReadAgain: source !== undefined && isReadAgain(source),
      canWrite: source !== undefined && isWritable(source),
      isShowingScores: this.workspace.scores.isShown(page),
    };
  }

  /** If undo or redo restores the text of another order, shows that one. */
  private onTextChanged(page: RerankPage): void {
    if (page !== this.page) return;
    const standing = page.isRunning ? undefined : this.held.find((held) => held !== this.shown && stands(held.page));
    if (this.shown.watch?.changed !== undefined && standing) {
      standing.page.type({ ...page.record.form });
      this.show(standing);
    } else this.changed.fire();
  }

  private tellOf(held: Held): void {
    if (held === this.shown) this.changed.fire();
  }

  private show(held: Held): void {
    this.shown = held;
    this.changed.fire();
  }

  private replaceShown(held: Held): void {
    this.held[this.held.indexOf(this.shown)] = held;
    this.show(held);
  }

  private letGo(): void {
    for (const { watch } of this.held.splice(0)) watch?.dispose();
  }

  private redraw(): void {
    this.fillModel();
    this.changed.fire();
  }

  /**
   * If models arrive after the page and none is selected, or those of another account without the selected one, selects the preferred one.
   */
  private fillModel(): void {
    const { form } = this.page.record;
    const { profileId, fetchedAt, error } = this.workspace.services.models.state;
    const isKnown = fetchedAt !== undefined || error !== undefined;
    // Another account's models are about to be known.
    if (!isKnown && this.account !== undefined && profileId !== this.account) return;
    const model = (isKnown ? this.modelFor(form.model) : form.model) || this.workspace.models().preferred;
    if (model !== form.model) this.page.type({ ...form, model });
  }

  /**
   * Returns the model to continue with: `model`, unless the account has changed to one that lacks it. Empty if none was named with that
   * one.
   */
  private modelFor(model: string): string {
    const { state } = this.workspace.services.models;
    const { profileId } = state;
    if (profileId === undefined || profileId === this.account) return model;
    const before = this.account;
    this.account = profileId;
    if (before === undefined) return model;
    this.models.set(before, model);
    return model === '' || lacksModel(model, state) ? (this.models.get(profileId) ?? '') : model;
  }

  private refuseWhileRunning(): void {
    if (this.page.isRunning) throw this.workspace.words.busy();
  }
}

function nothingSaved(model: string): SavedPage {
  const keep = async () => undefined;
  const form = { ...emptyForm, model };
  return {
    record: { id: 'new', by: 'whole', excluded: {}, form, rankings: {}, comparisons: {} },
    memory: { id: 'new', keepChoices: keep, keepSource: keep, keepResults: keep },
  };
}

function stands({ record: { source } }: RerankPage): boolean {
  return source !== undefined && isStillOpen(source);
}
