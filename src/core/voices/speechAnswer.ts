import type { SpeechRequest } from '../api/speech/speech.schema';
import { mostSampleBytes, readSample } from '../audio/readSample';
import type { RefusedSample } from '../audio/sampleFacts';

/** The part of a speech response received before it ended, was cut off or was stopped. */
export interface GatheredSpeech {
  readonly bytes: Uint8Array;
  /** Why the response is incomplete. */
  readonly cutBy?: unknown;
  /** Whether the response was longer than the limit. */
  readonly isOver: boolean;
}

/** Hertz of raw samples if the request sets no rate. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const usualPcmRate = 44_100;

/** Larger than any real response: an hour of WAV at 44.1 kHz has 318 MB. Guards against a service that never stops sending. */
export const mostSpeechBytes = 320_000_000;

/** Collects a response. Never rejects, because what arrived before an error was paid for. */
export async function gatherSpeech(
  body: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
  mostBytes = mostSpeechBytes,
): Promise<GatheredSpeech> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  const whole = () => Buffer.concat(chunks, count);
  try {
    for await (const chunk of body) {
      if (count + chunk.byteLength > mostBytes) return { bytes: whole(), isOver: true };
      // The network stack may reuse a chunk's memory once the next is requested.
      chunks.push(Uint8Array.from(chunk));
      count += chunk.byteLength;
      onBytes(count);
    }
    return { bytes: whole(), isOver: false };
  } catch (cutBy) {
    return { bytes: whole(), cutBy, isOver: false };
  }
}

/** The detected content of a response. */
export type HeardSpeech =
  /** `seconds`: the duration, if known. */
  | { readonly kind: 'speech'; readonly seconds?: number }
  /** The response cannot be played. */
  | { readonly kind: 'other'; readonly why: Exclude<RefusedSample, 'otherAudio' | 'tooLarge'> };

/** Bytes per sample: the service's raw samples are mono, 16-bit. */
const pcmBytes = 2;

/**
 * Whether raw samples might match a file signature by chance: quiet ones, zeros and a few low bits, look like the start of icons and
 * videos, so only longer signatures are trusted.
 */
function isChance(why: RefusedSample, type: string | undefined): boolean {
  return (
    !['html', 'text', 'empty', 'tooLarge'].includes(why) &&
    !['image/png', 'image/jpeg', 'image/gif'].includes(type ?? '')
  );
}

/** For a longer file, only this much is examined, and no duration is returned. */
const headBytes = 1_000_000;

/**
 * Detects the content of a response. Raw samples have no signature, so they are accepted if requested, unless the bytes are clearly
 * something else.
 */
export async function hearSpeech(
  bytes: Uint8Array,
  { response_format, sample_rate }: Pick<SpeechRequest, 'response_format' | 'sample_rate'>,
): Promise<HeardSpeech> {
  const isWhole = bytes.byteLength <= mostSampleBytes;
  const reading = await readSample({
    bytes: isWhole ? bytes : bytes.subarray(0, headBytes),
    name: `speech.${response_format ?? 'bin'}`,
    pcmRate: sample_rate ?? usualPcmRate,
  });
  if (reading.kind === 'sample') {
    const { seconds = 0 } = reading.facts;
    if (seconds === 0) return { kind: 'other', why: 'noSound' };
    return { kind: 'speech', ...(isWhole && { seconds }) };
  }
  const { why, type } = reading;
  if (response_format === 'pcm' && isChance(why, type)) {
    return { kind: 'speech', seconds: bytes.byteLength / (pcmBytes * (sample_rate ?? usualPcmRate)) };
  }
  return why === 'otherAudio' || why === 'tooLarge' ? { kind: 'speech' } : { kind: 'other', why };
}
