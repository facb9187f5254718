import type { Client } from '../../core/api/client';
import type { LocalCall } from '../../core/batch/local/localRun';

/** Sends the requests of a run with the client that `client` returns for each of them. */
export function createLocalCall(client: () => Promise<Client>): LocalCall {
  return async function* ({ model, body }, { signal, onWait, onAnswer }) {
    const { chatCompletions } = await client();
    yield* chatCompletions.chunks(
      { ...body, model },
      { signal, watch: { onWait, onAnswer: ({ requestId, traceId }) => onAnswer(requestId ?? traceId ?? '') } },
    );
  };
}
