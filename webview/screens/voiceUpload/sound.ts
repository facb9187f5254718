import { signal } from '@preact/signals';
import type { VoiceUploadLevels, VoiceUploadSample } from '../../../src/protocol/voiceUpload';
import { toBytes } from '../../components/droppedFiles';

const stepSeconds = 1;

/** Playback state of the recording, and seeking in it. */
export class Player {
  /** In seconds; 0 until the length is known. */
  readonly length = signal(0);
  readonly at = signal(0);
  readonly isPlaying = signal(false);
  readonly isBroken = signal(false);
  private element: HTMLAudioElement | undefined;
  private frame = 0;

  /** Pass this as the `ref` of the element. */
  readonly attach = (element: HTMLAudioElement | null): void => {
    cancelAnimationFrame(this.frame);
    this.element = element ?? undefined;
    if (!element) return;
    const listen = (name: keyof HTMLMediaElementEventMap, run: () => void) => element.addEventListener(name, run);
    listen('loadedmetadata', () => this.look());
    listen('durationchange', () => this.look());
    listen('timeupdate', () => this.look());
    listen('seeked', () => this.look());
    listen('play', () => this.follow());
    listen('pause', () => this.look());
    listen('ended', () => this.look());
    listen('error', () => (this.isBroken.value = true));
    listen('loadeddata', () => (this.isBroken.value = false));
  };

  /** Sets the length, because a decoder knows it better than a header. */
  measure(seconds: number): void {
    this.length.value = seconds;
  }

  seek(seconds: number): void {
    if (!this.element) return;
    const to = Math.min(Math.max(0, seconds), this.length.value);
    this.element.currentTime = to;
    this.at.value = to;
  }

  toggle(): void {
    const { element } = this;
    if (!element) return;
    if (element.paused) void element.play().catch(() => (this.isBroken.value = true));
    else element.pause();
  }

  /** Handles a key that seeks, plays or pauses. Returns false for any other key. */
  onKey(key: string): boolean {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.seek(this.at.value - stepSeconds),
      ArrowDown: () => this.seek(this.at.value - stepSeconds),
      ArrowRight: () => this.seek(this.at.value + stepSeconds),
      ArrowUp: () => this.seek(this.at.value + stepSeconds),
      Home: () => this.seek(0),
      End: () => this.seek(this.length.value),
      ' ': () => this.toggle(),
      Enter: () => this.toggle(),
    };
    const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
    move?.();
    return move !== undefined;
  }

  private look(): void {
    const { element } = this;
    if (!element) return;
    if (this.length.value === 0 && Number.isFinite(element.duration)) this.length.value = element.duration;
    this.at.value = element.currentTime;
    this.isPlaying.value = !element.paused && !element.ended;
  }

  /** Updates the position in every frame, because the element reports it only four times a second. */
  private follow(): void {
    this.look();
    cancelAnimationFrame(this.frame);
    if (this.isPlaying.value) this.frame = requestAnimationFrame(() => this.follow());
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
export class SoundLoader {
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
