import { open } from 'node:fs/promises';
import { clipSize } from './clipSize';

/** What a file is, by its bytes alone. */
export interface FileFacts {
  readonly contentType: string;
  /** Without the dot, e.g. `png`. */
  readonly ending: string;
  readonly bytes: number;
  /** Pixels, where they can be told. */
  readonly width?: number;
  readonly height?: number;
}

/** Why bytes are no picture and no clip. `markup`: an HTML page, an SVG or another text of tags, which may hold a script. */
export type FileFault = 'empty' | 'markup' | 'other';

/** The sizes of a JPEG come after its metadata, which may hold a preview and a colour profile. */
const headBytes = 512 * 1024;

/** A picture of pixels, or a clip; else what is wrong with it. Throws what the file system throws. */
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

/** `head` is the beginning of a file of `bytes` bytes, or all of it. */
export async function imageFacts(head: Uint8Array, bytes: number): Promise<FileFacts | FileFault> {
  if (bytes === 0) return 'empty';
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head);
  const isShown = type !== undefined && /^(image|video)\//.test(type.mime) && type.mime !== 'image/svg+xml';
  if (!isShown) return type?.mime.endsWith('xml') || isMarkup(head) ? 'markup' : 'other';
  return { contentType: type.mime, ending: type.ext, bytes, ...(await pictureSize(head)) };
}

/** Of sound; what has no header, such as bare samples, is what was asked for. */
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

/** Tags in any of the encodings a browser would take: spaces, byte order marks and zero bytes do not hide them. */
function isMarkup(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  return /^[\s\0\xEF\xBB\xBF\xFE\xFF]*<\0?[!?a-z]/i.test(text);
}
