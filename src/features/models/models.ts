import * as vscode from 'vscode';
import { registerCommand, runCommand, setContext } from '../../platform/contributions';
import type { ContextKeys } from '../../platform/contributions';
import type { CommandId } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/workspace/insertAtCursor';
import type { Feature } from '../../services/services';
import type { CatalogueState, ModelCatalogue } from '../../services/models/modelCatalogue';
import { emptyReason } from '../../services/lists/emptyReason';
import { loadedOr, once } from '../../platform/once';
import type { Once } from '../../platform/once';
import { CommandRow } from '../../platform/listRow';
import type { Settings } from '../../platform/settings';
import type { ModelTree, ModelTreeNode } from './logic/modelTree';
import { createTreeView, withProgress } from '../../platform/notify';
import { whileVisible } from '../../platform/whileVisible';

type RowCommand = Extract<
  CommandId,
  `inferenceDesk.models.${'copyId' | 'insertId' | 'useInChat' | 'useInImages' | 'useInVideos' | 'setDefault' | 'pin' | 'unpin'}`
>;

/** The Models view and the commands on a model. */
export const modelsFeature: Feature = (services) => {
  const { models } = services;
  const store = new DisposableStore();
  const picks = () => import('./modelPicks');
  const view = store.add(new ModelsView(models, services.settings, services.log));
  const onRow = (command: RowCommand, act: (modelId: string) => PromiseLike<void>) =>
    store.add(
      registerCommand(services, command, async (row) => {
        const modelId = modelIdOf(row);
        if (modelId !== undefined) await act(modelId);
      }),
    );

  store.add(registerCommand(services, 'inferenceDesk.models.refresh', () => view.refresh()));
  store.add(registerCommand(services, 'inferenceDesk.models.filter', async () => (await picks()).askForFilter(view)));
  store.add(registerCommand(services, 'inferenceDesk.models.clearFilter', async () => view.setFilter('')));
  store.add(registerCommand(services, 'inferenceDesk.models.markSeen', () => models.markLooked()));
  store.add(
    registerCommand(services, 'inferenceDesk.models.search', async () => {
      const modelId = await (await picks()).searchForModel(models);
      if (modelId !== undefined) await view.reveal(modelId);
    }),
  );
  onRow('inferenceDesk.models.copyId', (modelId) => vscode.env.clipboard.writeText(modelId));
  onRow('inferenceDesk.models.insertId', insertAtCursor);
  onRow('inferenceDesk.models.setDefault', async (modelId) => (await picks()).askForDefaults(models, modelId));
  onRow('inferenceDesk.models.useInChat', (model) => runCommand('inferenceDesk.chat.open', { model }));
  onRow('inferenceDesk.models.useInImages', (model) => runCommand('inferenceDesk.images.open', { as: 'form', model }));
  onRow('inferenceDesk.models.useInVideos', (model) => runCommand('inferenceDesk.videos.open', { as: 'form', model }));
  onRow('inferenceDesk.models.pin', (modelId) => models.setPinned(modelId, true));
  onRow('inferenceDesk.models.unpin', (modelId) => models.setPinned(modelId, false));
  return store;
};

/** A menu passes the row; other extensions and keybindings may pass anything. */
function modelIdOf(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('modelId' in row)) return undefined;
  return typeof row.modelId === 'string' ? row.modelId : undefined;
}

const viewId = 'inferenceDesk.models';

