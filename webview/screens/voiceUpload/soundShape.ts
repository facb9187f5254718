import type { VoiceUploadLevels } from '../../../src/protocol/voiceUpload';

/** Samples of each channel, from -1 to 1. */
export interface Sound {
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
