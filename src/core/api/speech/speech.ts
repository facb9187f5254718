import { checkRequest, warningsOf } from '../bounds';
import { watchIds } from '../transport/headers';
import type { Transport } from '../transport/transport';
import { rateWarnings, speechBounds } from './speech.bounds';
import { speechRequest } from './speech.schema';
import type { ParameterWarning } from '../parameters';
import type { Speech, SpeechRequest } from './speech.schema';

export interface Speeches {
  create(request: SpeechRequest, signal?: AbortSignal): Promise<Speech>;
  warnings(request: SpeechRequest): readonly ParameterWarning[];
}

export function createSpeech(transport: Transport): Speeches {
  return {
    async create(request, signal) {
      checkRequest(request, speechRequest, speechBounds);
      const { ids, watch } = watchIds();
      const call = {
        method: 'POST',
        path: '/audio/speech',
        work: 'paid',
        model: request.model,
        signal,
        watch,
      } as const;
      return { ...(await transport.bytes({ ...call, body: request })), ids };
    },
    warnings: (request) => [...warningsOf(request, speechBounds), ...rateWarnings(request)],
  };
}
