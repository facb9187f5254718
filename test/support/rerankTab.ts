import type * as vscode from 'vscode';
import { emptyForm } from '../../src/protocol/rerankForm';
import type { ScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import { RerankTab } from '../../src/features/rerank/rerankTabs';
import { RerankWorkspace } from '../../src/features/rerank/rerankWorkspace';
import { rerankHandlers } from '../../src/features/rerank/logic/rerankHandlers';
import type { RerankSource } from '../../src/features/rerank/logic/documents';
import type { RerankStore } from '../../src/features/rerank/logic/rerankStore';
import type { Handlers } from '../../src/protocol/call';
import type { RerankForm, RerankProgress, RerankScreen } from '../../src/protocol/rerank';
import type { Services } from '../../src/services/services';

/** A rerank tab without its page, whose calls the test makes. */
export interface RerankTabTest {
  readonly tab: RerankTab;
  readonly store: RerankStore;
  readonly gutter: ScoreGutter;
  readonly copied: readonly string[];
  readonly progress: readonly RerankProgress[];
  /** A call, as the page makes it. */
  readonly call: <M extends keyof RerankScreen['calls']>(
    method: M,
    params: RerankScreen['calls'][M]['params'],
    signal?: AbortSignal,
  ) => Promise<RerankScreen['calls'][M]['result']>;
  dispose(): void;
}

export interface TabTestOptions {
  readonly services: Services;
  /** The folder for stored data. */
  readonly folder: string;
  /** An earlier page. */
  readonly pageId?: string;
  readonly confirm?: () => Promise<boolean>;
}

export const typed = (form: Partial<RerankForm>): RerankForm => ({ ...emptyForm, ...form });

export async function openTab(
  source: RerankSource | undefined,
  { services, folder, pageId, confirm = async () => true }: TabTestOptions,
): Promise<RerankTabTest> {
  const memory = new Map<string, unknown>();
  const memento: vscode.Memento = {
    keys: () => [...memory.keys()],
    get: <T>(key: string, other?: T) => (memory.get(key) ?? other) as T,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  };
  const context = { ...services.context, workspaceState: memento } as Services['context'];
  const workspace = new RerankWorkspace({ ...services, context }, folder);
  workspace.confirm = confirm;
  workspace.readSource = async () => source;
  const { store, gutter, scores } = workspace;
  const saved = pageId === undefined ? source && (await store.create(source, emptyForm)) : await store.find(pageId);
  const tab = new RerankTab(saved, workspace);
  const copied: string[] = [];
  const progress: RerankProgress[] = [];
  const handlers: Handlers<RerankScreen> = rerankHandlers(() => tab.page, {
    refresh: async () => undefined,
    chooseSource: (kind, signal) => tab.choose(kind, signal),
    goTo: async () => undefined,
    reorder: (page, keep) => scores.reorder(page, keep, (written) => void tab.takeReordered(page, written)),
    showScores: (page, isShown) => scores.show(page, isShown),
    renewScores: (page) => scores.show(page, scores.isShown(page)),
    copy: async (text) => void copied.push(text),
    act: async () => undefined,
  });
  return {
    tab,
    store,
    gutter,
    copied,
    progress,
    call: (method, params, signal = new AbortController().signal) => {
      const handler = handlers[method] as (params: unknown, context: object) => Promise<never>;
      return handler(params, { signal, emit: (chunk: RerankProgress) => void progress.push(chunk) });
    },
    dispose() {
      tab.dispose();
      workspace.dispose();
    },
  };
}
