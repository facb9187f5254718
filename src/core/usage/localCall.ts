import type { Client } from '../api/client';
import type { LocalCall } from '../batch/local/localRun';
import type { CallUse } from './meteredClient';

/** Sends the requests of a run with the metered client that `client` returns for each of them. */
export function createLocalCall(client: (use: CallUse) => Promise<Client>): LocalCall {
  return async ({ model, body }, { signal, onWait, onAnswer, onUsage }) => {
    const { chatCompletions } = await client({ source: 'batchLines', onUsage });
    return chatCompletions.chunks(
      { ...body, model },
      { signal, watch: { onWait, onAnswer: ({ requestId, traceId }) => onAnswer(requestId ?? traceId ?? '') } },
    );
  };
}
