import { open } from 'node:fs/promises';
import { clipSize } from './clipSize';

/** What a file is, judged by its bytes alone. */
export interface FileFacts {
  readonly contentType: string;
  /** Without the dot, e.g. `png`. */
  readonly ending: string;
  readonly bytes: number;
  /** Pixels, where known. */
  readonly width?: number;
  readonly height?: number;
}

/** Why bytes are neither an image nor a clip. `markup`: an HTML page, an SVG or other tagged text, which may contain a script. */
export type FileFault = 'empty' | 'markup' | 'other';

/** A JPEG stores its size after its metadata, which may contain a preview and a colour profile. */
const headBytes = 512 * 1024;

/** Returns facts about a raster image or a clip, otherwise why it is neither. Throws file system errors. */
export async function readFileFacts(path: string): Promise<FileFacts | FileFault> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const head = new Uint8Array(Math.min(size, headBytes));
    await handle.read(head, 0, head.length, 0);
    const facts = await imageFacts(head, size);
    if (typeof facts === 'string' || !facts.contentType.startsWith('video/')) return facts;
    return { ...facts, ...(await clipSize(handle, size)) };
  } finally {
    await handle.close();
  }
}

/** `head` is the beginning of a file of `bytes` bytes, or the whole file. */
export async function imageFacts(head: Uint8Array, bytes: number): Promise<FileFacts | FileFault> {
  if (bytes === 0) return 'empty';
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head);
  const isShown = type !== undefined && /^(image|video)\//.test(type.mime) && type.mime !== 'image/svg+xml';
  if (!isShown) return type?.mime.endsWith('xml') || isMarkup(head) ? 'markup' : 'other';
  return { contentType: type.mime, ending: type.ext, bytes, ...(await pictureSize(head)) };
}

/** Returns facts about an audio file; data without a header, such as raw samples, is taken to have the requested format. */
export async function soundFacts(bytes: Uint8Array, format: string): Promise<FileFacts> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  const isSound = type?.mime.startsWith('audio/') === true;
  return {
    contentType: isSound ? type.mime : `audio/${format === 'mp3' ? 'mpeg' : format}`,
    ending: isSound ? type.ext : format,
    bytes: bytes.length,
  };
}

async function pictureSize(head: Uint8Array): Promise<{ readonly width?: number; readonly height?: number }> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height } = imageSize(head);
    return width > 0 && height > 0 ? { width, height } : {};
  } catch {
    return {};
  }
}

/** Whether the text begins with a tag in any encoding a browser accepts: spaces, byte order marks and zero bytes do not hide it. */
function isMarkup(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  return /^[\s\0\xEF\xBB\xBF\xFE\xFF]*<\0?[!?a-z]/i.test(text);
}
