import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import { describe } from '../../platform/errors/reportError';
import { startModel } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { createScoreGutter } from './editor/scoreGutter';
import type { ScoreGutter } from './editor/scoreGutter';
import type { SharedParts } from './page/rerankHistory';
import { rerankMessages } from './page/rerankMessages';
import { createEditorScores } from './page/editorScores';
import { createRerankModels, confirmSending, createOpenService } from './page/rerankService';
import { createRerankPanels } from './page/rerankPanels';
import type { RerankPanels, RerankStart } from './page/rerankPanels';
import { askSource } from './sources/askSource';
import { askFiles, readFiles, urisOf } from './sources/filesSource';
import { readSource, tabGuard } from './sources/readSource';
import type { RerankSource } from './sources/rerankSource';
import { readSelection } from './sources/selectionSource';
import { checkTrust } from './sources/textOf';
import { createJudgementStore } from './store/judgementStore';
import type { SharedJudgements } from './store/judgementStore';
import { createQueryHistory } from './store/queryHistory';
import { createRerankStore } from './store/rerankStore';
import type { RerankStore } from './store/rerankStore';

/** Arguments are checked: they come from menus and other extensions. */
export interface RerankRuntime extends Disposable {
  /** `query`, if a string, is the page's initial query. */
  selection(query?: unknown): Promise<void>;
  /** Asks what to rank. A `MediaStart` names the model. */
  open(start?: unknown): Promise<void>;
  files(file?: unknown, files?: unknown): Promise<void>;
  openJudgements(): Promise<void>;
  /** Shows the scores of all pages. */
  readonly gutter: ScoreGutter;
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export function createRerank(services: Services): RerankRuntime {
  const { context, log, models, settings } = services;
  const disposables = new DisposableStore();
  const lastEditor = disposables.add(createLastEditor());
  const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'rerank');
  const onTrouble = (error: unknown) => log.warn(`A ranking could not be kept: ${String(error)}`);
  const store = createRerankStore(path.join(folder, 'pages'), onTrouble);
  const judgementsPath = path.join(folder, 'judgements.jsonl');
  const judgements = createJudgementStore(judgementsPath, Date.now);
  const gutter = disposables.add(createScoreGutter());
  const panels = createPanels({ services, disposables, gutter, lastEditor, store, judgements, onTrouble });
  const show = async (source: RerankSource | undefined, form: RerankStart = {}) => {
    await models.ready();
    if (source) await panels.open(source, form);
  };

  return {
    async selection(query) {
      checkTrust();
      const source = readSelection(vscode.window.activeTextEditor ?? lastEditor.current());
      await show(source, typeof query === 'string' ? { query } : {});
    },
    async open(start) {
      const model = startModel(start);
      const form = model === undefined ? {} : { model };
      const asked = await askSource(lastEditor.current(), await store.ranked());
      if (asked?.kind === 'page') await panels.openKept(asked.id, form);
      if (asked?.kind === 'source') await show(await readSource(asked.source, { lastEditor, settings }), form);
    },
    async files(file, files) {
      checkTrust();
      const handed = urisOf(file, files);
      const uris = handed.length > 0 ? handed : await askFiles();
      await show(uris && (await readFiles(uris)));
    },
    async openJudgements() {
      await judgements.refresh();
      if (judgements.held.count === 0) throw nothingJudged();
      await vscode.window.showTextDocument(vscode.Uri.file(judgementsPath));
    },
    gutter,
    restore: (panel, state) => panels.restore(panel, state),
    dispose: () => disposables.dispose(),
  };
}

interface PanelParts {
  readonly services: Services;
  readonly disposables: DisposableStore;
  readonly gutter: ScoreGutter;
  readonly lastEditor: LastEditor;
  readonly store: RerankStore;
  readonly judgements: SharedJudgements;
  readonly onTrouble: (error: unknown) => void;
}

function createPanels({
  services,
  disposables,
  gutter,
  lastEditor,
  store,
  judgements,
  onTrouble,
}: PanelParts): RerankPanels {
  const { context, models, replacements, settings } = services;
  const scores = createEditorScores(gutter, replacements);
  const news = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(models.onDidChange(() => news.fire()));
  disposables.add(gutter.onDidChange(() => news.fire()));
  const parts: SharedParts = {
    words: rerankMessages(),
    queries: createQueryHistory(context.workspaceState),
    judgements,
    ...createRerankModels(models, context.workspaceState),
    openService: createOpenService(services),
    confirm: confirmSending,
    describe,
    now: Date.now,
    onTrouble,
  };
  return disposables.add(
    createRerankPanels({
      services,
      scores,
      store,
      parts,
      readSource: (kind, signal) => readSource(kind, { lastEditor, settings }, signal),
      guardTabs: () => tabGuard(settings),
      isShowingScores: (controller) => scores.isShown(controller),
      async refresh() {
        void models.ensureFresh();
        await Promise.all([models.ready(), judgements.refresh().catch(onTrouble)]);
      },
      onDidChange: news.event,
    }),
  );
}

function nothingJudged(): UserError {
  return new UserError(
    l10n.t('Nothing was judged in this workspace yet'),
    l10n.t('Rank some documents, then mark them as relevant or not: R and N on a row.'),
  );
}
