/** What the service takes: `ogg` is Ogg with another codec than Opus, `pcm` raw samples without a header. */
export type SampleFormat = 'mp3' | 'wav' | 'opus' | 'ogg' | 'pcm';

/** What a recording is, by its content. */
export interface SampleFacts {
  readonly format: SampleFormat;
  /** E.g. `mp3`, `pcm-s16`, `opus`, `vorbis`. */
  readonly codec: string;
  readonly bytes: number;
  /** These four are absent of raw samples whose rate nobody said. */
  readonly seconds?: number;
  /** Hertz. */
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly bitsPerSecond?: number;
}

export type RefusedSample =
  | 'empty'
  | 'tooLarge'
  | 'html'
  | 'text'
  | 'image'
  | 'video'
  | 'otherAudio'
  | 'noSound'
  | 'damaged'
  | 'notAudio';

export type SampleReading =
  | { readonly kind: 'sample'; readonly facts: SampleFacts }
  /** `type`: what it is by content, e.g. `image/png`, where that can be told. */
  | { readonly kind: 'refused'; readonly why: RefusedSample; readonly type?: string };

/** What is played of a sample, measured in a decoder. All but `seconds` from 0 to 1. */
export interface SoundLevels {
  readonly seconds: number;
  readonly peak: number;
  /** Root mean square of what is not silent. */
  readonly loudness: number;
  /** Of the samples: cut off at the top. */
  readonly clippedPart: number;
  /** Of the time: silent. */
  readonly silentPart: number;
}
