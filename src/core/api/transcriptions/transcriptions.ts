import { basename } from 'node:path';
import { checkRequest } from '../bounds';
import { presentWords } from '../present';
import { watchIds } from '../transport/headers';
import type { Progress, Transport } from '../transport/transport';
import { audioTypeOf } from './audioType';
import { transcriptionRequest, transcriptionResponse } from './transcriptions.schema';
import type { Transcription, TranscriptionRequest } from './transcriptions.schema';

export interface Transcriptions {
  create(request: TranscriptionRequest & Progress, signal?: AbortSignal): Promise<Transcription>;
}

export function createTranscriptions(transport: Transport): Transcriptions {
  return {
    async create({ onProgress, ...request }, signal) {
      checkRequest(request, transcriptionRequest, { model: { minLength: 1 }, path: { minLength: 1 } });
      const { model, path } = request;
      const filename = basename(path);
      const { ids, watch } = watchIds();
      const { text, model: answeredBy } = await transport.upload({
        method: 'POST',
        path: '/audio/transcriptions',
        work: 'upload',
        model,
        fields: { model },
        file: { field: 'file', filename, contentType: audioTypeOf(filename), source: { path } },
        onProgress,
        response: transcriptionResponse,
        // Some servers answer with nothing but the text.
        isPlain: true,
        signal,
        watch,
      });
      return { text: text ?? '', ...presentWords({ model: answeredBy }), ...ids };
    },
  };
}
