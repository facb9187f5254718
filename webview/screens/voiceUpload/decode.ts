import type { Sound } from './soundShape';

/** Browsers decode at rates in this range; `usual` applies if the file's rate is unknown. */
const rates = { least: 8000, most: 96_000, usual: 44_100 } as const;

export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Decodes a file in any format the browser plays. Rejects if it cannot be decoded. Detaches the buffer of `bytes`. */
export async function decode(bytes: Uint8Array<ArrayBuffer>, sampleRate: number | undefined): Promise<Sound> {
  const rate = Math.min(rates.most, Math.max(rates.least, sampleRate ?? rates.usual));
  // An offline context needs no audio device and no user gesture.
  const decoder = new OfflineAudioContext(1, 1, rate);
  const buffer = await decoder.decodeAudioData(bytes.buffer);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at));
  return { channels, sampleRate: buffer.sampleRate };
}
