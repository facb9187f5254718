import { speakMp3 } from '../audio/mp3';
import { synthesise } from '../audio/synthesise';
import { wavOf } from '../audio/wav';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import { findModel, isTextToSpeech } from '../catalogue';
import { badParameter, unknownModel } from '../refusal';
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
