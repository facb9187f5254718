import * as zlib from 'node:zlib';
import { mostRowBytes, mostRows } from '../evalConfig';

/** Thrown for a table that unpacks to more than rows may have. */
export class ParquetTooLarge extends Error {}

/** A few bytes can stand for any number of equal values, so what is written is limited too. */
const mostUnpacked = 4 * mostRowBytes;

/**
 * Returns the rows of a Parquet file as lines of JSON, one more than an eval uses at most. Rejects for a file that is none or is damaged,
 * and with `ParquetTooLarge`. Loads its reader on demand.
 */
export async function parquetLines(bytes: Uint8Array): Promise<string> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const file = Uint8Array.from(bytes).buffer;
  const metadata = await parquetMetadataAsync(file);
  const size = metadata.row_groups.reduce((sum, { total_byte_size }) => sum + Number(total_byte_size), 0);
  if (size > mostUnpacked) throw new ParquetTooLarge();
  const rows = await parquetReadObjects({ file, metadata, rowStart: 0, rowEnd: mostRows + 1, compressors });
  const lines: string[] = [];
  let left = mostUnpacked;
  for (const row of rows) {
    const line = JSON.stringify(row, plain);
    left -= line.length;
    if (left < 0) throw new ParquetTooLarge();
    lines.push(line);
  }
  return lines.join('\n');
}

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const unpackedBy =
  (unpack: Unpack) =>
  (packed: Uint8Array, length: number): Uint8Array => {
    if (length > mostUnpacked) throw new ParquetTooLarge();
    return unpack(packed, { maxOutputLength: Math.max(1, length) });
  };

/** Uncompressed pages and Snappy need none. Node.js has Zstandard since 22.15, which is newer than what runs the command line. */
const { zstdDecompressSync } = zlib as Partial<Pick<typeof zlib, 'zstdDecompressSync'>>;
const compressors = {
  GZIP: unpackedBy(zlib.gunzipSync),
  BROTLI: unpackedBy(zlib.brotliDecompressSync),
  ...(zstdDecompressSync && { ZSTD: unpackedBy(zstdDecompressSync) }),
};

/** Values as JSON has them. Bytes, such as those of an image, are no text. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return ArrayBuffer.isView(value) ? undefined : value;
}
