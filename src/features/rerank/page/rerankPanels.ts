import * as vscode from 'vscode';
import { emptyForm } from '../../../protocol/rerankForm';
import type { Disposable } from '../../../platform/disposables';
import type { RerankSource } from '../sources/rerankSource';
import { RerankHistory } from './rerankHistory';
import type { RerankHistoryOptions } from './rerankHistory';
import { RerankTabPage } from './rerankPage';
import type { RerankTab } from './rerankPage';
import type { EditorScores } from './editorScores';
import type { Services } from '../../../services/services';

const panelType = 'inferenceDesk.rerank';

/** Initial form values of a page. */
export interface RerankStart {
  readonly query?: string;
  readonly model?: string;
}

/** The rerank tabs. */
export class RerankPanels implements Disposable {
  private readonly shown = new Set<RerankTab>();

  constructor(
    private readonly services: Services,
    private readonly scores: EditorScores,
    private readonly options: RerankHistoryOptions,
  ) {}

  /** Shows a source in a tab where nothing is ranked yet, else in a new one, with these form values. */
  async open(source: RerankSource, form: RerankStart = {}): Promise<void> {
    const unused = [...this.shown].find(({ history }) => isUnused(history));
    if (unused) {
      await unused.history.take(source);
      unused.history.fill(form);
      unused.panel.reveal();
      return;
    }
    const { store, parts } = this.options;
    const kept = await store.create(source, { ...emptyForm, model: parts.models().preferred, ...form });
    this.show(newPanel(isBeside(source)), new RerankHistory(kept, this.options));
  }

  /** Shows an earlier page again, with these form values. */
  async openKept(id: string, form: RerankStart = {}): Promise<void> {
    if (this.showOf(id, form)) return;
    const kept = await this.options.store.find(id);
    if (!kept) return;
    const history = new RerankHistory(kept, this.options);
    history.fill(form);
    this.show(newPanel(kept.record.source ? isBeside(kept.record.source) : false), history);
  }

  /** Restores a tab after a reload of the window. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
    if (typeof id === 'string' && this.showOf(id)) panel.dispose();
    else {
      const kept = typeof id === 'string' ? await this.options.store.find(id) : undefined;
      this.show(panel, new RerankHistory(kept, this.options));
    }
  }

  dispose(): void {
    for (const { history } of this.shown) history.dispose();
  }

  private show(panel: vscode.WebviewPanel, history: RerankHistory): void {
    const tab: RerankTab = { panel, history };
    const page = new RerankTabPage(this.services, this.scores, tab);
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
