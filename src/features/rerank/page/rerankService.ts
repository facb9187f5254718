import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { setContext } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import type { Services } from '../../../services/services';
import type { RerankControllerOptions } from '../controller/controllerOptions';
import type { SendingPlan } from '../controller/sending';
import { showMessage } from '../../../platform/notify';

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
