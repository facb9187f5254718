import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { startModel } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import type { ScoreGutter } from './editor/scoreGutter';
import { RerankPanels } from './page/rerankPanels';
import { RerankWindow } from './page/rerankWindow';
import type { RerankStart } from './page/rerankPanels';
import { askSource } from './sources/askSource';
import { askFiles, readFiles, urisOf } from './sources/filesSource';
import type { RerankSource } from './sources/rerankSource';
import { readSelection } from './sources/selectionSource';
import { checkTrust } from './sources/textOf';

/** The commands of reranking. Arguments are checked: they come from menus and other extensions. */
export class RerankRuntime implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly window: RerankWindow;
  private readonly panels: RerankPanels;

  constructor(private readonly services: Services) {
    const { context } = services;
    const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'rerank');
    this.window = this.disposables.add(new RerankWindow(services, folder));
    this.panels = this.disposables.add(new RerankPanels(this.window));
  }

  /** Shows the scores of all pages. */
  get gutter(): ScoreGutter {
    return this.window.gutter;
  }

  /** `query`, if a string, is the page's initial query. */
  async selection(query?: unknown): Promise<void> {
    checkTrust();
    const source = readSelection(vscode.window.activeTextEditor ?? this.window.lastEditor.current());
    await this.show(source, typeof query === 'string' ? { query } : {});
  }

  /** Asks what to rank. A `MediaStart` names the model. */
  async open(start?: unknown): Promise<void> {
    const { panels, window } = this;
    const model = startModel(start);
    const form = model === undefined ? {} : { model };
    await window.judgements.refresh().catch(() => undefined);
    const hasRatings = window.judgements.held.count > 0;
    const asked = await askSource(window.lastEditor.current(), await window.store.ranked(), hasRatings);
    if (asked?.kind === 'ratings') await this.openJudgements();
    if (asked?.kind === 'page') await panels.openKept(asked.id, form);
    if (asked?.kind === 'source') await this.show(await window.readSource(asked.source), form);
  }

  async files(file?: unknown, files?: unknown): Promise<void> {
    checkTrust();
    const handed = urisOf(file, files);
    const uris = handed.length > 0 ? handed : await askFiles();
    await this.show(uris && (await readFiles(uris)));
  }

  async openJudgements(): Promise<void> {
    const { judgements, judgementsPath } = this.window;
    await judgements.refresh();
    if (judgements.held.count === 0) throw nothingJudged();
    await vscode.window.showTextDocument(vscode.Uri.file(judgementsPath));
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
}

function nothingJudged(): UserError {
  return new UserError(
    l10n.t('No relevance ratings yet'),
    l10n.t('Rank some documents, then press R (relevant) or N (not relevant) on a row.'),
  );
}
