import { signal } from '@preact/signals';
import type { VoiceUploadSample } from '../../../src/protocol/voiceUpload';
import { decode, toBytes } from './decode';
import type { Player } from './player';
import { levelsOf, peaksOf } from './soundShape';
import type { VoiceUploadLevels } from '../../../src/protocol/voiceUpload';

/** As many bars as a wide page can show separately. */
const bars = 240;

export type Drawing =
  | { readonly kind: 'none' | 'loading' | 'broken' }
  | { readonly kind: 'drawn'; readonly peaks: readonly number[] };

export interface SoundSource {
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
