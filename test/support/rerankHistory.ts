import type * as vscode from 'vscode';
import { emptyForm } from '../../src/protocol/rerankForm';
import type { ScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import { RerankHistory } from '../../src/features/rerank/page/rerankHistory';
import { RerankWindow } from '../../src/features/rerank/page/rerankWindow';
import { rerankHandlers } from '../../src/features/rerank/rerankHandlers';
import type { RerankSource } from '../../src/features/rerank/sources/rerankSource';
import type { RerankStore } from '../../src/features/rerank/store/rerankStore';
import type { Handlers } from '../../src/protocol/call';
import type { RerankForm, RerankProgress, RerankScreen } from '../../src/protocol/rerank';
import type { Services } from '../../src/services/services';

/** A tab that ranks, without its page: what a page asks is asked by the test. */
export interface RerankHistoryHost {
  readonly shelf: RerankHistory;
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

export interface HistoryTest {
  readonly services: Services;
  /** Where it keeps what is to be kept. */
  readonly folder: string;
  /** An earlier page. */
  readonly pageId?: string;
  readonly confirm?: () => Promise<boolean>;
}

export const typed = (form: Partial<RerankForm>): RerankForm => ({ ...emptyForm, ...form });

export async function openHistory(
  source: RerankSource | undefined,
  { services, folder, pageId, confirm = async () => true }: HistoryTest,
): Promise<RerankHistoryHost> {
  const memory = new Map<string, unknown>();
  const memento: vscode.Memento = {
    keys: () => [...memory.keys()],
    get: <T>(key: string, other?: T) => (memory.get(key) ?? other) as T,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  };
  const context = { ...services.context, workspaceState: memento } as Services['context'];
  const window = new RerankWindow({ ...services, context }, folder);
  window.confirm = confirm;
  window.readSource = async () => source;
  const { store, gutter, scores } = window;
  const kept = pageId === undefined ? source && (await store.create(source, emptyForm)) : await store.find(pageId);
  const shelf = new RerankHistory(kept, window);
  const copied: string[] = [];
  const progress: RerankProgress[] = [];
  const handlers: Handlers<RerankScreen> = rerankHandlers(() => shelf.controller, {
    chooseSource: (kind, signal) => shelf.choose(kind, signal),
    goTo: async () => undefined,
    reorder: (desk, keep) => scores.reorder(desk, keep, (written) => void shelf.takeReordered(desk, written)),
    showScores: (desk, isShown) => scores.show(desk, isShown),
    copy: async (text) => void copied.push(text),
    act: async () => undefined,
  });
  return {
    shelf,
    store,
    gutter,
    copied,
    progress,
    call: (method, params, signal = new AbortController().signal) => {
      const handler = handlers[method] as (params: unknown, context: object) => Promise<never>;
      return handler(params, { signal, emit: (chunk: RerankProgress) => void progress.push(chunk) });
    },
    dispose() {
      shelf.dispose();
      window.dispose();
    },
  };
}
