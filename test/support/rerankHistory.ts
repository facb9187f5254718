import { tabGuard } from '../../src/features/rerank/sources/readSource';
import path from 'node:path';
import * as vscode from 'vscode';
import { emptyForm } from '../../src/protocol/rerankForm';
import { createScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import type { ScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import { RerankHistory } from '../../src/features/rerank/page/rerankHistory';
import { rerankMessages } from '../../src/features/rerank/page/rerankMessages';
import { createEditorScores } from '../../src/features/rerank/page/editorScores';
import { createRerankModels, createOpenService } from '../../src/features/rerank/page/rerankService';
import { rerankHandlers } from '../../src/features/rerank/rerankHandlers';
import type { RerankSource } from '../../src/features/rerank/sources/rerankSource';
import { createJudgementStore } from '../../src/features/rerank/store/judgementStore';
import { createQueryHistory } from '../../src/features/rerank/store/queryHistory';
import { createRerankStore } from '../../src/features/rerank/store/rerankStore';
import type { RerankStore } from '../../src/features/rerank/store/rerankStore';
import { describe } from '../../src/platform/errors/reportError';
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
  const store = createRerankStore(path.join(folder, 'pages'), (error) => {
    throw error;
  });
  const judgements = createJudgementStore(path.join(folder, 'judgements.jsonl'), Date.now);
  const gutter = createScoreGutter();
  const scores = createEditorScores(gutter, services.replacements);
  const memory = new Map<string, unknown>();
  const memento: vscode.Memento = {
    keys: () => [...memory.keys()],
    get: <T>(key: string, other?: T) => (memory.get(key) ?? other) as T,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  };
  const kept = pageId === undefined ? source && (await store.create(source, emptyForm)) : await store.find(pageId);
  const shelf = new RerankHistory(kept, {
    parts: {
      words: rerankMessages(),
      queries: createQueryHistory(memento),
      judgements,
      ...createRerankModels(services.models, memento),
      openService: createOpenService(services),
      confirm,
      describe,
      now: Date.now,
      onTrouble: (error) => services.log.warn(String(error)),
    },
    store,
    readSource: async () => source,
    guardTabs: () => tabGuard(services.settings),
    isShowingScores: (desk) => scores.isShown(desk),
    refresh: () => judgements.refresh(),
    onDidChange: new vscode.EventEmitter<void>().event,
  });
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
      gutter.dispose();
    },
  };
}
