import { basename } from 'node:path';
import { checkRequest } from '../bounds';
import type { Bounds } from '../bounds';
import { present, presentWords } from '../present';
import { mostEntries } from '../tolerant';
import { audioTypeOf } from '../transcriptions/audioType';
import type { Progress, Transport } from '../transport/transport';
import { audioRequest, voiceDeletedResponse, voiceListResponse, voiceRequest, voiceUploaded } from './voices.schema';
import type { Voice, VoiceRequest } from './voices.schema';

const bounds: Bounds<VoiceRequest> = {
  model: { minLength: 1 },
  customName: { minLength: 1 },
  text: { minLength: 1 },
};

const uploadPath = '/uploads/audio/voice';

export interface Voices {
  upload(request: VoiceRequest & Progress, signal?: AbortSignal): Promise<{ readonly uri: string }>;
  /** `onCutOff` is called before if the service has more voices than are read. */
  list(signal?: AbortSignal, onCutOff?: () => void): Promise<readonly Voice[]>;
  delete(request: { readonly uri: string }, signal?: AbortSignal): Promise<void>;
}

export function createVoices(transport: Transport): Voices {
  return {
    async upload({ onProgress, ...request }, signal) {
      checkRequest(request, voiceRequest, bounds);
      const { sample, ...fields } = request;
      const call = { method: 'POST', path: uploadPath, work: 'upload', model: request.model, signal } as const;
      if ('path' in sample) {
        const filename = basename(sample.path);
        const file = { field: 'file', filename, contentType: audioTypeOf(filename), source: { path: sample.path } };
        const { uri } = await transport.upload({ ...call, fields, file, onProgress, response: voiceUploaded });
        return { uri };
      }
      checkRequest({ audio: sample.audio }, audioRequest, { audio: { pattern: /^data:audio\/[\w.+-]+;base64,./ } });
      // The API reference puts the base64 form into the multipart body, the guide sends it as JSON: the guide is right.
      const body = { ...fields, audio: sample.audio };
      const { uri } = await transport.json({ ...call, body, response: voiceUploaded });
      return { uri };
    },
    async list(signal, onCutOff) {
      const call = { method: 'GET', path: '/audio/voice/list', work: 'read', signal } as const;
      const { list } = await transport.json({ ...call, response: voiceListResponse });
      if (list.length >= mostEntries) onCutOff?.();
      return list.map(({ uri, customName, model, text }) => ({
        uri,
        ...presentWords({ customName, model }),
        ...present({ text }),
      }));
    },
    async delete({ uri }, signal) {
      const path = '/audio/voice/deletions';
      const call = { method: 'POST', path, hasIdInBody: true, work: 'change', signal } as const;
      await transport.json({ ...call, body: { uri }, response: voiceDeletedResponse });
    },
  };
}
