/** The formats the service takes: `ogg` is Ogg with a codec other than Opus, `pcm` is raw samples without a header. */
export type SampleFormat = 'mp3' | 'wav' | 'opus' | 'ogg' | 'pcm';

/** Properties of a recording, from its content. */
export interface SampleFacts {
  readonly format: SampleFormat;
  /** E.g. `mp3`, `pcm-s16`, `opus`, `vorbis`. */
  readonly codec: string;
  readonly bytes: number;
  /** These four are absent for raw samples of unknown sample rate. */
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
  /** `type`: the detected type, e.g. `image/png`, if known. */
  | { readonly kind: 'refused'; readonly why: RefusedSample; readonly type?: string };

/** Levels of a sample as played, measured after decoding. All but `seconds` from 0 to 1. */
export interface SoundLevels {
  readonly seconds: number;
  readonly peak: number;
  /** Root mean square of the parts that are not silent. */
  readonly loudness: number;
  /** Share of clipped samples. */
  readonly clippedPart: number;
  /** Share of silent time. */
  readonly silentPart: number;
}
