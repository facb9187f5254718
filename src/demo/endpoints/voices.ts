import type { Call, Endpoint } from '../call';
import { voiceModel } from '../catalogue';
import { badParameter, unknownModel } from '../refusal';
import { optional, readStrictly, required, text } from '../validate';

/** The clip must be at most 30 seconds long; no vendor page states a byte limit, and this one far exceeds any such clip. */
const maxAudioBytes = 20 * 1024 * 1024;

function requireAudio({ body, files }: Call, audio: string | undefined): void {
  const upload = files.find((file) => file.field === 'file');
  if (upload === undefined && audio === undefined) throw badParameter('Field required: file or audio', 'file');
  if (upload !== undefined && audio !== undefined)
    throw badParameter('Value error, send either file or audio, not both.', 'audio');
  if (upload !== undefined && upload.bytes === 0) throw badParameter('Value error, the audio is empty.', 'file');
  if ((upload?.bytes ?? 0) > maxAudioBytes) throw badParameter('Value error, the audio is too large.', 'file');
  if (body['audio'] !== undefined && !/^data:audio\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/.test(audio ?? '')) {
    throw badParameter('Value error, audio should be a data URI like data:audio/mpeg;base64,…', 'audio');
  }
}

export const uploadVoice: Endpoint = {
  name: 'POST /uploads/audio/voice',
  body: 'jsonOrForm',
  standIn: voiceModel,
  handle: async (call) => {
    const { service, reply } = call;
    const {
      model,
      customName,
      text: said,
      audio,
    } = readStrictly(call.body, {
      model: required(text()),
      customName: required(text({ min: 1, max: 64 })),
      text: required(text({ min: 1 })),
      audio: optional(text()),
    });
    if (model !== voiceModel) throw unknownModel();
    requireAudio(call, audio);
    if (customName.includes(':')) throw badParameter('Value error, customName may not hold a colon.', 'customName');
    const uri = `speech:${customName}:${service.newId().slice(0, 16)}:${service.newId()}`;
    service.store.state.voices.push({ model, customName, text: said, uri });
    await service.store.save();
    return reply.json(200, { uri });
  },
};

export const listVoices: Endpoint = {
  name: 'GET /audio/voice/list',
  body: 'none',
  handle: ({ service, reply }) => reply.json(200, { results: service.store.state.voices }),
};

export const deleteVoice: Endpoint = {
  name: 'POST /audio/voice/deletions',
  body: 'json',
  handle: async ({ service, body, reply }) => {
    const { uri } = readStrictly(body, { uri: required(text({ min: 1 })) });
    const { state } = service.store;
    if (!state.voices.some((voice) => voice.uri === uri))
      throw badParameter(`Value error, no such voice: ${uri}`, 'uri');
    state.voices = state.voices.filter((voice) => voice.uri !== uri);
    await service.store.save();
    return reply.json(200, 'success');
  },
};
