import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type {
  VoiceUploadForm,
  VoiceUploadModel,
  VoiceUploadScreen,
  VoiceUploadView,
  VoiceUploadSample,
  VoiceUploadLevels,
} from '../../../src/protocol/voiceUpload';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { FormSync } from '../typedForm';
import { formOf, obstacleOf, toRequest } from './form';
import { Player } from './player';
import { titled } from '../../../src/protocol/sentences';

/** What the user entered, and the host's view of the recording and the voice. */
export class UploadSession extends PageSession<VoiceUploadScreen> {
  readonly view = signal<VoiceUploadView | undefined>(undefined);
  readonly written = signal<Partial<VoiceUploadForm>>({});
  /** `undefined` until the models are loaded. */
  readonly models = signal<readonly VoiceUploadModel[] | undefined>(undefined);
  readonly form = computed(() => formOf(this.written.value, this.view.value));
  readonly obstacle = computed(() => this.view.value && obstacleOf(this.form.value, this.view.value));
  readonly player = new Player();
  readonly sound: SoundLoader;
  readonly proposal: Proposal;
  private readonly formSync;

  constructor(host: Host<VoiceUploadScreen>, say: (text: string) => void) {
    super(host, say);
    this.written.value = host.load()?.form ?? {};
    this.formSync = new FormSync(this.form, {
      ask: (form) => host.call('voiceUpload/form', { form }),
      onAnswer: () => undefined,
      fail: (error) => this.fail(error),
    });
    this.sound = new SoundLoader(
      {
        fetch: async () => (await host.call('voiceUpload/sound', {})).base64,
        onLevels: (soundId, levels) => void this.ask('voiceUpload/levels', { soundId, levels }),
      },
      this.player,
    );
    this.proposal = new Proposal(
      () => this.form.peek().text,
      (text) => this.change({ text }),
      (id) => {
        say(l10n.t('Review the transcript and fix any mistakes.'));
        void this.ask('voiceUpload/tookHeard', { id });
      },
    );
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      this.show(await this.host.call('voiceUpload/ready', {}));
      await this.formSync.send();
    });
  }

  /** Shows the host's new state. */
  show(view: VoiceUploadView): void {
    const before = this.view.peek();
    this.view.value = view;
    this.save();
    void this.sound.show(view.sample);
    const { hearing, progress, outcome, trouble } = view;
    if (hearing?.kind === 'heard') this.proposal.take(hearing);
    if (hearing?.kind === 'failed' && before?.hearing?.kind !== 'failed')
      this.say(titled(hearing.trouble.title, hearing.trouble.detail));
    if (trouble && trouble.title !== before?.trouble?.title) this.say(titled(trouble.title, trouble.detail));
    if (progress && !before?.progress) this.say(progress.text);
    if (outcome && outcome.title !== before?.outcome?.title) this.say(titled(outcome.title, outcome.detail));
  }

  change(part: Partial<VoiceUploadForm>): void {
    batch(() => {
      this.written.value = { ...this.written.peek(), ...part };
      this.error.value = undefined;
    });
    this.save();
    this.formSync.sendSoon();
  }

  async send(evenIfNamed = false): Promise<void> {
    const view = this.view.peek();
    const order = view && toRequest(this.form.peek(), view, evenIfNamed);
    if (!order || view.progress) return;
    this.formSync.cancel();
    await this.ask('voiceUpload/send', order);
  }

  async act(id: string): Promise<void> {
    if (id === 'retry') return this.send();
    if (id === 'sendAnyway') return this.send(true);
    if (id === 'another') this.startOver();
    await this.ask('voiceUpload/act', { id });
  }

  /** Clears the form, because another voice has another transcript and name. */
  private startOver(): void {
    const { model, way } = this.form.peek();
    this.written.value = { model, way };
    this.change({});
  }

  async loadModels(): Promise<void> {
    await this.attempt(async () => {
      this.models.value = (await this.host.call('voiceUpload/models', {})).models;
    });
  }

  private save(): void {
    const pageId = this.view.peek()?.pageId;
    if (pageId !== undefined) this.host.save({ pageId, form: this.written.peek() });
  }
}

/** A transcript by a model, which replaces the typed text until that is undone. */
class Proposal {
  /** The text before; `undefined` if there is nothing to undo. */
  readonly before = signal<string | undefined>(undefined);
  private proposed = '';
  private taken = '';

  /** `write` must save the text before it returns. */
  constructor(
    private readonly text: () => string,
    private readonly write: (text: string) => void,
    private readonly onTaken: (id: string) => void,
  ) {}

  /** Applies a transcript, unless it was applied before. */
  take({ id, text }: { readonly id: string; readonly text: string }): void {
    if (id === this.taken) return;
    this.taken = id;
    batch(() => {
      this.before.value = this.text();
      this.proposed = text;
      this.write(text);
    });
    this.onTaken(id);
  }

  /** Whether the transcript can be undone: not any more once the user has edited it. */
  isShown(text: string): boolean {
    return this.before.value !== undefined && text === this.proposed;
  }

  undo(): void {
    const { value } = this.before;
    this.before.value = undefined;
    if (value !== undefined) this.write(value);
  }
}

/** As many bars as a wide page can show separately. */
const bars = 240;

