import { crc32 } from 'node:zlib';

export interface VectorRecord {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly vector: Float32Array;
}

const mark = Buffer.from('IDVEC\u0001\0\0', 'latin1');
const headerBytes = 16;
const hashBytes = 32;
const checkBytes = 4;

/** What a file of vectors begins with: a mark with the version, and how many numbers a vector has. */
export function toHeader(dimensions: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  mark.copy(header);
  header.writeUInt32LE(dimensions, mark.length);
  return header;
}

/** Hash, 32-bit floats (little-endian) and a checksum of both: each record is of one length, and holds by itself. */
export function toRecord({ hash, vector }: VectorRecord): Buffer {
  const body = Buffer.concat([
    Buffer.from(hash, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  const check = Buffer.alloc(checkBytes);
  check.writeUInt32LE(crc32(body));
  return Buffer.concat([body, check]);
}

/** The whole records of a file. One that is torn or damaged is passed over; a file of another kind has none. */
export function* recordsOf(
  bytes: Buffer,
  isWanted: (hash: string, dimensions: number) => boolean,
): Generator<VectorRecord> {
  if (bytes.length < headerBytes || !bytes.subarray(0, mark.length).equals(mark)) return;
  const dimensions = bytes.readUInt32LE(mark.length);
  const length = hashBytes + dimensions * 4 + checkBytes;
  for (let at = headerBytes; at + length <= bytes.length; at += length) {
    const hash = bytes.toString('hex', at, at + hashBytes);
    const end = at + length - checkBytes;
    if (!isWanted(hash, dimensions) || crc32(bytes.subarray(at, end)) !== bytes.readUInt32LE(end)) continue;
    // A copy: numbers have to lie at a multiple of four.
    yield { hash, vector: new Float32Array(Uint8Array.from(bytes.subarray(at + hashBytes, end)).buffer) };
  }
}
