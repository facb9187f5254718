/** Returns a mono 16-bit WAV file with the comment in a LIST chunk. */
export function wavOf(samples: Int16Array, sampleRate: number, comment: string): Buffer {
  const text = Buffer.from(`${comment}\0`);
  const padded = Buffer.concat([text, Buffer.alloc(text.length % 2)]);
  const info = Buffer.concat([Buffer.from('INFOICMT'), figure(text.length), padded]);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const body = Buffer.concat([chunk('fmt ', format), chunk('LIST', info), chunk('data', data)]);
  return Buffer.concat([Buffer.from('RIFF'), figure(body.length + 4), Buffer.from('WAVE'), body]);
}

function figure(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const chunk = (name: string, body: Buffer) =>
  Buffer.concat([Buffer.from(name), figure(body.length), body, Buffer.alloc(body.length % 2)]);

export interface WavFacts {
  readonly sampleRate: number;
  readonly seconds: number;
  readonly comment: string | undefined;
}

/** Reads the headers of a WAV file; `undefined` for anything else. */
export function readWav(file: Buffer): WavFacts | undefined {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    return undefined;
  let [sampleRate, bytesPerSecond, dataBytes] = [0, 0, 0];
  let comment: string | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const [name, size] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4)];
    const body = file.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ' && body.length >= 12)
      [sampleRate, bytesPerSecond] = [body.readUInt32LE(4), body.readUInt32LE(8)];
    if (name === 'data') dataBytes = size;
    if (name === 'LIST' && body.toString('latin1', 4, 8) === 'ICMT')
      comment = body.toString('utf8', 12, 12 + body.readUInt32LE(8)).replace(/\0+$/, '');
    at += 8 + size + (size % 2);
  }
  return bytesPerSecond === 0 ? undefined : { sampleRate, seconds: dataBytes / bytesPerSecond, comment };
}