type Drawing =
  | { readonly kind: 'none' | 'loading' | 'broken' }
  | { readonly kind: 'drawn'; readonly peaks: readonly number[] };

interface SoundSource {
  /** Resolves with the bytes as Base64. */
  readonly fetch: () => Promise<string>;
  readonly onLevels: (soundId: string, levels: VoiceUploadLevels) => void;
}

/** The waveform of the current sample, decoded once for each sound. */
class SoundLoader {
  readonly drawing = signal<Drawing>({ kind: 'none' });
  /** The URL to play: of the fetched bytes if available, because they allow seeking anywhere; else of the file. */
  readonly uri = signal<string | undefined>(undefined);
  private soundId = '';

  constructor(
    private readonly source: SoundSource,
    private readonly player: Player,
  ) {}

  /** Loads and draws a sample. If several calls overlap, only the last one counts. Never rejects. */
  async show(sample: VoiceUploadSample | undefined): Promise<void> {
    const soundId = sample?.soundId ?? '';
    if (soundId === this.soundId) return;
    this.soundId = soundId;
    this.player.measure(0);
    this.player.at.value = 0;
    this.player.isBroken.value = false;
    if (this.uri.peek()?.startsWith('blob:')) URL.revokeObjectURL(this.uri.peek() ?? '');
    this.uri.value = undefined;
    if (!sample || sample.playUri === undefined || sample.notDrawn !== undefined) {
      this.drawing.value = { kind: 'none' };
      this.uri.value = sample?.playUri;
      return;
    }
    this.drawing.value = { kind: 'loading' };
    const bytes = await this.source.fetch().then(toBytes, () => undefined);
    if (soundId !== this.soundId) return;
    this.uri.value = bytes ? URL.createObjectURL(new Blob([bytes])) : sample.playUri;
    // A decoder does not report why it failed.
    const sound = bytes && (await decode(bytes, sample.sampleRate).catch(() => undefined));
    if (soundId !== this.soundId) return;
    if (!sound) {
      this.drawing.value = { kind: 'broken' };
      return;
    }
    const levels = levelsOf(sound);
    this.player.measure(levels.seconds);
    this.drawing.value = { kind: 'drawn', peaks: peaksOf(sound, bars) };
    this.source.onLevels(soundId, levels);
  }
}

/** Browsers decode at rates in this range; `usual` applies if the file's rate is unknown. */
const rates = { least: 8000, most: 96_000, usual: 44_100 } as const;

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Decodes a file in any format the browser plays. Rejects if it cannot be decoded. Detaches the buffer of `bytes`. */
async function decode(bytes: Uint8Array<ArrayBuffer>, sampleRate: number | undefined): Promise<Sound> {
  const rate = Math.min(rates.most, Math.max(rates.least, sampleRate ?? rates.usual));
  // An offline context needs no audio device and no user gesture.
  const decoder = new OfflineAudioContext(1, 1, rate);
  const buffer = await decoder.decodeAudioData(bytes.buffer);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at));
  return { channels, sampleRate: buffer.sampleRate };
}

/** Samples of each channel, from -1 to 1. */
interface Sound {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** Samples at or above this are clipped: 16-bit full scale, with a tolerance for decoders. */
const fullScale = 0.999;
/** -50 dB of full scale: a window of this many seconds below it counts as silence. */
const silence = 0.003;
const windowSeconds = 0.05;

/** Returns the peak of each of `count` parts, from 0 to 1: the heights of a waveform. */
export function peaksOf({ channels }: Sound, count: number): readonly number[] {
  const length = channels[0]?.length ?? 0;
  return Array.from({ length: count }, (_, part) => {
    const [from, to] = [Math.floor((part * length) / count), Math.floor(((part + 1) * length) / count)];
    return Math.min(1, loudest(channels, from, Math.max(to, Math.min(from + 1, length))));
  });
}

function loudest(channels: readonly Float32Array[], from: number, to: number): number {
  let most = 0;
  for (const samples of channels) {
    for (let at = from; at < to; at += 1) most = Math.max(most, Math.abs(samples[at] ?? 0));
  }
  return most;
}

/** Returns the loudness, and how much is silent or clipped. */
export function levelsOf({ channels, sampleRate }: Sound): VoiceUploadLevels {
  const length = channels[0]?.length ?? 0;
  const step = Math.max(1, Math.round(windowSeconds * sampleRate));
  let [clipped, silent, heard, squares, peak] = [0, 0, 0, 0, 0];
  for (let from = 0; from < length; from += step) {
    const to = Math.min(from + step, length);
    const top = loudest(channels, from, to);
    peak = Math.max(peak, top);
    if (top < silence) {
      silent += to - from;
      continue;
    }
    heard += (to - from) * channels.length;
    for (const samples of channels) {
      for (let at = from; at < to; at += 1) {
        const value = Math.abs(samples[at] ?? 0);
        squares += value * value;
        if (value >= fullScale) clipped += 1;
      }
    }
  }
  return {
    seconds: length / sampleRate,
    peak: Math.min(1, peak),
    loudness: heard === 0 ? 0 : Math.min(1, Math.sqrt(squares / heard)),
    clippedPart: clipped / Math.max(1, length * channels.length),
    silentPart: silent / Math.max(1, length),
  };
}
