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

/** Returns the start of a vector file: a magic number with the version, and the number of dimensions. */
export function toHeader(dimensions: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  mark.copy(header);
  header.writeUInt32LE(dimensions, mark.length);
  return header;
}

/** Encodes a record: hash, 32-bit floats (little-endian) and a checksum of both. All records have the same length and are independent. */
export function toRecord({ hash, vector }: VectorRecord): Buffer {
  const body = Buffer.concat([
    Buffer.from(hash, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  const check = Buffer.alloc(checkBytes);
  check.writeUInt32LE(crc32(body));
  return Buffer.concat([body, check]);
}

/** Yields the intact records of a file. Skips torn or damaged ones; a file of another kind has none. */
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
    // Copied, because floats must be aligned to four bytes.
    yield { hash, vector: new Float32Array(Uint8Array.from(bytes.subarray(at + hashBytes, end)).buffer) };
  }
}
