import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { OpenRun, OpenRuns } from '../run/openRuns';
import { keyOf, readTarget } from '../run/resultsTarget';
import type { ResultsTarget } from '../run/resultsTarget';
import { showResults } from './resultsPage';
import type { ResultsPage } from './resultsPage';

const resultsType = 'inferenceDesk.batchResults';
const targetsKey = 'batchResults.targets';
/** Older entries are dropped: their tabs were closed long ago. */
const mostTargets = 50;

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly page: ResultsPage;
  readonly open: OpenRun;
}

/** The open results pages, one per run. */
export interface ResultsPanels extends Disposable {
  /** Opens the page of a run, or reveals the open one; `row` selects a request. */
  open(target: ResultsTarget, row?: number): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createResultsPanels(services: Services, runs: OpenRuns): ResultsPanels {
  const { workspaceState } = services.context;
  const shown = new Map<string, Shown>();
  /** The target of each page. The page only stores an id because it could not be trusted with a path. */
  const targets = () => workspaceState.get<Readonly<Record<string, unknown>>>(targetsKey, {});

  const show = (panel: vscode.WebviewPanel, target: ResultsTarget, resultsId: string): ResultsPage => {
    const key = keyOf(target);
    const open = runs.open(target);
    const page = showResults({ services, panel, open, resultsId });
    shown.set(key, { panel, page, open });
    panel.onDidDispose(() => {
      page.dispose();
      open.dispose();
      shown.delete(key);
    });
    return page;
  };
  /** A batch that had no folder when its page was opened may have one by now. */
  const shownOf = (target: ResultsTarget): Shown | undefined =>
    shown.get(keyOf(target)) ??
    [...shown.values()].find(({ open }) => target.kind === 'folder' && open.run.state.folder?.path === target.folder);
  return {
    async open(target, row) {
      const known = shownOf(target);
      known?.panel.reveal();
      if (known && row !== undefined) known.page.reveal(row);
      if (known) return;
      const resultsId = randomUUID();
      const kept = Object.entries(targets()).slice(1 - mostTargets);
      const panel = vscode.window.createWebviewPanel(resultsType, '', vscode.ViewColumn.Active);
      // Nothing is awaited before this, so a second command reveals this page.
      const page = show(panel, target, resultsId);
      if (row !== undefined) page.reveal(row);
      await workspaceState.update(targetsKey, Object.fromEntries([...kept, [resultsId, target]]));
    },
    restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'resultsId' in state ? state.resultsId : undefined;
      const known = targets();
      const target = typeof id === 'string' && Object.hasOwn(known, id) ? readTarget(known[id]) : undefined;
      if (typeof id !== 'string' || !target || shown.has(keyOf(target))) panel.dispose();
      else show(panel, target, id);
    },
    dispose() {
      for (const { page } of shown.values()) page.dispose();
    },
  };
}
