import { signal } from '@preact/signals';
import type { VoiceUploadSample } from '../../../src/protocol/voiceUpload';
import { decode, toBytes } from './decode';
import type { Player } from './player';
import { levelsOf, peaksOf } from './soundShape';
import type { VoiceUploadLevels } from '../../../src/protocol/voiceUpload';

/** As many bars as a wide page shows apart. */
const bars = 240;

export type Drawing =
  | { readonly kind: 'none' | 'loading' | 'broken' }
  | { readonly kind: 'drawn'; readonly peaks: readonly number[] };

export interface SoundSource {
  /** The bytes as base64. */
  readonly fetch: () => Promise<string>;
  readonly onLevels: (soundId: string, levels: VoiceUploadLevels) => void;
}

/** The waveform of the sample that is shown, decoded once for each sound. */
export class SoundLoader {
  readonly drawing = signal<Drawing>({ kind: 'none' });
  /** What is played: the bytes that are drawn where they are here, for in them one can go anywhere; else the file. */
  readonly uri = signal<string | undefined>(undefined);
  private soundId = '';

  constructor(
    private readonly source: SoundSource,
    private readonly player: Player,
  ) {}

  /** Of several that were begun only the last is drawn. Never rejects. */
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
    // Why a decoder gives up it does not say.
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