/** The filterable tree of models. */
export class ModelsView implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly view: vscode.TreeView<ModelTreeNode | CommandRow>;
  /** The actions for an error, instead of models. */
  private errorRows: readonly CommandRow[] = [];
  private filterText = '';
  private tree: ModelTree | undefined;
  private readonly drawing = once(() => import('./logic/modelTree'));
  private readonly errorTexts = once(() => import('../../services/lists/listErrorText'));

  constructor(
    private readonly models: ModelCatalogue,
    settings: Settings,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.view = this.store.add(
      createTreeView<ModelTreeNode | CommandRow>(viewId, {
        showCollapseAll: true,
        treeDataProvider: {
          onDidChangeTreeData: this.changed.event,
          getTreeItem: async (node) =>
            node instanceof CommandRow
              ? node.toItem()
              : (await import('./modelItem')).toModelTreeItem(node, settings.get('models.capabilities')),
          getChildren: (node) => this.children(node),
          getParent: (node) => (node instanceof CommandRow ? undefined : this.tree?.parentOf(node)),
        },
      }),
    );
    this.store.add(models.onDidChange((state) => this.onState(state)));
    this.store.add(this.view.onDidChangeVisibility(({ visible }) => visible || this.onHidden()));
    this.store.add(whileVisible(this.view, () => models.follow()));
    this.onState(models.state);
  }

  get filter(): string {
    return this.filterText;
  }

  setFilter(text: string): void {
    this.filterText = text;
    void setContext('inferenceDesk.modelsFiltered', text.trim() !== '');
    this.draw(this.models.state);
  }

  /** Reveals the model's row, clearing a filter that hides it. */
  async reveal(modelId: string): Promise<void> {
    await this.loadTree();
    if (!this.tree?.find(modelId)) this.setFilter('');
    const node = this.tree?.find(modelId);
    if (node) await this.view.reveal(node, { select: true, focus: true, expand: true });
  }

  async refresh(): Promise<void> {
    await withProgress({ location: { viewId } }, () => this.models.refresh());
  }

  dispose(): void {
    this.store.dispose();
  }

  private async children(node: ModelTreeNode | CommandRow | undefined): Promise<(ModelTreeNode | CommandRow)[]> {
    if (node instanceof CommandRow) return [];
    if (node) return node.kind === 'model' ? [] : [...node.children];
    const { fetchedAt, error } = await this.models.ready();
    if (fetchedAt === undefined && error === undefined) await this.models.ensureFresh();
    if (hasModels(this.models.state)) await this.loadTree();
    return [...(this.tree?.roots ?? []), ...this.errorRows];
  }

  private now<T>(module: Once<T>): T | undefined {
    return loadedOr(
      module,
      () => this.onState(this.models.state),
      (error) => this.log.error(String(error)),
    );
  }

  private async loadTree(): Promise<void> {
    await this.drawing();
    if (!this.tree) this.onState(this.models.state);
  }

  private onHidden(): void {
    const { appeared, vanished } = this.models.state.changes;
    if (appeared.size + vanished.length > 0) void this.models.markLooked();
  }

  private onState(state: CatalogueState): void {
    if (state.loading) void setContext('inferenceDesk.modelsRows', this.rowsState(state));
    else this.draw(state);
  }

  /** Does nothing while the modules for drawing are being loaded, after which it is called again. */
  private draw(state: CatalogueState): void {
    const { error, fetchedAt, models } = state;
    const drawing = hasModels(state) ? this.now(this.drawing) : emptyTree;
    if (drawing) this.tree = drawing.createModelTree(state, this.filterText);
    // Only above rows, because VS Code shows no welcome text below a message.
    const hasRows = this.tree !== undefined && this.tree.roots.length > 0;
    const isFailed = error !== undefined && models.length === 0 && !hasRows && emptyReason(error) === 'failed';
    const texts = error !== undefined && (hasRows || isFailed) ? this.now(this.errorTexts) : noErrorTexts;
    if (!drawing || !texts) return;
    const { appeared, vanished } = state.changes;
    void setContext('inferenceDesk.modelsChanged', appeared.size + vanished.length > 0);
    void setContext('inferenceDesk.modelsRows', this.rowsState(state));
    this.view.description = this.filterText.trim() === '' ? '' : `“${this.filterText.trim()}”`;
    this.errorRows = isFailed ? texts.errorRows(error, 'inferenceDesk.models.refresh') : [];
    this.view.message = texts.listErrorText(error, { readAt: fetchedAt, hasRows: models.length > 0 });
    this.changed.fire();
  }

  private rowsState({ models, loading, error, fetchedAt }: CatalogueState): ContextKeys['inferenceDesk.modelsRows'] {
    if (this.tree && this.tree.roots.length > 0) return 'rows';
    if (models.length > 0) return this.tree ? 'noMatch' : 'loading';
    if (loading) return 'loading';
    const reason = error === undefined ? undefined : emptyReason(error);
    if (reason !== undefined) return reason === 'failed' ? 'rows' : reason;
    return fetchedAt === undefined ? 'loading' : 'empty';
  }
}

const emptyTree = {
  createModelTree: (): ModelTree => ({ roots: [], parentOf: () => undefined, find: () => undefined }),
};
const noErrorTexts = { listErrorText: () => '', errorRows: () => [] };

function hasModels({ models, pins, changes: { vanished } }: CatalogueState): boolean {
  return models.length + pins.length + vanished.length > 0;
}
