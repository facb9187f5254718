import * as vscode from 'vscode';
import { emptyForm } from '../../../protocol/rerank';
import type { Disposable } from '../../../platform/disposables';
import type { RerankSource } from '../sources/rerankSource';
import { RerankHistory } from './rerankHistory';
import type { RerankHistoryOptions } from './rerankHistory';
import { showRerank } from './rerankPage';
import type { RerankPageOptions } from './rerankPage';

const panelType = 'inferenceDesk.rerank';

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly history: RerankHistory;
}

/** Initial form values of a page. */
export interface RerankStart {
  readonly query?: string;
  readonly model?: string;
}

/** The rerank tabs. */
export interface RerankPanels extends Disposable {
  /** Shows a source in a tab where nothing is ranked yet, else in a new one, with these form values. */
  open(source: RerankSource, form?: RerankStart): Promise<void>;
  /** Shows an earlier page again, with these form values. */
  openKept(id: string, form?: RerankStart): Promise<void>;
  /** Restores a tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export type PanelOptions = RerankHistoryOptions & Pick<RerankPageOptions, 'services' | 'scores'>;

export function createRerankPanels(options: PanelOptions): RerankPanels {
  const { store, parts } = options;
  const shown = new Set<Shown>();

  const show = (panel: vscode.WebviewPanel, history: RerankHistory): void => {
    const one: Shown = { panel, history };
    const page = showRerank({ ...options, panel, history });
    shown.add(one);
    panel.onDidDispose(() => {
      shown.delete(one);
      page.dispose();
    });
  };
  const showOf = (id: string, form: RerankStart = {}): boolean => {
    const known = [...shown].find(({ history }) => history.controller.record.id === id);
    known?.history.fill(form);
    known?.panel.reveal();
    return known !== undefined;
  };
  return {
    async open(source, form = {}) {
      const unused = [...shown].find(({ history }) => isUnused(history));
      if (unused) {
        await unused.history.take(source);
        unused.history.fill(form);
        unused.panel.reveal();
        return;
      }
      const kept = await store.create(source, { ...emptyForm, model: parts.models().preferred, ...form });
      show(newPanel(isBeside(source)), new RerankHistory(kept, options));
    },
    async openKept(id, form = {}) {
      if (showOf(id, form)) return;
      const kept = await store.find(id);
      if (!kept) return;
      const history = new RerankHistory(kept, options);
      history.fill(form);
      show(newPanel(kept.record.source ? isBeside(kept.record.source) : false), history);
    },
    async restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
      if (typeof id === 'string' && showOf(id)) panel.dispose();
      else show(panel, new RerankHistory(typeof id === 'string' ? await store.find(id) : undefined, options));
    },
    dispose() {
      for (const { history } of shown) history.dispose();
    },
  };
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
