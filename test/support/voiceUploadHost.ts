import { readFileSync } from 'node:fs';
import type { Handlers } from '../../src/protocol/call';
import type {
  VoiceUploadLevels,
  VoiceUploadRequest,
  VoiceUploadScreen,
  VoiceUploadView,
} from '../../src/protocol/voiceUpload';

export interface VoiceUploadHost {
  readonly handlers: Handlers<VoiceUploadScreen>;
  /** The calls under short names, in order: `choose`, `act copyUri`, `drop file:///…`. */
  readonly asked: readonly string[];
  readonly orders: readonly VoiceUploadRequest[];
  readonly levels: readonly VoiceUploadLevels[];
  /** The page's next view. `tell` shows it immediately. */
  view: VoiceUploadView;
  /** The bytes of the waveform. */
  sound: Uint8Array;
}

const sound = readFileSync('test/fixtures/audio/nine.mp3');

/** The host's end of the page for uploading a recording. Shows what the test sets, and records calls. */
export function createVoiceUploadHost(view: Partial<VoiceUploadView> = {}): VoiceUploadHost {
  const asked: string[] = [];
  const orders: VoiceUploadRequest[] = [];
  const levels: VoiceUploadLevels[] = [];
  const note = (name: string) => async () => {
    asked.push(name);
    return {};
  };
  const host: VoiceUploadHost = {
    asked,
    orders,
    levels,
    view: { ...readyToSend, ...view },
    sound,
    handlers: {
      'voiceUpload/ready': async () => host.view,
      'voiceUpload/form': async ({ form }) => note(`form ${form.text}`)(),
      'voiceUpload/sound': async () => ({ base64: Buffer.from(host.sound).toString('base64') }),
      async 'voiceUpload/levels'({ levels: measured }) {
        levels.push(measured);
        return {};
      },
      'voiceUpload/choose': note('choose'),
      'voiceUpload/readAgain': note('readAgain'),
      'voiceUpload/drop': async (dropped) =>
        note(`drop ${'uri' in dropped ? dropped.uri : `${dropped.name} ${atob(dropped.base64)}`}`)(),
      'voiceUpload/models': async () => ({
        models: ['FunAudioLLM/CosyVoice2-0.5B', 'IndexTeam/IndexTTS-2'].map((id) => ({
          id,
          name: id.split('/')[1] ?? id,
          detail: '',
          group: id.split('/')[0] ?? '',
        })),
      }),
      'voiceUpload/transcribe': async ({ model }) => note(`transcribe ${model}`)(),
      'voiceUpload/stopTranscribing': note('stopTranscribing'),
      async 'voiceUpload/tookHeard'({ id }) {
        const { hearing: _taken, ...rest } = host.view;
        host.view = rest;
        return note(`tookHeard ${id}`)();
      },
      async 'voiceUpload/send'(order) {
        orders.push(order);
        return {};
      },
      'voiceUpload/stop': note('stop'),
      'voiceUpload/act': async ({ id }) => note(`act ${id}`)(),
    },
  };
  return host;
}

const readyToSend: VoiceUploadView = {
  pageId: 'page 1',
  state: 'ready',
  fileName: 'anna.mp3',
  sample: {
    name: 'anna.mp3',
    place: 'recordings/anna.mp3',
    facts: [
      { label: 'Format', value: 'MP3' },
      { label: 'Duration', value: '9.1 s' },
      { label: 'Sample rate', value: '22.05 kHz' },
      { label: 'Channels', value: 'mono' },
      { label: 'Bit rate', value: '192 kbit/s' },
      { label: 'Size', value: '216 kB', title: '216,012 bytes' },
    ],
    soundId: 'sound 1',
    sampleRate: 22_050,
    isRaw: false,
  },
  findings: [],
  textTime: '',
  account: { profileId: 'work', text: 'Work (api.siliconflow.com)' },
  hearingModels: [],
  suggested: { name: 'anna', model: 'FunAudioLLM/CosyVoice2-0.5B' },
};
