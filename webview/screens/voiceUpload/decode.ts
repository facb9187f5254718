import type { Sound } from './soundShape';

/** Browsers decode at these rates; where the file's is not known, at this one. */
const rates = { least: 8000, most: 96_000, usual: 44_100 } as const;

export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The samples of a file in any format the browser plays. Rejects where it cannot decode it. Takes the bytes away. */
export async function decode(bytes: Uint8Array<ArrayBuffer>, sampleRate: number | undefined): Promise<Sound> {
  const rate = Math.min(rates.most, Math.max(rates.least, sampleRate ?? rates.usual));
  // One that plays nothing: it needs no device, and no gesture of the person.
  const decoder = new OfflineAudioContext(1, 1, rate);
  const buffer = await decoder.decodeAudioData(bytes.buffer);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at));
  return { channels, sampleRate: buffer.sampleRate };
}
