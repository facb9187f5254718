const headerBytes = 44;

/** Returns a WAV file of raw samples: mono, 16-bit, little-endian. Half a sample at the end is dropped. */
export function wavOfPcm(samples: Uint8Array, sampleRate: number): Uint8Array {
  const length = samples.length - (samples.length % 2);
  const wav = new Uint8Array(headerBytes + length);
  const view = new DataView(wav.buffer);
  const word = (at: number, letters: string) => wav.set(new TextEncoder().encode(letters), at);
  word(0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + length, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, length, true);
  wav.set(samples.subarray(0, length), headerBytes);
  return wav;
}
