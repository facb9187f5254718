import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import { keyOf, readTarget } from '../run/resultsTarget';
import type { ResultsTarget } from '../run/resultsTarget';
import { showComparison } from './comparePage';

const compareType = 'inferenceDesk.batchCompare';
const targetsKey = 'batchCompare.targets';
/** Older entries are dropped: their tabs were closed long ago. */
const mostTargets = 50;

interface Pair {
  readonly a: ResultsTarget;
  readonly b: ResultsTarget;
}

/** The open comparisons, one per pair of runs. */
export interface ComparePanels extends Disposable {
  open(a: ResultsTarget, b: ResultsTarget): Promise<void>;
  /** Restores a comparison after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createComparePanels(services: Services): ComparePanels {
  const { workspaceState } = services.context;
  const open = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: Disposable }>();
  /** The runs of each page. The page only stores an id because it could not be trusted with a path. */
  const targets = () => workspaceState.get<Readonly<Record<string, unknown>>>(targetsKey, {});

  const show = (panel: vscode.WebviewPanel, pair: Pair, compareId: string) => {
    const key = keyOfPair(pair);
    const page = showComparison({ services, panel, ...pair, compareId });
    open.set(key, { panel, page });
    panel.onDidDispose(() => {
      page.dispose();
      open.delete(key);
    });
  };
  return {
    async open(a, b) {
      const known = open.get(keyOfPair({ a, b }));
      if (known) return known.panel.reveal();
      const compareId = randomUUID();
      const kept = Object.entries(targets()).slice(1 - mostTargets);
      show(vscode.window.createWebviewPanel(compareType, '', vscode.ViewColumn.Active), { a, b }, compareId);
      await workspaceState.update(targetsKey, Object.fromEntries([...kept, [compareId, { a, b }]]));
    },
    restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'compareId' in state ? state.compareId : undefined;
      const known = targets();
      const pair = typeof id === 'string' && Object.hasOwn(known, id) ? readPair(known[id]) : undefined;
      if (typeof id !== 'string' || !pair || open.has(keyOfPair(pair))) panel.dispose();
      else show(panel, pair, id);
    },
    dispose() {
      for (const { page } of open.values()) page.dispose();
    },
  };
}

function keyOfPair({ a, b }: Pair): string {
  return `${keyOf(a)} ${keyOf(b)}`;
}

function readPair(value: unknown): Pair | undefined {
  if (typeof value !== 'object' || value === null || !('a' in value) || !('b' in value)) return undefined;
  const a = readTarget(value.a);
  const b = readTarget(value.b);
  return a && b ? { a, b } : undefined;
}
