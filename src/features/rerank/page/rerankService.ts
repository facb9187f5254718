import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { setContext } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import type { Services } from '../../../services/services';
import type { RerankControllerOptions, RerankModels } from '../controller/controllerOptions';
import type { SendingPlan } from '../controller/documents';
import { showMessage } from '../../../platform/notify';
import { chooseModel, modelsForJob } from '../../../core/catalogue/jobs';
import type { ModelCatalogue } from '../../../services/models/modelCatalogue';

/** Opens the active profile's service for each run. */
export function createOpenService({
  profiles,
  connections,
  activity,
}: Services): RerankControllerOptions['openService'] {
  return () => {
    const profileId = profiles.active?.id;
    const work = activity.start(l10n.t('Ranking documents'), { paid: true });
    return {
      async create(request, signal) {
        const ranking = await (await connections.client(profileId)).rerank.create(request, signal);
        void setContext('inferenceDesk.rankingCame', true);
        return ranking;
      },
      close: () => work.dispose(),
    };
  };
}

/** Asks for confirmation before much is sent. */
export async function confirmSending({ documents, requests, tokens }: SendingPlan): Promise<boolean> {
  const number = (value: number) => numberText(value, vscode.env.language);
  const send = l10n.t('Rank');
  const chosen = await showMessage(
    'warning',
    l10n.t('Rank {0} documents in {1} requests?', number(documents), number(requests)),
    { modal: true, detail: l10n.t('About {0} tokens are sent and paid for.', number(tokens)) },
    send,
  );
  return chosen === send;
}

const lastKey = 'rerank.model';

/** Returns the reranking models, and the one last used in this workspace. */
export function createRerankModels(models: ModelCatalogue, history: vscode.Memento) {
  return {
    models(): RerankModels {
      const { state } = models;
      const list = modelsForJob('rerank', state.models, state.pins);
      const last = history.get<unknown>(lastKey);
      const isOffered = typeof last === 'string' && (list.length === 0 || list.some(({ id }) => id === last));
      return {
        list,
        preferred: (isOffered ? last : chooseModel('rerank', state)) ?? '',
        isLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
        ...(state.error !== undefined && { error: state.error }),
      };
    },
    async useModel(model: string): Promise<void> {
      await history.update(lastKey, model);
    },
  };
}
