import { open, type FileHandle } from 'node:fs/promises';

/** The type of a file, determined only by its bytes. */
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

/** A JPEG stores its size after its metadata, which may contain a preview and a color profile. */
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

/** Whether the text begins with a tag in any encoding that a browser accepts. Spaces, byte-order marks, and zero bytes don't hide it. */
function isMarkup(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  return /^[\s\0\xEF\xBB\xBF\xFE\xFF]*<\0?[!?a-z]/i.test(text);
}

interface Box {
  readonly type: string;
  /** Bounds of the box's content. */
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 200;
/** A track header is small; the rest of a clip's index lists every frame, so no more than this is read. */
const trackHeaderBytes = 104;

/** Returns the pixel size of the first track that has one in an MP4 or QuickTime file (ISO/IEC 14496-12); empty if none does. */
async function clipSize(
  handle: FileHandle,
  size: number,
): Promise<{ readonly width?: number; readonly height?: number }> {
  for await (const movie of boxes(handle, 0, size)) {
    if (movie.type !== 'moov') continue;
    for await (const track of boxes(handle, movie.start, movie.end)) {
      const found = track.type === 'trak' ? await trackSize(handle, track) : undefined;
      if (found) return found;
    }
  }
  return {};
}

async function trackSize(handle: FileHandle, track: Box) {
  for await (const { type, start, end } of boxes(handle, track.start, track.end)) {
    if (type !== 'tkhd') continue;
    const head = Buffer.alloc(Math.min(trackHeaderBytes, end - start));
    const { bytesRead } = await handle.read(head, 0, head.length, start);
    // Width and height are the last eight bytes of the header, in 16.16 fixed point; the times before them have 32 bits, or 64 in
    // version 1.
    const at = head[0] === 1 ? 88 : 76;
    if (bytesRead < at + 8) return undefined;
    const [width, height] = [head.readUInt32BE(at) >>> 16, head.readUInt32BE(at + 4) >>> 16];
    return width > 0 && height > 0 ? { width, height } : undefined;
  }
  return undefined;
}

async function* boxes(handle: FileHandle, from: number, to: number): AsyncGenerator<Box> {
  const head = Buffer.alloc(16);
  for (let at = from, count = 0; at + 8 <= to && count < mostBoxes; count++) {
    const { bytesRead } = await handle.read(head, 0, 16, at);
    if (bytesRead < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && bytesRead === 16;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const start = at + (isLong ? 16 : 8);
    if (at + length < start) return;
    const end = Math.min(to, at + length);
    yield { type: head.toString('latin1', 4, 8), start, end };
    at = end;
  }
}
