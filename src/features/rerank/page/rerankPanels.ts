import * as vscode from 'vscode';
import { emptyForm } from '../../../protocol/rerank';
import type { Disposable } from '../../../platform/disposables';
import type { RerankSource } from '../sources/rerankSource';
import { DeskShelf } from './deskShelf';
import type { ShelfOptions } from './deskShelf';
import { showRerank } from './rerankPage';
import type { RerankPageOptions } from './rerankPage';

const panelType = 'inferenceDesk.rerank';

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly shelf: DeskShelf;
}

/** What stands in the form of a page that is opened. */
export interface RerankStart {
  readonly query?: string;
  readonly model?: string;
}

/** The tabs that rank. */
export interface RerankPanels extends Disposable {
  /** Shows a source in a tab in which nothing was ranked yet, else in a new one, with what is named in its form. */
  open(source: RerankSource, form?: RerankStart): Promise<void>;
  /** Shows an earlier page again, with what is named in its form. */
  openKept(id: string, form?: RerankStart): Promise<void>;
  /** Brings one back after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export type PanelOptions = ShelfOptions & Pick<RerankPageOptions, 'services' | 'scores'>;

export function createRerankPanels(options: PanelOptions): RerankPanels {
  const { store, parts } = options;
  const shown = new Set<Shown>();

  const show = (panel: vscode.WebviewPanel, shelf: DeskShelf): void => {
    const one: Shown = { panel, shelf };
    const page = showRerank({ ...options, panel, shelf });
    shown.add(one);
    panel.onDidDispose(() => {
      shown.delete(one);
      page.dispose();
    });
  };
  const showOf = (id: string, form: RerankStart = {}): boolean => {
    const known = [...shown].find(({ shelf }) => shelf.desk.record.id === id);
    known?.shelf.fill(form);
    known?.panel.reveal();
    return known !== undefined;
  };
  return {
    async open(source, form = {}) {
      const unused = [...shown].find(({ shelf }) => isUnused(shelf));
      if (unused) {
        await unused.shelf.take(source);
        unused.shelf.fill(form);
        unused.panel.reveal();
        return;
      }
      const kept = await store.create(source, { ...emptyForm, model: parts.models().preferred, ...form });
      show(newPanel(isBeside(source)), new DeskShelf(kept, options));
    },
    async openKept(id, form = {}) {
      if (showOf(id, form)) return;
      const kept = await store.find(id);
      if (!kept) return;
      const shelf = new DeskShelf(kept, options);
      shelf.fill(form);
      show(newPanel(kept.record.source ? isBeside(kept.record.source) : false), shelf);
    },
    async restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'pageId' in state ? state.pageId : undefined;
      if (typeof id === 'string' && showOf(id)) panel.dispose();
      else show(panel, new DeskShelf(typeof id === 'string' ? await store.find(id) : undefined, options));
    },
    dispose() {
      for (const { shelf } of shown) shelf.dispose();
    },
  };
}

function isUnused({ desk }: DeskShelf): boolean {
  const { rankings, comparisons } = desk.record;
  return !desk.isRunning && Object.keys(rankings).length === 0 && Object.keys(comparisons).length === 0;
}

/** A text that is open is looked at beside its ranking. */
function isBeside({ kind }: RerankSource): boolean {
  return kind === 'selection' || kind === 'file';
}

function newPanel(isBesideText: boolean): vscode.WebviewPanel {
  const column = isBesideText ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return vscode.window.createWebviewPanel(panelType, '', column);
}
