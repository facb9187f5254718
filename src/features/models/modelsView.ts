import * as vscode from 'vscode';
import type { CatalogueState, ModelCatalogue } from '../../platform/modelCatalogue';
import { ageWords } from '../../platform/age';
import { setContext } from '../../platform/contributions';
import type { ContextKeys } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { describe } from '../../platform/reportError';
import { toModelTreeItem } from './modelItem';
import { createModelTree } from './modelTree';
import type { ModelTree, ModelTreeNode } from './modelTree';

const viewId = 'inferenceDesk.models';

/** The tree of models with its filter. */
export class ModelsView implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly view: vscode.TreeView<ModelTreeNode>;
  private filterText = '';
  private tree: ModelTree;

  constructor(private readonly models: ModelCatalogue) {
    this.tree = createModelTree(models.state, '');
    this.view = this.store.add(
      vscode.window.createTreeView<ModelTreeNode>(viewId, {
        showCollapseAll: true,
        treeDataProvider: {
          onDidChangeTreeData: this.changed.event,
          getTreeItem: toModelTreeItem,
          getChildren: (node) => this.children(node),
          getParent: (node) => this.tree.parentOf(node),
        },
      }),
    );
    this.store.add(models.onDidChange((state) => this.onState(state)));
    this.store.add(this.view.onDidChangeVisibility(({ visible }) => this.onVisible(visible)));
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

  /** Shows the model's row, clearing a filter that hides it. */
  async reveal(modelId: string): Promise<void> {
    if (!this.tree.find(modelId)) this.setFilter('');
    const node = this.tree.find(modelId);
    if (node) await this.view.reveal(node, { select: true, focus: true, expand: true });
  }

  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId } }, () => this.models.refresh());
  }

  dispose(): void {
    this.store.dispose();
  }

  private async children(node: ModelTreeNode | undefined): Promise<ModelTreeNode[]> {
    if (node) return node.kind === 'model' ? [] : [...node.children];
    const { fetchedAt, error } = await this.models.ready();
    if (fetchedAt === undefined && error === undefined) await this.models.ensureFresh();
    return [...this.tree.roots];
  }

  private onVisible(visible: boolean): void {
    if (visible) {
      void this.models.ensureFresh();
      return;
    }
    const { appeared, vanished } = this.models.state.changes;
    if (appeared.size + vanished.length > 0) void this.models.markLooked();
  }

  private onState(state: CatalogueState): void {
    void setContext('inferenceDesk.modelsRows', this.rowsState(state));
    if (!state.loading) this.draw(state);
    // A sign-in while the view stands open: nobody asks for the list otherwise.
    const unread = state.session === 'signedIn' && state.fetchedAt === undefined && state.error === undefined;
    if (this.view.visible && unread && !state.loading) void this.models.ensureFresh();
  }

  private draw(state: CatalogueState): void {
    this.tree = createModelTree(state, this.filterText);
    const { appeared, vanished } = state.changes;
    void setContext('inferenceDesk.modelsChanged', appeared.size + vanished.length > 0);
    void setContext('inferenceDesk.modelsRows', this.rowsState(state));
    this.view.description = this.filterText.trim() === '' ? '' : `“${this.filterText.trim()}”`;
    this.view.message = messageOf(state);
    this.changed.fire();
  }

  private rowsState({ models, loading, error, fetchedAt }: CatalogueState): ContextKeys['inferenceDesk.modelsRows'] {
    if (this.tree.roots.length > 0) return 'rows';
    if (models.length > 0) return 'noMatch';
    if (loading) return 'loading';
    if (error !== undefined) return 'failed';
    return fetchedAt === undefined ? 'loading' : 'empty';
  }
}

/** Says above the rows how old they are when the list could not be read again, or why there is none. */
function messageOf({ error, fetchedAt, models }: CatalogueState): string {
  if (error === undefined) return '';
  const { title, detail } = describe(error);
  if (fetchedAt === undefined || models.length === 0) return `${title}. ${detail}`;
  return vscode.l10n.t('{0}. Last read: {1}.', title, ageWords(fetchedAt, Date.now(), vscode.env.language));
}
