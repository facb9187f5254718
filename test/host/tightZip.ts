import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } from '@zip.js/zip.js';

/** More tries find less and less: of the package, 15 take three times as long as 5 for a thousandth. */
const numiterations = 15;

/**
 * Writes a ZIP file again with the same files, each as small as Deflate can be: what packs it looks for the shortest form of what
 * any program unpacks. JSON is written without its white space, and the manifest without what is for whoever has the repository.
 */
export async function packTightly(file: string): Promise<void> {
  const writer = new ZipWriter(new Uint8ArrayWriter());
  const entries = await new ZipReader(new Uint8ArrayReader(readFileSync(file))).getEntries();
  for (const entry of entries) {
    if (entry.directory) continue;
    const data = shortJson(entry.filename, await entry.getData(new Uint8ArrayWriter()));
    const packed = await deflateAsync(data, { numiterations });
    const isSmaller = packed.length < data.length;
    await writer.add(entry.filename, new Uint8ArrayReader(isSmaller ? packed : data), {
      passThrough: true,
      compressionMethod: isSmaller ? 8 : 0,
      uncompressedSize: data.length,
      signature: crc32(data),
      extendedTimestamp: false,
    });
  }
  writeFileSync(file, await writer.close());
}

function shortJson(name: string, data: Uint8Array): Uint8Array {
  if (!name.endsWith('.json')) return data;
  const { scripts, devDependencies, ...rest } = JSON.parse(Buffer.from(data).toString('utf8'));
  const isManifest = name === 'extension/package.json';
  return Buffer.from(JSON.stringify(isManifest ? rest : { scripts, devDependencies, ...rest }));
}
