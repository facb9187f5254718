import type { Handlers } from '../../src/protocol/call';
import { synthesise } from '../../src/demo/audio/synthesise';
import { wavOf } from '../../src/demo/audio/wav';
import { emptyVoiceForm } from '../../src/protocol/voiceForm';
import type { VoiceScreen, VoiceTake, VoiceView } from '../../src/protocol/voice';

/** Returns a second of audio, for pages with playable clips. */
export function takeSound(): Uint8Array {
  return wavOf(synthesise({ text: 'a', voice: 'a', sampleRate: 8000, speed: 1, gain: 0 }), 8000, 'a');
}

export const voiceModel = 'FunAudioLLM/CosyVoice2-0.5B';

export const voiceTakes: readonly VoiceTake[] = [
  take('t1', 'The quick brown fox jumps over the lazy dog.', [
    { name: 'response_format', value: 'wav' },
    { name: 'speed', value: '1.5' },
  ]),
  take('t2', 'The quick brown fox jumps over the lazy dog.', [{ name: 'response_format', value: 'wav' }]),
  take('t3', `Ein langer Satz, ${'der weiter und weiter geht, '.repeat(12)}und endet.`, []),
];

function take(id: string, text: string, settings: VoiceTake['settings']): VoiceTake {
  return {
    id,
    text,
    name: `${id}-0123456789ab.wav`,
    age: '2 min. ago',
    at: 'Nov 21, 2026, 8:00:00 PM',
    src: `${id}.wav`,
    facts: ['3.2 sec', '141 kB', 'wav'],
    ids: [`Trace ID: ti_${id}`],
    settings: [{ name: 'model', value: 'CosyVoice2-0.5B' }, ...settings],
  };
}

export const voiceView: VoiceView = {
  uri: 'speech:anna:clx0abcdefghij:mhdabcdefghijklmnop',
  name: 'anna',
  isBuiltIn: false,
  model: voiceModel,
  text: 'In the middle of the night the rain began, and nobody was surprised.',
  isLoading: false,
  canDelete: true,
  canSpeak: true,
  canTranscribe: true,
  note: { text: '', isAllowed: false, writtenAt: '' },
  form: emptyVoiceForm,
  formRevision: 0,
  models: [{ id: voiceModel, name: 'CosyVoice2-0.5B', detail: '', group: 'FunAudioLLM' }],
  defaultModel: voiceModel,
  rates: ['32000', '44100'],
  issues: {},
  warnings: {},
  hints: {
    response_format: 'Usually mp3.',
    speed: '0.25 to 4. 1 is normal speed.',
    gain: '−10 to 10 dB. 0 has no effect.',
  },
  obstacle: 'Enter text to speak.',
  takes: [],
  transcriptionModels: [{ id: 'FunAudioLLM/SenseVoiceSmall', name: 'SenseVoiceSmall', detail: '', group: '' }],
  transcriptionModel: 'FunAudioLLM/SenseVoiceSmall',
  transcriptionPrices: [{ model: 'FunAudioLLM/SenseVoiceSmall', text: 'Price: unknown', hint: '' }],
};

export interface VoiceHost {
  readonly handlers: Handlers<VoiceScreen>;
  /** The calls, by name, with their parameters. */
  readonly asked: readonly (readonly [method: string, params: unknown])[];
  view: VoiceView;
}

/** A host that stores typed values, and otherwise keeps `view` as it is set. */
export function createVoiceHost(change: Partial<VoiceView> = {}): VoiceHost {
  const asked: (readonly [string, unknown])[] = [];
  const host = { view: { ...voiceView, ...change }, asked };
  const set = (part: Partial<VoiceView>) => (host.view = { ...host.view, ...part });
  const handlers: Handlers<VoiceScreen> = {
    'voice/ready': async () => host.view,
    'voice/form': async ({ form }) => set({ form, obstacle: form.input.trim() === '' ? 'Enter text to speak.' : '' }),
    'voice/note': async (note) => set({ note: { ...note, writtenAt: 'now' } }),
    'voice/speak': async ({ form }) => set({ form, speaking: 'Waiting for the service: 1 sec' }),
    'voice/stop': async () => host.view,
    'voice/take': async () => ({ message: '' }),
    'voice/transcribe': async () => set({ transcribing: 'Sending sample.wav: 40 %' }),
    'voice/stopTranscribing': async () => host.view,
    'voice/transcript': async () => ({ message: 'Copied the transcript.' }),
    'voice/do': async () => ({ message: 'Copied the URI.' }),
    'voice/act': async () => ({}),
  };
  const noted = Object.entries(handlers).map(([method, handle]) => [
    method,
    (params: never, context: never) => {
      asked.push([method, params]);
      return (handle as (params: never, context: never) => Promise<unknown>)(params, context);
    },
  ]);
  return Object.assign(host, { handlers: Object.fromEntries(noted) as Handlers<VoiceScreen> });
}
