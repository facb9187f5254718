import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { missingEndpoint } from '../../core/api/errors';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { setContext } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { showMessage } from '../../platform/notify';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { RerankSourceKind } from '../../protocol/rerank';
import { createLastModel } from '../../services/models/lastModel';
import type { Services } from '../../services/services';
import { priceLine } from '../../services/usage/costMessages';
import type { ChargedRequests, PriceBook } from '../../services/usage/prices';
import type { SendingPlan, RerankSource } from './logic/documents';
import type { RerankModels, PageServices } from './logic/rerankPage';
import { createScoreGutter } from './editor/scoreGutter';
import { readSource } from './sources/readSource';
import { createJudgementStore, createQueryHistory, createRerankStore } from './logic/rerankStore';
import { createEditorScores } from './editor/editorScores';
import { rerankMessages } from './logic/rerankMessages';

const endpoint = 'POST /rerank';

/** Shared by the rerank tabs of a window. `folder` contains the pages and judgments of its workspace. */
export class RerankWorkspace implements PageServices, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new vscode.EventEmitter<void>());
  /** Fires when models or shown scores changed. */
  readonly onDidChange = this.changed.event;
  readonly lastEditor = this.disposables.add(createLastEditor());
  /** Shows the scores of all pages. */
  readonly gutter = this.disposables.add(createScoreGutter());
  readonly words = rerankMessages(vscode.env.language);
  readonly judgementsPath;
  readonly judgements;
  readonly queries;
  readonly store;
  readonly scores;
  private readonly lastModel;
  /** Absent until the first page is ready. */
  private prices: PriceBook | undefined;

  constructor(
    readonly services: Services,
    folder: string,
  ) {
    this.judgementsPath = path.join(folder, 'judgements.jsonl');
    this.judgements = createJudgementStore(this.judgementsPath, Date.now);
    this.queries = createQueryHistory(services.context.workspaceState);
    this.lastModel = createLastModel(services.context.workspaceState, 'rerank.model', services.account);
    this.store = createRerankStore(path.join(folder, 'pages'), (error) => this.onError(error));
    this.scores = createEditorScores(this.gutter, services.replacements);
    this.disposables.add(services.models.onDidChange(() => this.changed.fire()));
    this.disposables.add(services.connections.onDidChangeOffers(() => this.changed.fire()));
    this.disposables.add(this.gutter.onDidChange(() => this.changed.fire()));
  }

  /** Returns the reranking models, and the one last used with this account in this workspace. */
  models(): RerankModels {
    const { account, models } = this.services;
    const { state } = models;
    if (account.current.lacks(endpoint))
      return { list: [], preferred: '', isLoading: false, error: missingEndpoint(endpoint) };
    const list = modelsForJob('rerank', state.models, state.pins);
    const last = this.lastModel.get();
    const isOffered = last !== undefined && (list.length === 0 || list.some(({ id }) => id === last));
    return {
      list,
      preferred: (isOffered ? last : chooseModel('rerank', state)) ?? '',
      isLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
      ...(state.error !== undefined && { error: state.error }),
    };
  }

  async useModel(model: string): Promise<void> {
    await this.lastModel.set(model);
  }

  /** Opens the service of the profile that is active now. */
  openService(): ReturnType<PageServices['openService']> {
    const { account, connections, activity } = this.services;
    const profileId = account.current.profile?.id;
    const work = activity.start(l10n.t('Reranking documents'), { kind: 'search', paid: true, profileId });
    return {
      async create(request, signal) {
        const ranking = await (
          await connections.client(profileId, { source: 'search' })
        ).rerank.create(request, signal);
        void setContext('inferenceDesk.rankingCame', true);
        return ranking;
      },
      close: () => work.dispose(),
    };
  }

  expect(models: readonly string[], { requests, tokens }: SendingPlan): ReturnType<PageServices['expect']> {
    const parts = models.map((model) => ({ model, requests, inputTokens: tokens, outputLimit: 0 }));
    const { prices } = this;
    return { tokens: prices?.inputTokens(parts) ?? tokens * models.length, price: prices?.quote(parts) };
  }

  charged(requests: ChargedRequests): ReturnType<PageServices['charged']> {
    return this.prices?.charged([requests]);
  }

  async confirm(plan: SendingPlan, models: readonly string[]): Promise<boolean> {
    await this.readPrices();
    const { documents } = plan;
    const requests = plan.requests * models.length;
    const { tokens, price } = this.expect(models, plan);
    const number = (value: number) => numberText(value, vscode.env.language);
    const send = l10n.t('Rank Documents');
    const chosen = await showMessage(
      'warning',
      l10n.t('Rank {0} documents in {1} requests?', number(documents), number(requests)),
      {
        modal: true,
        detail: [l10n.t('This sends about {0} tokens.', number(tokens)), price && priceLine(price).text]
          .filter(Boolean)
          .join('\n'),
      },
      send,
    );
    return chosen === send;
  }

  describe(error: unknown): ReturnType<typeof describe> {
    return describe(error);
  }

  now(): number {
    return Date.now();
  }

  onError(error: unknown): void {
    this.services.log.warn(`A ranking could not be saved: ${String(error)}`);
  }

  /** Reads what is to be ranked, asking as needed. `undefined` on cancel. */
  readSource(kind: RerankSourceKind, signal?: AbortSignal): Promise<RerankSource | undefined> {
    return readSource(kind, { lastEditor: this.lastEditor, settings: this.services.settings }, signal);
  }

  /** Refreshes models and judgments; never rejects. */
  async refresh(): Promise<void> {
    const { models } = this.services;
    void models.ensureFresh();
    await Promise.all([
      models.ready(),
      this.readPrices(),
      this.judgements.refresh().catch((error: unknown) => this.onError(error)),
    ]);
  }

  private async readPrices(): Promise<void> {
    this.prices = await (await this.services.usage()).readyPrices();
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
