import type { SampleFacts, SoundLevels } from './sampleFacts';
import { speakingSeconds, textFits } from './speakingTime';

/** Seconds. The limit is below 30, and 8 to 10 are recommended: https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const sampleSeconds = { most: 30, adviseFrom: 8, adviseTo: 10 } as const;
/** The same page recommends MP3 of at least 192 kbit/s. */
export const advisedMp3Bits = 192_000;
/** Hertz. Telephone audio has 8 kHz and loses a voice's sibilants and breath. The service itself outputs up to 48 kHz. */
export const leastGoodRate = 16_000;

/** Relative to full scale: -60 dB is silence in any room, -40 dB is far from the microphone. */
const silent = 0.001;
const quiet = 0.01;
/** A thousandth of all samples at full scale is audible as crackling. */
const clippedPart = 0.001;
const silentPart = 0.5;

export type FindingCode =
  | 'duration.tooLong'
  | 'duration.none'
  | 'duration.advised'
  | 'format.ogg'
  | 'pcm.rateUnknown'
  | 'pcm.assumed'
  | 'channels.many'
  | 'rate.low'
  | 'bits.low'
  | 'text.tooMuch'
  | 'text.tooLittle'
  | 'level.silent'
  | 'level.quiet'
  | 'level.clipped'
  | 'level.pauses';

/** A problem with a sample. An `error` prevents sending it. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning' | 'hint';
  /** Values for its message, e.g. seconds. */
  readonly values: readonly number[];
}

export interface Findable {
  readonly facts: SampleFacts;
  /** The text spoken in the sample; empty if not written yet. */
  readonly text: string;
  readonly levels?: SoundLevels | undefined;
}

/** Most severe first. */
export function findingsOf({ facts, text, levels }: Findable): readonly Finding[] {
  const seconds = facts.seconds ?? levels?.seconds;
  const all = [
    ...durationFindings(seconds),
    ...(levels ? levelFindings(levels) : []),
    ...formatFindings(facts),
    ...(seconds === undefined ? [] : textFindings(text, seconds)),
  ];
  return (['error', 'warning', 'hint'] as const).flatMap((severity) => all.filter((one) => one.severity === severity));
}

function* durationFindings(seconds: number | undefined): Generator<Finding> {
  if (seconds === undefined) return;
  const { most, adviseFrom, adviseTo } = sampleSeconds;
  if (seconds <= 0) yield { code: 'duration.none', severity: 'error', values: [] };
  else if (seconds >= most) yield { code: 'duration.tooLong', severity: 'error', values: [seconds, most] };
  // A duration that is displayed as 8 or 10 seconds counts as such.
  else if (Math.round(seconds) < adviseFrom || Math.round(seconds) > adviseTo)
    yield { code: 'duration.advised', severity: 'hint', values: [seconds, adviseFrom, adviseTo] };
}

function* formatFindings({ format, channels, sampleRate, bitsPerSecond }: SampleFacts): Generator<Finding> {
  if (format === 'ogg') yield { code: 'format.ogg', severity: 'warning', values: [] };
  if (format === 'pcm') {
    const isKnown = sampleRate !== undefined;
    yield { code: isKnown ? 'pcm.assumed' : 'pcm.rateUnknown', severity: isKnown ? 'hint' : 'warning', values: [] };
  }
  if (channels !== undefined && channels > 1) yield { code: 'channels.many', severity: 'warning', values: [channels] };
  if (sampleRate !== undefined && sampleRate < leastGoodRate)
    yield { code: 'rate.low', severity: 'warning', values: [sampleRate, leastGoodRate] };
  if (format === 'mp3' && bitsPerSecond !== undefined && Math.round(bitsPerSecond / 1000) * 1000 < advisedMp3Bits)
    yield { code: 'bits.low', severity: 'warning', values: [bitsPerSecond, advisedMp3Bits] };
}

function* textFindings(text: string, seconds: number): Generator<Finding> {
  const textSeconds = speakingSeconds(text);
  if (textSeconds === 0 || seconds <= 0) return;
  const fit = textFits(textSeconds, seconds);
  if (fit !== 'fits') yield { code: `text.${fit}`, severity: 'warning', values: [textSeconds, seconds] };
}

function* levelFindings(levels: SoundLevels): Generator<Finding> {
  if (levels.peak < silent) {
    yield { code: 'level.silent', severity: 'error', values: [] };
    return;
  }
  if (levels.loudness < quiet) yield { code: 'level.quiet', severity: 'warning', values: [] };
  if (levels.clippedPart > clippedPart)
    yield { code: 'level.clipped', severity: 'warning', values: [levels.clippedPart] };
  if (levels.silentPart > silentPart) yield { code: 'level.pauses', severity: 'warning', values: [levels.silentPart] };
}
