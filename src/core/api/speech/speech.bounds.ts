import type { Bounds } from '../bounds';
import type { ParameterWarning } from '../parameters';
import type { SpeechRequest } from './speech.schema';

export const speechBounds: Bounds<SpeechRequest> = {
  model: { minLength: 1 },
  input: { minLength: 1 },
  sample_rate: { integer: true, min: 1 },
  speed: { min: 0.25, max: 4 },
  gain: { min: -10, max: 10 },
};

/** In hertz. https://docs.siliconflow.com/en/userguide/capabilities/text-to-speech */
const rates: Readonly<Record<string, readonly string[]>> = {
  opus: ['48000'],
  wav: ['8000', '16000', '24000', '32000', '44100'],
  pcm: ['8000', '16000', '24000', '32000', '44100'],
  mp3: ['32000', '44100'],
};

/** Returns the sample rates of a format; the service defaults to MP3. */
export function ratesOf(format: SpeechRequest['response_format']): readonly string[] {
  return rates[format ?? 'mp3'] ?? [];
}

export function rateWarnings({ response_format, sample_rate }: SpeechRequest): readonly ParameterWarning[] {
  const allowed = ratesOf(response_format);
  if (sample_rate === undefined || sample_rate === null || allowed.includes(String(sample_rate))) return [];
  return [{ parameter: 'sample_rate', rule: 'oneOf', bound: allowed, actual: sample_rate }];
}
