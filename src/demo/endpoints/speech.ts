import { readFile } from 'node:fs/promises';
import { speakMp3, textOfMp3 } from '../audio/mp3';
import { synthesise } from '../audio/synthesise';
import { wavOf, readWav } from '../audio/wav';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import { findModel, isTextToSpeech, modelsOf, voiceModel } from '../catalogue';
import { badParameter, unknownModel, Refusal } from '../refusal';
import { flag, integer, number, oneOf, optional, readStrictly, required, text } from '../validate';
import { wait } from '../wait';

const voices = ['alex', 'anna', 'bella', 'benjamin', 'charles', 'claire', 'david', 'diana'];
const mp3Rates = [32_000, 44_100];
const rates = [8000, 16_000, 24_000, ...mp3Rates];
/** The vendor's default in every format but Opus. */
const usualRate = 44_100;

const fields = {
  model: required(text({ min: 1 })),
  input: required(text({ min: 1, max: 128_000 })),
  voice: optional(text({ min: 1 })),
  response_format: optional(oneOf('mp3', 'opus', 'wav', 'pcm')),
  sample_rate: optional(integer()),
  stream: optional(flag),
  speed: optional(number({ min: 0.25, max: 4 })),
  gain: optional(number({ min: -10, max: 10 })),
};

function requireVoice({ service }: Call, model: string, voice: string): void {
  const known = voice.startsWith('speech:')
    ? service.store.state.voices.some((item) => item.uri === voice)
    : voices.some((name) => voice === `${model}:${name}`);
  if (!known) throw badParameter(`Value error, no such voice: ${voice}`, 'voice');
}

/** Generates WAV (by default), raw samples, and MP3, which is simpler; Opus would need an encoder and is refused with an explanation. */
export const speech: Endpoint = {
  name: 'POST /audio/speech',
  body: 'json',
  standIn: 'FunAudioLLM/CosyVoice2-0.5B',
  handle: async (call) => {
    const { service, signal, reply } = call;
    const sent = readStrictly(call.body, fields);
    const model = findModel(sent.model);
    if (model === undefined || !isTextToSpeech(model)) throw unknownModel();
    const voice = sent.voice ?? `${model.id}:alex`;
    requireVoice(call, model.id, voice);
    const format = sent.response_format ?? 'wav';
    if (format === 'opus')
      throw badParameter('Value error, the demo service makes mp3, wav and pcm only, not opus.', 'response_format');
    const sampleRate = sent.sample_rate ?? usualRate;
    const taken = format === 'mp3' ? mp3Rates : rates;
    if (!taken.includes(sampleRate))
      throw badParameter(`sample_rate: Input should be one of ${taken.join(', ')}`, 'sample_rate');
    requireBalance(service, model);
    await wait(service.pace().workMs, signal);
    const spoken = { text: sent.input, voice, sampleRate, speed: sent.speed ?? 1, gain: sent.gain ?? 0 };
    await charge(service, model, Buffer.byteLength(sent.input) / 1000);
    if (format === 'mp3') return reply.bytes(200, speakMp3(spoken), { 'Content-Type': 'audio/mpeg' });
    const samples = synthesise(spoken);
    if (format === 'pcm') return reply.bytes(200, Buffer.from(samples.buffer), { 'Content-Type': 'audio/pcm' });
    return reply.bytes(200, wavOf(samples, sampleRate, sent.input), { 'Content-Type': 'audio/wav' });
  },
};

/** From the vendor's page: up to one hour and 50 MB. */
const maxBytes = 50 * 1024 * 1024;
const maxSeconds = 3600;

/** Recognises only audio the demo itself has generated; describes any other file. */
export const transcriptions: Endpoint = {
  name: 'POST /audio/transcriptions',
  body: 'form',
  standIn: 'FunAudioLLM/SenseVoiceSmall',
  handle: async ({ service, signal, body, files, reply }) => {
    const { model: id } = readStrictly(body, { model: required(text({ min: 1 })) });
    if (!modelsOf('speech-to-text').some((model) => model.id === id)) throw unknownModel();
    const [upload] = files.filter((file) => file.field === 'file');
    if (upload === undefined) throw badParameter('Field required: file', 'file');
    if (upload.bytes === 0) throw badParameter('Value error, the audio is empty.', 'file');
    if (upload.bytes > maxBytes) throw new Refusal(413, 20015, 'The audio is larger than 50 MB.', 'file');
    const bytes = await readFile(upload.path);
    const facts = readWav(bytes);
    if ((facts?.seconds ?? 0) > maxSeconds)
      throw badParameter('Value error, the audio is longer than an hour.', 'file');
    await wait(service.pace().workMs, signal);
    const described =
      facts === undefined
        ? `${upload.bytes} bytes of audio`
        : `${facts.seconds.toFixed(1)} seconds of audio at ${facts.sampleRate} Hz`;
    return reply.json(200, {
      text: facts?.comment ?? textOfMp3(bytes) ?? `The demo service hears no words: ${described}.`,
    });
  },
};

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
