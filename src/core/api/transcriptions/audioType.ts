import { extname } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.opus': 'audio/opus',
  '.ogg': 'audio/ogg',
  '.pcm': 'audio/L16',
  '.m4a': 'audio/mp4',
  '.flac': 'audio/flac',
  '.webm': 'audio/webm',
};

/** Returns the content type by the file's extension; the service inspects the file itself. */
export function audioTypeOf(filename: string): string {
  return types[extname(filename).toLowerCase()] ?? 'application/octet-stream';
}
