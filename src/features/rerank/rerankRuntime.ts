import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import { describe } from '../../platform/errors/reportError';
import { startModel } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { createScoreGutter } from './editor/scoreGutter';
import type { SharedParts } from './page/rerankHistory';
import { rerankMessages } from './page/rerankMessages';
import { createEditorScores } from './page/editorScores';
import { createRerankModels, confirmSending, createOpenService } from './page/rerankService';
import { RerankPanels } from './page/rerankPanels';
import type { RerankStart } from './page/rerankPanels';
import { askSource } from './sources/askSource';
import { askFiles, readFiles, urisOf } from './sources/filesSource';
import { readSource, tabGuard } from './sources/readSource';
import type { RerankSource } from './sources/rerankSource';
import { readSelection } from './sources/selectionSource';
import { checkTrust } from './sources/textOf';
import { createJudgementStore } from './store/judgementStore';
import { createQueryHistory } from './store/queryHistory';
import { createRerankStore } from './store/rerankStore';

/** The commands of reranking. Arguments are checked: they come from menus and other extensions. */
export class RerankRuntime implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly lastEditor = this.disposables.add(createLastEditor());
  private readonly judgementsPath;
  private readonly judgements;
  private readonly store;
  private readonly panels;
  /** Shows the scores of all pages. */
  readonly gutter = this.disposables.add(createScoreGutter());

  constructor(private readonly services: Services) {
    const { context } = services;
    const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'rerank');
    this.judgementsPath = path.join(folder, 'judgements.jsonl');
    this.judgements = createJudgementStore(this.judgementsPath, Date.now);
    this.store = createRerankStore(path.join(folder, 'pages'), this.onTrouble);
    this.panels = this.disposables.add(this.createPanels());
  }

  /** `query`, if a string, is the page's initial query. */
  async selection(query?: unknown): Promise<void> {
    checkTrust();
    const source = readSelection(vscode.window.activeTextEditor ?? this.lastEditor.current());
    await this.show(source, typeof query === 'string' ? { query } : {});
  }

  /** Asks what to rank. A `MediaStart` names the model. */
  async open(start?: unknown): Promise<void> {
    const { lastEditor, panels } = this;
    const { settings } = this.services;
    const model = startModel(start);
    const form = model === undefined ? {} : { model };
    const asked = await askSource(lastEditor.current(), await this.store.ranked());
    if (asked?.kind === 'page') await panels.openKept(asked.id, form);
    if (asked?.kind === 'source') await this.show(await readSource(asked.source, { lastEditor, settings }), form);
  }

  async files(file?: unknown, files?: unknown): Promise<void> {
    checkTrust();
    const handed = urisOf(file, files);
    const uris = handed.length > 0 ? handed : await askFiles();
    await this.show(uris && (await readFiles(uris)));
  }

  async openJudgements(): Promise<void> {
    await this.judgements.refresh();
    if (this.judgements.held.count === 0) throw nothingJudged();
    await vscode.window.showTextDocument(vscode.Uri.file(this.judgementsPath));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.panels.restore(panel, state);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async show(source: RerankSource | undefined, form: RerankStart = {}): Promise<void> {
    await this.services.models.ready();
    if (source) await this.panels.open(source, form);
  }

  private readonly onTrouble = (error: unknown): void =>
    this.services.log.warn(`A ranking could not be kept: ${String(error)}`);

  private createPanels(): RerankPanels {
    const { services, disposables, gutter, lastEditor, store, judgements, onTrouble } = this;
    const { context, models, replacements, settings } = services;
    const scores = createEditorScores(gutter, replacements);
    const changed = disposables.add(new vscode.EventEmitter<void>());
    disposables.add(models.onDidChange(() => changed.fire()));
    disposables.add(gutter.onDidChange(() => changed.fire()));
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
    return new RerankPanels(services, scores, {
      store,
      parts,
      readSource: (kind, signal) => readSource(kind, { lastEditor, settings }, signal),
      guardTabs: () => tabGuard(settings),
      isShowingScores: (controller) => scores.isShown(controller),
      async refresh() {
        void models.ensureFresh();
        await Promise.all([models.ready(), judgements.refresh().catch(onTrouble)]);
      },
      onDidChange: changed.event,
    });
  }
}

function nothingJudged(): UserError {
  return new UserError(
    l10n.t('Nothing was judged in this workspace yet'),
    l10n.t('Rank some documents, then mark them as relevant or not: R and N on a row.'),
  );
}
