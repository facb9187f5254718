import type { SpeechRequest } from '../api/speech/speech.schema';
import { mostSampleBytes, readSample } from '../audio/readSample';
import type { RefusedSample } from '../audio/sampleFacts';

/** What came of an answer until it ended, was cut or was stopped. */
export interface GatheredSpeech {
  readonly bytes: Uint8Array;
  /** Why it did not come whole. */
  readonly cutBy?: unknown;
  /** It would have gone on: more than is taken. */
  readonly isOver: boolean;
}

/** Hertz of raw samples where no rate is asked for. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
export const usualPcmRate = 44_100;

/** No speech is as large: an hour of WAV at 44.1 kHz has 318 MB. A guard against a service that never ends. */
export const mostSpeechBytes = 320_000_000;

/** Never rejects: what came before a fault was paid for. */
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
      // A stack may write over a chunk once the next is asked for.
      chunks.push(Uint8Array.from(chunk));
      count += chunk.byteLength;
      onBytes(count);
    }
    return { bytes: whole(), isOver: false };
  } catch (cutBy) {
    return { bytes: whole(), cutBy, isOver: false };
  }
}

/** What an answer turned out to be. */
export type HeardSpeech =
  /** `seconds`: where it can be told. */
  | { readonly kind: 'speech'; readonly seconds?: number }
  /** It cannot be played. */
  | { readonly kind: 'other'; readonly why: Exclude<RefusedSample, 'otherAudio' | 'tooLarge'> };

/** Of one sample: the service's have one channel of 16 bits. */
const pcmBytes = 2;

/** Quiet samples begin as icons and films do, with zeros and a few low bits: only longer marks are believed. */
function isChance(why: RefusedSample, type: string | undefined): boolean {
  return (
    !['html', 'text', 'empty', 'tooLarge'].includes(why) &&
    !['image/png', 'image/jpeg', 'image/gif'].includes(type ?? '')
  );
}

/** Of a long file so much is looked at, and its length not told. */
const headBytes = 1_000_000;

/** Raw samples have no mark of their own: what was asked for as such is taken for it unless its bytes say otherwise. */
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
